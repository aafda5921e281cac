/**
 * Figures about the running server for Prometheus. Every label is from a short list of ours: nothing that a visitor or a
 * lead brings ends up in one.
 */
import type { RequestListener } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Store } from './store/store.ts'
import { StoreUnavailable } from './store/store-errors.ts'

export interface Metrics {
  /** The same store, with captures and deliveries counted. */
  countStore(store: Store): Store
  /** The same app, with requests counted and timed. */
  countRequests(app: RequestListener): RequestListener
  /** Answers at /metrics. What the gauges show is asked for each time. */
  app(sources: GaugeSources): RequestListener
}

export interface GaugeSources {
  readonly isReady: () => Promise<boolean>
  readonly store: Pick<Store, 'backlog' | 'deliveryPause'>
}

const PREFIX = 'ssdi_'
/** Around what visitors notice: a page takes a millisecond or two, a lead as long as the disk. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const REFUSALS = ['400', '403', '405', '413', '414', '415', '422', '429', '500', '503']

export function createMetrics({ leadPath }: { readonly leadPath: string }): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: PREFIX })

  /** Every value is there from the start: a counter that appears with its first event hides that event from `rate`. */
  function counter<Label extends string>(name: string, help: string, label: Label, values: readonly string[]) {
    const made = new Counter({ name: PREFIX + name, help, labelNames: [label], registers: [registry] })
    for (const value of values) made.inc({ [label]: value } as Record<Label, string>, 0)
    return (value: string) => {
      if (values.includes(value)) made.inc({ [label]: value } as Record<Label, string>)
    }
  }

  function gauge(name: string, help: string): Gauge {
    return new Gauge({ name: PREFIX + name, help, registers: [registry] })
  }

  const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx']
  const countRequest = counter('http_requests_total', 'Requests answered, by status class.', 'status', statusClasses)
  const countLead = counter('leads_captured_total', 'Leads on disk, by state.', 'state', ['accepted', 'held', 'repeat'])
  const countRefusal = counter('leads_refused_total', 'Lead requests not accepted, by status.', 'status', REFUSALS)
  const countAttempt = counter('delivery_attempts_total', 'Recorded delivery attempts, by result.', 'result', [
    ...['delivered', 'failed', 'dead'],
  ])
  const duration = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'From the request to the last byte of the answer, for leads and for everything else.',
    labelNames: ['kind'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })

  const ready = gauge('store_ready', 'Whether the store accepts leads.')
  const pending = gauge('deliveries_pending', 'Leads waiting for the webhook.')
  const oldestPending = gauge('deliveries_oldest_pending_seconds', 'How long the oldest of them has waited.')
  const dead = gauge('deliveries_dead', 'Deliveries that gave up after the last retry.')
  const held = gauge('leads_held', 'Leads on hold for review.')
  const oldestHeld = gauge('leads_oldest_held_seconds', 'How long the oldest of them has been on hold.')
  const paused = gauge('deliveries_paused', 'Whether deliveries are paused.')

  async function readGauges({ isReady, store }: GaugeSources): Promise<void> {
    ready.set((await isReady()) ? 1 : 0)
    try {
      const [backlog, pause] = await Promise.all([store.backlog(), store.deliveryPause()])
      pending.set(backlog.pending)
      oldestPending.set(backlog.oldestPendingAgeMs / 1000)
      dead.set(backlog.dead)
      held.set(backlog.held)
      oldestHeld.set(backlog.oldestHeldAgeMs / 1000)
      paused.set(pause === null ? 0 : 1)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // Unknown, not zero; `store_ready` says why.
      for (const each of [pending, oldestPending, dead, held, oldestHeld, paused]) each.set(Number.NaN)
    }
  }

  return {
    // Inherits the rest: the store's methods may be made up by a proxy, which has none to copy.
    countStore: store =>
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
    countRequests: app => (request, response) => {
      const started = performance.now()
      response.once('close', () => {
        // A visitor who left before the answer was not answered.
        if (!response.headersSent) return
        const isLead = request.url === leadPath || request.url?.startsWith(`${leadPath}?`) === true
        countRequest(`${Math.floor(response.statusCode / 100)}xx`)
        if (isLead && response.statusCode >= 400) countRefusal(String(response.statusCode))
        duration.observe({ kind: isLead ? 'lead' : 'page' }, (performance.now() - started) / 1000)
      })
      return app(request, response)
    },
    app: sources => async (request, response) => {
      try {
        if (request.url !== '/metrics') {
          response.writeHead(404).end('Metrics are at /metrics.\n')
          return
        }
        await readGauges(sources)
        response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics())
      } catch {
        // Reading metrics must not end the server.
        response.writeHead(500).end()
      }
    },
  }
}
