/** The built site's words and findings. Read again after each build, so agents read out what the site says now. */
import { createSiteReader } from '../../server/http/live-site.ts'
import { readManifest } from '../../server/http/site.ts'
import { BUILT_SITE } from '../../server/http/site-files.ts'
import type { SiteManifest } from '../../server/http/site-manifest.ts'

export type DeskSite = Pick<SiteManifest, 'copy' | 'launch' | 'publication'>

/** Throws SiteUnusable if there is none. */
export function watchSite(siteFolder: string | null = null, built = BUILT_SITE): () => DeskSite {
  const readNew = createSiteReader<DeskSite>({ built, siteFolder }, readManifest)
  let site = readNew() as DeskSite
  return () => {
    try {
      site = readNew() ?? site
    } catch {
      // A build that's being put in place, or that isn't for this version.
    }
    return site
  }
}
