/** Brings what is in the outbox to the webhook: a few at once, each on its own, until the server stops. */
import { type Database, DatabaseUnavailable } from '../leads/database.ts'
import { log as realLog } from '../log.ts'
import { createAlarm, type SetTimer, setRealTimer } from './alarm.ts'
import { createBacklogWatch } from './backlog-watch.ts'
import { nextAttemptAt } from './backoff.ts'
import {
  bringForward,
  type LeasedDelivery,
  leaseDue,
  nextDueAt,
  recordDead,
  recordDelivered,
  recordRetry,
} from './outbox.ts'
import { type Outcome, send, type Webhook } from './send.ts'

export interface WorkerOptions {
  readonly database: Database
  readonly webhook: Webhook
  /** How many deliveries may be under way at once, those aside that are waited for in vain. */
  readonly concurrency?: number
  readonly timeoutMs?: number
  /** What takes longer gives its place to the next: a webhook that hangs for some leads must not hold up all others. */
  readonly slowMs?: number
  /** Must outlast a delivery and its record, or a second worker would send what the first is sending. */
  readonly leaseMs?: number
  readonly now?: () => number
  readonly setTimer?: SetTimer
  readonly random?: () => number
  readonly log?: typeof realLog
}

export interface DeliveryWorker {
  start(): void
  /** Call right after a lead is captured: it is sent at once. */
  wake(): void
  /** Finishes what is under way. What takes longer than the limit is broken off, and comes due again after its lease. */
  stop(limitMs?: number): Promise<void>
}

/** Another process, such as an operator's command, may fill the outbox without a word to this one. */
const LONGEST_SLEEP_MS = 5000
/** What is due but held by another worker's transaction must not be asked for without a breath. */
const SHORTEST_SLEEP_MS = 50
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 15_000
/** Those that gave up their place included, at most so many times the places: a webhook that hangs for all is spared. */
const MOST_UNDER_WAY = 4

export function createDeliveryWorker({
  database,
  webhook,
  concurrency = 4,
  timeoutMs = 15_000,
  slowMs = timeoutMs / 5,
  leaseMs = 4 * timeoutMs,
  now = Date.now,
  setTimer = setRealTimer,
  random = Math.random,
  log = realLog,
}: WorkerOptions): DeliveryWorker {
  const idle = createAlarm(setTimer)
  // Of its own, since a wake must not shorten it: while the database fails, every capture would start another try.
  const pause = createAlarm(setTimer)
  const watch = createBacklogWatch({ database, now, log })
  const underWay = new Set<Promise<void>>()
  /** Those of them that have a place. */
  const placed = new Set<Promise<void>>()
  const breakOff = new AbortController()
  let running = false
  let newlyDead = false
  let loop = Promise.resolve()
  // Before the first look everything is later: the clock may have been set back while no worker ran.
  let lookedAt = Number.POSITIVE_INFINITY

  async function run(): Promise<void> {
    let failures = 0
    while (running) {
      try {
        const dueInMs = await sendWhatIsDue()
        const urgent = newlyDead
        newlyDead = false
        await watch.look(urgent)
        failures = 0
        await idle.sleep(dueInMs)
      } catch (error) {
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
        failures += 1
        log('outbox not available', { reason: reasonOf(error), pauseMs })
        await pause.sleep(pauseMs)
      }
    }
  }

  /** Fills the free places, and tells how long it is until there is more to do. */
  async function sendWhatIsDue(): Promise<number> {
    if (now() < lookedAt) await bringForward(database, now(), leaseMs)
    lookedAt = now()
    const free = Math.min(concurrency - placed.size, MOST_UNDER_WAY * concurrency - underWay.size)
    const leased = free > 0 ? await leaseDue(database, now(), leaseMs, free) : []
    for (const delivery of leased) place(delivery)
    // All places are taken: the first that gets free rings.
    if (leased.length === free) return LONGEST_SLEEP_MS
    const dueInMs = ((await nextDueAt(database)) ?? Number.POSITIVE_INFINITY) - now()
    return Math.max(SHORTEST_SLEEP_MS, Math.min(dueInMs, LONGEST_SLEEP_MS))
  }

  function place(delivery: LeasedDelivery): void {
    const leavePlace = () => {
      placed.delete(delivering)
      idle.ring()
    }
    const slow = setTimeout(leavePlace, slowMs)
    const delivering = deliver(delivery).finally(() => {
      clearTimeout(slow)
      underWay.delete(delivering)
      leavePlace()
    })
    underWay.add(delivering)
    placed.add(delivering)
  }

  /** Never fails: what cannot be recorded now is sent again after the lease, with the same webhook-id. */
  async function deliver(delivery: LeasedDelivery): Promise<void> {
    const at = now()
    const started = performance.now()
    const { signal } = breakOff
    const outcome = await send({ ...delivery, webhook, now: at, timeoutMs, signal })
    const durationMs = Math.round(performance.now() - started)
    const line = { lead: delivery.leadId, status: outcome.status, attempt: delivery.attempts + 1, durationMs }
    if (signal.aborted) return log('delivery', { ...line, outcome: 'broken off' })
    try {
      const { result, recorded } = await settle(delivery, outcome, at, durationMs)
      log('delivery', {
        ...line,
        outcome: result,
        recorded,
        ...('reason' in outcome ? { reason: outcome.reason } : {}),
      })
    } catch (error) {
      log('delivery', { ...line, outcome: outcome.kind, recorded: false, reason: reasonOf(error) })
    }
  }

  async function settle(
    delivery: LeasedDelivery,
    outcome: Outcome,
    at: number,
    durationMs: number,
  ): Promise<{ result: 'delivered' | 'retry' | 'dead'; recorded: boolean }> {
    const attempt = { at, durationMs, status: outcome.status }
    if (outcome.kind === 'delivered') {
      return { result: 'delivered', recorded: await recordDelivered(database, delivery, attempt) }
    }
    const failed = { ...attempt, reason: outcome.reason }
    const nextAt =
      outcome.kind === 'gone'
        ? null
        : nextAttemptAt({ attempts: delivery.attempts + 1, now: now(), retryAfter: outcome.retryAfter, random })
    if (nextAt !== null) return { result: 'retry', recorded: await recordRetry(database, delivery, failed, nextAt) }
    const recorded = await recordDead(database, delivery, failed)
    newlyDead ||= recorded
    return { result: 'dead', recorded }
  }

  return {
    start() {
      if (running) return
      running = true
      loop = run()
    },
    wake() {
      idle.ring()
    },
    async stop(limitMs = 5000) {
      running = false
      idle.ring()
      pause.ring()
      const finished = loop.then(() => Promise.all(underWay))
      let cancelLimit = () => {}
      const limit = new Promise<void>(resolve => {
        cancelLimit = setTimer(resolve, limitMs)
      })
      await Promise.race([finished, limit])
      cancelLimit()
      breakOff.abort()
    },
  }
}

/** The database says in its own plain words when it cannot be used for now; any other message may quote what it holds. */
function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return error.message
  return error instanceof Error ? error.name : 'unknown'
}
