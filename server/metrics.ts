/**
 * Figures about the running server in the text format that Prometheus reads: counters kept in memory, gauges asked for when
 * somebody reads them. Every label is from a short list of ours: nothing that a visitor or a lead brings ends up in one.
 */
import type { RequestListener } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Backlog, DeliveryPause } from './store/delivery-records.ts'
import type { Store } from './store/store.ts'
import { StoreUnavailable } from './store/store-errors.ts'

type Labels = Readonly<Record<string, string>>

interface Counter {
  add(label: string): void
  lines(): readonly string[]
}

export interface Metrics {
  /** The same store, with captures and deliveries counted. */
  countStore(store: Store): Store
  /** The same app, with requests counted. */
  countRequests(app: RequestListener): RequestListener
  render(gauges: Gauges): Promise<string>
}

/** What is asked for at the time of reading. */
export interface Gauges {
  readonly isReady: () => Promise<boolean>
  readonly backlog: () => Promise<Backlog>
  readonly deliveryPause: () => Promise<DeliveryPause | null>
}

const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx']

export function createMetrics({ leadPath }: { readonly leadPath: string }): Metrics {
  const requests = counter('http_requests_total', 'Requests answered, by class of status.', 'status', STATUS_CLASSES)
  const leads = counter('leads_captured_total', 'Leads on disk, by what became of them.', 'state', [
    'accepted',
    'held',
    'repeat',
  ])
  const refused = counter('leads_refused_total', 'Requests to the receiver that were not taken, by status.', 'status', [
    ...['400', '403', '405', '413', '414', '415', '422', '429', '500', '503'],
  ])
  const deliveries = counter('delivery_attempts_total', 'Attempts that were recorded, by how they ended.', 'result', [
    'delivered',
    'failed',
    'dead',
  ])
  const eventLoop = monitorEventLoopDelay({ resolution: 10 })
  eventLoop.enable()

  return {
    countStore: store => ({
      ...store,
      async capture(submission) {
        const lead = await store.capture(submission)
        leads.add(lead.state)
        return lead
      },
      async settle(settlement) {
        const recorded = await store.settle(settlement)
        if (recorded) deliveries.add(settlement.result === 'retry' ? 'failed' : settlement.result)
        return recorded
      },
    }),
    countRequests: app => (request, response) => {
      response.once('close', () => {
        // A visitor who left before the answer was not answered.
        if (!response.headersSent) return
        requests.add(`${Math.floor(response.statusCode / 100)}xx`)
        const isLead = request.url === leadPath || request.url?.startsWith(`${leadPath}?`)
        if (isLead && response.statusCode >= 400) refused.add(String(response.statusCode))
      })
      return app(request, response)
    },
    async render({ isReady, backlog, deliveryPause }) {
      const [ready, waiting] = await Promise.all([
        isReady(),
        Promise.all([backlog(), deliveryPause()]).catch(unlessUnavailable),
      ])
      const delay = { median: eventLoop.percentile(50) / 1e9, p99: eventLoop.percentile(99) / 1e9 }
      eventLoop.reset()
      const { rss, heapUsed } = process.memoryUsage()
      const lines = [
        ...[requests, leads, refused, deliveries].flatMap(each => each.lines()),
        ...gauge('store_ready', 'Whether the store takes leads.', ready ? 1 : 0),
        ...(waiting ? backlogLines(...waiting) : []),
        ...help('event_loop_delay_seconds', 'gauge', 'How late timers came since the last reading.'),
        line('event_loop_delay_seconds', { quantile: '0.5' }, delay.median),
        line('event_loop_delay_seconds', { quantile: '0.99' }, delay.p99),
        ...gauge('resident_memory_bytes', 'Memory of the process.', rss),
        ...gauge('heap_used_bytes', 'Memory of JavaScript objects in the main thread.', heapUsed),
        ...help('cpu_seconds_total', 'counter', 'Processor time of the process, all threads.'),
        line('cpu_seconds_total', {}, cpuSeconds()),
        ...gauge('start_time_seconds', 'When the process started, as a Unix time.', performance.timeOrigin / 1000),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}

/** What listens on loopback: one path. */
export function metricsApp(metrics: Metrics, gauges: Gauges): RequestListener {
  return async (request, response) => {
    try {
      if (request.url !== '/metrics') {
        response.writeHead(404).end('Figures are at /metrics.\n')
        return
      }
      const text = await metrics.render(gauges)
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    } catch {
      // Whoever reads figures must not end the server.
      response.writeHead(500).end()
    }
  }
}

function backlogLines(backlog: Backlog, paused: DeliveryPause | null): readonly string[] {
  const { pending, oldestPendingAgeMs, dead, held, oldestHeldAgeMs } = backlog
  return [
    ...gauge('deliveries_pending', 'Leads that wait for the webhook.', pending),
    ...gauge('deliveries_oldest_pending_seconds', 'How long the oldest of them has waited.', oldestPendingAgeMs / 1000),
    ...gauge('deliveries_dead', 'Deliveries that were given up.', dead),
    ...gauge('leads_held', 'Leads that are held for a look.', held),
    ...gauge('leads_oldest_held_seconds', 'How long the oldest of them has been held.', oldestHeldAgeMs / 1000),
    ...gauge('deliveries_paused', 'Whether the operator has paused deliveries.', paused === null ? 0 : 1),
  ]
}

/** Every value is there from the start: a counter that appears with its first event hides that event from `rate`. */
function counter(name: string, about: string, label: string, values: readonly string[]): Counter {
  const counts = new Map(values.map(value => [value, 0]))
  return {
    add(value) {
      const known = counts.get(value)
      if (known !== undefined) counts.set(value, known + 1)
    },
    lines: () => [
      ...help(name, 'counter', about),
      ...Array.from(counts, ([value, count]) => line(name, { [label]: value }, count)),
    ],
  }
}

function gauge(name: string, about: string, value: number): readonly string[] {
  return [...help(name, 'gauge', about), line(name, {}, value)]
}

function help(name: string, type: 'counter' | 'gauge', about: string): readonly string[] {
  return [`# HELP ssdi_${name} ${about}`, `# TYPE ssdi_${name} ${type}`]
}

function line(name: string, labels: Labels, value: number): string {
  const text = Object.entries(labels).map(([label, labelValue]) => `${label}="${labelValue}"`)
  return `ssdi_${name}${text.length === 0 ? '' : `{${text.join(',')}}`} ${Number.isFinite(value) ? value : 0}`
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** What the backlog is, nobody knows while the store is away: `store_ready` says that it is. */
function unlessUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailable) return null
  throw error
}
