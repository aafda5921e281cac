/** Builds the sites that tests look at: the one that ships, and one whose pages send leads straight to a webhook. */
import { buildIfStale } from '../../build/site-build.ts'
import { readConfig } from '../../server/config.ts'
import { DIRECT_DIST, DIRECT_PORT } from './direct-site.ts'

export default async function buildSites(): Promise<void> {
  await buildIfStale(readConfig({}))
  await buildIfStale(
    readConfig({ SITE_LEAD_ENDPOINT: `http://127.0.0.1:${DIRECT_PORT}/hook?source=site` }),
    DIRECT_DIST,
  )
}
