/** A delivery worker with a store, a webhook, and a log. Everything is real except the clock. */
import { expect } from 'vitest'
import { createDeliveryWorker, type DeliveryWorker, type WorkerOptions } from '../../server/delivery/worker.ts'
import type { LogCode } from '../../server/log.ts'
import type { Store } from '../../server/store/store.ts'
import { FakeClock } from './fake-clock.ts'
import { captureLead, type LeadStore, openLeadStore } from './lead-store.ts'
import { MisbehavingWebhook } from './webhook.ts'

type LogLine = Readonly<Record<string, unknown>>

export interface DeliveryRow {
  readonly state: string
  readonly attempts: number
  readonly next_at: number
}

export class DeliveryScene {
  readonly clock = new FakeClock(Date.parse('2026-03-01T12:00:00Z'))
  readonly webhook = new MisbehavingWebhook()
  readonly log: LogLine[] = []
  readonly leads: LeadStore = openLeadStore(this.clock.now)
  worker: DeliveryWorker | null = null

  async open(): Promise<void> {
    await this.webhook.up()
  }

  async close(): Promise<void> {
    const stopped = this.worker?.stop(0)
    this.clock.advance(0)
    await stopped
    await this.webhook.down()
    await this.leads.remove()
  }

  get store(): Store {
    return this.leads.store
  }

  /** Without jitter. Timeouts use the real clock. */
  startWorker(options: Partial<WorkerOptions> = {}): DeliveryWorker {
    this.worker = createDeliveryWorker({
      store: this.store,
      webhook: { url: this.webhook.url },
      timeoutMs: 5000,
      leaseMs: 60_000,
      now: this.clock.now,
      setTimer: this.clock.setTimer,
      random: () => 0.5,
      log: (code, detail) => this.log.push({ code, ...detail }),
      ...options,
    })
    this.worker.start()
    return this.worker
  }

  capture(name: string): Promise<string> {
    return captureLead(this.store, { name })
  }

  /** Moves the clock once the worker is idle. */
  async pass(ms: number): Promise<void> {
    await this.workerSleeps()
    this.clock.advance(ms)
  }

  async workerSleeps(): Promise<void> {
    await expect.poll(() => this.clock.nextIn, { interval: 2 }).toBeDefined()
  }

  events(...codes: readonly LogCode[]): readonly LogLine[] {
    return this.log.filter(line => codes.some(code => line['code'] === code))
  }

  /** Waits until the worker has logged this many attempts. */
  async attempts(count: number): Promise<readonly LogLine[]> {
    await expect
      .poll(() => this.events('delivery', 'delivery_dead').length, { interval: 2 })
      .toBeGreaterThanOrEqual(count)
    return this.events('delivery', 'delivery_dead')
  }

  async delivery(leadId: string): Promise<DeliveryRow> {
    const [row] = this.leads.rows('SELECT state, attempts, next_at FROM deliveries WHERE lead_id = ?', leadId)
    return row as unknown as DeliveryRow
  }
}
