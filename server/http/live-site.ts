/** Notices when another built site is put in place, and goes on with the last good one until then. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_SITE } from '../settings/leads-command.ts'
import { loadSite, readManifest, type Site } from './site.ts'
import { findSite, isPublished, SiteUnusable } from './site-files.ts'
import { MANIFEST_FILE } from './site-manifest.ts'

interface Source {
  readonly built: string
  /** With one, the original site isn't shown: it has another organization's name and consent. */
  readonly siteFolder: string | null
}

const NOTHING_PUBLISHED =
  'Nothing has been published from the organization’s folder (SITE_FOLDER), so there’s no site to show. What to mend is in the publisher’s log: journalctl -u ssdi-advocate-publish, or in containers, docker compose logs publish.'

/** Returns what `read` makes of the built site, or null if that's the same site as before. Throws SiteUnusable if there is none. */
export function createSiteReader<Read>(
  { built, siteFolder }: Source,
  read: (folder: string) => Read,
): () => Read | null {
  let known = ''
  return () => {
    const place = siteAt(built)
    const manifest = lstatSync(join(place, MANIFEST_FILE), { throwIfNoEntry: false })
    const found = `${place} ${manifest?.ino} ${manifest?.mtimeMs}`
    if (found === known) return null
    if (siteFolder !== null && readManifest(place).publication?.isFromFolder === false)
      throw new SiteUnusable(NOTHING_PUBLISHED)
    const made = read(place)
    known = found
    return made
  }
}

function siteAt(built: string): string {
  try {
    return findSite(built)
  } catch {
    throw new SiteUnusable(
      isPublished(built) ? NOTHING_PUBLISHED : `The site is not built. Run \`${BUILD_SITE}\` first.`,
    )
  }
}

export type LiveSite = ReturnType<typeof createLiveSite>

interface LiveSiteOptions extends Source {
  /** With several servers, each publishes for itself: pages wait for so long after the files that they link to. */
  readonly pagesWaitMs?: number
  /** A monotonic clock. */
  readonly tick?: () => number
}

/** Null until the publisher has put a site in place that can be shown. Throws SiteUnusable if a checkout isn't built. */
export function findLiveSite(options: LiveSiteOptions): LiveSite | null {
  try {
    return createLiveSite(options)
  } catch (error) {
    if (error instanceof SiteUnusable && isPublished(options.built)) return null
    throw error
  }
}

/** Throws SiteUnusable if there is no site. */
export function createLiveSite(options: LiveSiteOptions) {
  const { pagesWaitMs = 0, tick = () => performance.now() } = options
  const readNew = createSiteReader(options, loadSite)
  let current = readNew() as Site
  let waiting: { readonly site: Site; readonly since: number } | null = null
  return {
    site: () => current,
    /** Switches to a newer site, if there is one, once `prepare` succeeds. Otherwise, the next call tries again. */
    async follow(prepare: (next: Site) => Promise<void>): Promise<boolean> {
      const found = readNew()
      if (found) {
        waiting = { site: found, since: tick() }
        current = withAssetsOf(found, current)
      }
      if (waiting === null || tick() - waiting.since < pagesWaitMs) return false
      await prepare(waiting.site)
      current = waiting.site
      waiting = null
      return true
    },
  }
}

const withAssetsOf = (next: Site, site: Site): Site => ({
  ...site,
  byPath: new Map([...[...next.byPath].filter(([, { immutable }]) => immutable), ...site.byPath]),
})

/** Computes something once for each site. */
export function perSite<Key extends object, Value>(site: () => Key, compute: (site: Key) => Value): () => Value {
  let known: { readonly site: Key; readonly value: Value } | null = null
  return () => {
    const current = site()
    if (known?.site !== current) known = { site: current, value: compute(current) }
    return known.value
  }
}
