/** Reads how the last publication went. It's written beside the published sites, which `built` leads to. */
import { publishedInto, readSiteFile } from './site-files.ts'
import { type PublishingStatus, STATUS_FILE } from './site-manifest.ts'

/** Null if nothing publishes here, or hasn't yet. */
export function readPublishingStatus(built?: string): PublishingStatus | null {
  try {
    return JSON.parse(readSiteFile(publishedInto(built), STATUS_FILE).toString())
  } catch {
    return null
  }
}
