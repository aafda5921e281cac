/** Reads how the last publication went. It's written beside the published sites, which `built` leads to. */
import { readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BUILT_SITE } from './site.ts'
import { type PublishingStatus, STATUS_FILE } from './site-manifest.ts'

/** Null if nothing publishes here, or hasn't yet. */
export function readPublishingStatus(built = BUILT_SITE): PublishingStatus | null {
  try {
    const sites = dirname(resolve(dirname(built), readlinkSync(built)))
    return JSON.parse(readFileSync(join(sites, STATUS_FILE), 'utf8'))
  } catch {
    return null
  }
}
