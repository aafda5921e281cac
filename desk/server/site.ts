/** The built site's words and findings. Read again after each build, so agents read out what the site says now. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_SITE, readManifest } from '../../server/http/site.ts'
import { MANIFEST_FILE, type SiteManifest } from '../../server/http/site-manifest.ts'

export type DeskSite = Pick<SiteManifest, 'copy' | 'launch'>

/** Throws SiteUnusable if there is none. */
export function watchSite(folder = BUILT_SITE): () => DeskSite {
  let known: { readonly builtAt: number; readonly site: DeskSite } | null = null
  return () => {
    const builtAt = statSync(join(folder, MANIFEST_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (known?.builtAt !== builtAt) known = { builtAt, site: readManifest(folder) }
    return known.site
  }
}
