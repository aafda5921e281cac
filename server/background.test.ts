import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { MINUTE } from '../domain/durations.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { createAlerting } from './alerts/alerting.ts'
import { createFailureReports } from './alerts/job-failures.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { followSite, serveMetrics, startDeliveries, startLogging, startWatch, watchCertificates } from './background.ts'
import { createDeliveryWorker, type Outbox } from './delivery/worker.ts'
import type { LogCode } from './process/log.ts'
import { repeat } from './process/timers.ts'
import { readConfig } from './settings/config.ts'
import type { LeasedMessage } from './store/operations/deliveries/lease.ts'
import { startSearchIndexer } from './store/operations/leads/index-leads.ts'
import type { Store } from './store/store.ts'
import { StoreUnavailable } from './store/store-errors.ts'

afterEach(() => vi.useRealTimers())

const broken = (): never => {
  throw new TypeError('made to fail')
}

/** Every operation fails. */
const brokenStore = new Proxy({} as Store, {
  get: (_, name) => (name === 'onDue' ? () => () => {} : async () => broken()),
})

const root = join(import.meta.dirname, '..')
const sources = globSync('{server,desk/server,cli}/**/*.ts', { cwd: root })
  .filter(file => !file.endsWith('.test.ts'))
  .map(file => ({ file, source: readFileSync(join(root, file), 'utf8') }))

test('every background job may fail: that’s reported, and nothing exits', async () => {
  vi.useFakeTimers()
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const reported = new Set<string>()
  const report = (code: LogCode) => () => void reported.add(code)
  const log = (code: LogCode) => void reported.add(code)
  // The check of the store reports by itself that it can't read it. Nothing else can go wrong there.
  const raise = (code: LogCode) => void (code === 'store_unreadable' ? broken() : reported.add(code))
  const config = {
    ...readConfig({ DATA_DIR: newFolder(), LEAD_RETENTION_DAYS: '2000', LEAD_WEBHOOK_URL: 'https://crm.example.org' }),
    siteUrl: 'https://not a host',
    dataDir: '\0',
    metricsPort: 99_999,
    erasureList: join(newFolder(), 'list'),
  }
  const [alerts, { signal }] = [{ raise }, new AbortController()]
  const background = { config, site: broken, store: brokenStore, alerts, log, report }

  watchCertificates(background)
  serveMetrics(broken, background)
  startWatch({ ...background, availability: { readiness: async () => broken() }, source: 'test' })
  followSite({ follow: async () => broken() }, background)
  startSearchIndexer(brokenStore, report('search_index_failed'))
  const analytics = createAnalytics(config, { site: broken, report })
  analytics.start(brokenStore)
  const nothing = async () => []
  const applied = { notErased: nothing, newChanges: nothing, carryOver: async () => ({ doNotCall: 0, dismissed: 0 }) }
  startLogging({ ...background, signal })
  await startDeliveries({ ...background, store: Object.assign(Object.create(brokenStore), applied), signal })
  const lease = vi.fn<Outbox['lease']>(broken).mockResolvedValueOnce([{ attempts: 0 } as LeasedMessage])
  const store = Object.assign(Object.create(brokenStore), { lease, rescheduleAfterClockChange: async () => 0 })
  createDeliveryWorker({ store, send: broken, log }).start()
  const alerting = createAlerting({ log, channels: [{ name: 'chat', tell: async () => broken() }] })
  alerting.start()
  alerting.raise('leads_refused', 'The disk is full.')
  alerting.attach(brokenStore)

  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  await analytics.stop()
  process.off('unhandledRejection', unhandled)
  const known = sources.flatMap(({ source }) => [...source.matchAll(/\breport\('(\w+)'\)/g)].map(([, code]) => code))
  expect([...reported]).toEqual(expect.arrayContaining(known))
  expect([...reported]).toEqual(
    expect.arrayContaining(['outbox_unavailable', 'delivery', 'alerts_untold', 'requests_unlogged']),
  )
  expect(unhandled).not.toHaveBeenCalled()
})

test('the second failure in a row raises an alert, unless the store is down, which has one', async () => {
  vi.useFakeTimers()
  const errors = [new Error(), null, new Error(), new StoreUnavailable('down'), new Error()]
  const raised: string[] = []
  const report = createFailureReports({ raise: (_, text) => void raised.push(text) }, () => {})
  let runs = 0
  async function fail(): Promise<void> {
    const error = errors[runs++]
    if (error) throw error
  }
  const stop = repeat(1000, fail, report('search_index_failed'))
  await vi.advanceTimersByTimeAsync(3000)
  expect(raised).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  await stop()
  expect(raised).toEqual([
    expect.stringMatching(/^Part of the server keeps failing: .* search_index_failed in the log\.$/),
  ])
})

test('only repeat() sets an interval', () => {
  const found = sources.filter(({ source }) => source.includes('setInterval('))
  expect(found.map(({ file }) => file)).toEqual(['server/process/timers.ts'])
})
