/** What the launch check found when the site was built, read anew each time: the site may have been built since. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LaunchNotes, MANIFEST_FILE, type SiteManifest } from '../../../server/http/site-manifest.ts'

/** Null when the site was never built here. */
export function readLaunchNotes(folder = join(import.meta.dirname, '../../../built')): LaunchNotes | null {
  try {
    return (JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as SiteManifest).launch ?? null
  } catch {
    return null
  }
}
