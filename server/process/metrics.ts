/** Prometheus metrics. Label values come from short, fixed lists, never from visitors or leads. */
import type { RequestListener } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { DeliveryPause } from '../store/tables/delivery-pause.ts'
import type { Backlog } from '../store/views/backlog.ts'

export interface GaugeSources {
  readonly readiness: () => Promise<{ readonly status: string }>
  /** Null until it's open. */
  readonly store: () => Pick<Store, 'backlog' | 'deliveryPause'> | null
}

const PREFIX = 'ssdi_'
/** A page takes a millisecond or two. A lead takes as long as a disk sync. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const REFUSALS = ['400', '403', '405', '413', '414', '415', '422', '429', '500', '503']

type ReadGauge = (backlog: Backlog, pause: DeliveryPause | null) => number

const gauges: readonly (readonly [name: string, help: string, read: ReadGauge])[] = [
  ['deliveries_pending', 'Leads waiting to be delivered.', ({ pending }) => pending],
  [
    'deliveries_oldest_pending_seconds',
    'Age of the oldest pending lead.',
    backlog => backlog.oldestPendingAgeMs / 1000,
  ],
  ['deliveries_dead', 'Deliveries that failed after the last retry.', ({ dead }) => dead],
  ['leads_held', 'Leads on hold for review.', ({ held }) => held],
  ['leads_oldest_held_seconds', 'Age of the oldest lead on hold.', backlog => backlog.oldestHeldAgeMs / 1000],
  ['deliveries_paused', 'Whether deliveries are paused.', (_, pause) => (pause === null ? 0 : 1)],
]

export function createMetrics({ leadPath }: { readonly leadPath: string }) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: PREFIX })

  /** Starts every label value at 0, because `rate` misses the event that creates a series. */
  function counter(name: string, help: string, label: string, values: readonly string[]) {
    const metric = new Counter({ name: PREFIX + name, help, labelNames: [label], registers })
    const byValue = new Map(values.map(value => [value, metric.labels(value)]))
    for (const each of byValue.values()) each.inc(0)
    return (value: string) => byValue.get(value)?.inc()
  }

  const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx']
  const countRequest = counter('http_requests_total', 'Requests served, by status class.', 'status', statusClasses)
  const countLead = counter('leads_captured_total', 'Leads stored, by state.', 'state', ['accepted', 'held', 'repeat'])
  const countRefusal = counter('leads_refused_total', 'Lead requests not accepted, by status.', 'status', REFUSALS)
  const results = ['delivered', 'failed', 'dead']
  const countAttempt = counter('delivery_attempts_total', 'Delivery attempts, by result.', 'result', results)
  const duration = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'From the request to the last byte of the response, for leads and everything else.',
    labelNames: ['kind'],
    buckets: DURATION_BUCKETS,
    registers,
  })
  const [leadDuration, pageDuration] = [duration.labels('lead'), duration.labels('page')]
  const gaugeOf = (name: string, help: string) => new Gauge({ name: PREFIX + name, help, registers })
  const ready = gaugeOf('store_ready', 'Whether the store accepts leads.')
  const storeGauges = gauges.map(([name, help, read]) => ({ gauge: gaugeOf(name, help), read }))

  return {
    /** Wraps the store to count captures and deliveries. */
    countStore: (store: Store): Store =>
      // Inherit the other methods, because they can't be copied if the store is a proxy.
      Object.assign(Object.create(store) as Store, {
        async capture(submission: Parameters<Store['capture']>[0]) {
          const lead = await store.capture(submission)
          countLead(lead.state)
          return lead
        },
        async settle(settlement: Parameters<Store['settle']>[0]) {
          const recorded = await store.settle(settlement)
          if (recorded) countAttempt(settlement.result === 'retry' ? 'failed' : settlement.result)
          return recorded
        },
      }),
    /** Wraps the app to count and time requests. */
    countRequests:
      (app: RequestListener): RequestListener =>
      (request, response) => {
        const started = performance.now()
        response.once('close', () => {
          // The client disconnected before we responded.
          if (!response.headersSent) return
          const isLead = request.url === leadPath || request.url?.startsWith(`${leadPath}?`) === true
          countRequest(`${Math.floor(response.statusCode / 100)}xx`)
          if (isLead && response.statusCode >= 400) countRefusal(String(response.statusCode))
          const kind = isLead ? leadDuration : pageDuration
          kind.observe((performance.now() - started) / 1000)
        })
        return app(request, response)
      },
    /** Serves /metrics. Gauges are read on each request. */
    app:
      ({ readiness, store }: GaugeSources): RequestListener =>
      async (request, response) => {
        try {
          if (request.url !== '/metrics') {
            response.writeHead(404).end('Metrics are at /metrics.\n')
            return
          }
          ready.set((await readiness()).status === 'ready' ? 1 : 0)
          const found = await readStore(store()).catch(error => {
            if (error instanceof StoreUnavailable) return null
            throw error
          })
          // Unknown isn't zero.
          for (const { gauge, read } of storeGauges) gauge.set(found ? read(...found) : Number.NaN)
          response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
        } catch {
          // A failed scrape must not crash the server.
          response.writeHead(500).end()
        }
      },
  }
}

const readStore = async (store: ReturnType<GaugeSources['store']>) =>
  store && (await Promise.all([store.backlog(), store.deliveryPause()]))
