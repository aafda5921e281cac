/** Notices when another built site is put in place, and goes on with the last good one until then. */
import { realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { loadSite, type Site } from './site.ts'
import { MANIFEST_FILE } from './site-manifest.ts'

/** Returns what `read` makes of the built site, or null if that's the same site as before. Throws if there is none. */
export function createSiteReader<Read>(folder: string, read: (folder: string) => Read): () => Read | null {
  let known = ''
  return () => {
    const place = realFolder(folder)
    const manifest = statSync(join(place, MANIFEST_FILE), { throwIfNoEntry: false })
    const found = `${place} ${manifest?.ino} ${manifest?.mtimeMs}`
    if (found === known) return null
    const made = read(place)
    known = found
    return made
  }
}

/** Behind a link, which may be switched between two files. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

export type LiveSite = ReturnType<typeof createLiveSite>

/** Throws SiteUnusable if there is no site. */
export function createLiveSite(folder: string) {
  const readNew = createSiteReader(folder, loadSite)
  let current = readNew() as Site
  let waiting: Site | null = null
  return {
    site: () => current,
    /** Switches to a newer site, if there is one, once `prepare` succeeds. Otherwise, the next call tries again. */
    async follow(prepare: (next: Site) => Promise<void>): Promise<boolean> {
      waiting = readNew() ?? waiting
      if (waiting === null) return false
      await prepare(waiting)
      current = waiting
      waiting = null
      return true
    },
  }
}

/** Computes something once for each site. */
export function perSite<Key extends object, Value>(site: () => Key, compute: (site: Key) => Value): () => Value {
  let known: { readonly site: Key; readonly value: Value } | null = null
  return () => {
    const current = site()
    if (known?.site !== current) known = { site: current, value: compute(current) }
    return known.value
  }
}
