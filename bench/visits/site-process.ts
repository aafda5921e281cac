/** The server as visitors reach it, in a process of its own: as it is, without counting, or with variants dealt out as well. */
import type { AddressInfo } from 'node:net'
import { BUILT } from '../../build/site-build.ts'
import { createAlerts } from '../../server/alerts/alerts.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { type LoadedFile, loadSite, type Site } from '../../server/http/load-site.ts'
import { createPublicServer } from '../../server/http/public-server.ts'
import { log } from '../../server/log.ts'
import { createMetrics } from '../../server/metrics.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/settings/addresses.ts'
import { openStore } from '../../server/store/open-store.ts'
import { createVisits } from '../../server/visits/visits.ts'

export type SiteWork = 'not counting' | 'counting' | 'counting, dealing out two variants'

const [work = 'counting', dataDir = ''] = process.argv.slice(2) as [SiteWork, string]
const config = readConfig({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' })
const site = work === 'counting, dealing out two variants' ? withVariants(loadSite(BUILT)) : loadSite(BUILT)
const store = await openStore(config, { onCreated() {}, onCrash: () => process.exit(1) })
const visits = createVisits(config, { site, log })
if (work !== 'not counting') visits.start(store)
const app = createApp(config, { site, store, log, ...(work !== 'not counting' && { visits }) })
const { countRequests } = createMetrics({ leadPath: OWN_LEAD_ENDPOINT })
const { server } = createPublicServer(countRequests(app), { alerts: createAlerts({ log }), log })
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

/** Asked for before and after: how much processor time this process has had, in microseconds. */
process.on('message', async message => {
  if (message === 'stop') {
    await visits.stop()
    await store.close()
    process.exit()
  }
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})

/** The landing page beside itself: what is dealt out does not matter here. */
function withVariants(plain: Site): Site {
  const page = plain.byPath.get('/') as LoadedFile
  const dealt = ['original', 'other'].map(name => ({ ...page, variant: { of: '/', name } }))
  return { ...plain, variants: new Map([['/', dealt]]) }
}
