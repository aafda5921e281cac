/** Sends the outbox, a few messages of each lane at a time. There's one worker for the webhook, and one for mail. */

import { HOUR, MINUTE, SECOND } from '../../domain/durations.ts'
import { type Log, log as realLog } from '../process/log.ts'
import { createSleep, type SetTimer, setRealTimer, within } from '../process/timers.ts'
import { type Lane, lanes, leaseMs } from '../store/facts/deliveries/messages.ts'
import type { LeasedMessage } from '../store/operations/deliveries/lease.ts'
import type { Settlement } from '../store/operations/deliveries/settle.ts'
import type { Store } from '../store/store.ts'
import { reasonOf } from '../store/store-errors.ts'
import { type Outcome, TIMEOUT_MS } from './webhook.ts'

export type Outbox = Pick<
  Store,
  'lease' | 'settle' | 'nextDue' | 'deliveryPause' | 'rescheduleAfterClockChange' | 'onDue'
>

export interface WorkerOptions {
  readonly store: Outbox
  readonly send: Send
  /** The lanes it sends, with the maximum number of messages in flight in each. */
  readonly slots?: Readonly<Partial<Record<Lane, number>>>
  readonly timeoutMs?: number
  readonly now?: () => number
  readonly setTimer?: SetTimer
  readonly random?: () => number
  readonly log?: Log
}

/** Every failure is an outcome. `signal` aborts when the server is stopping. */
export type Send = (
  message: LeasedMessage,
  options: { readonly now: number; readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<Outcome>

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>

/** Poll interval: another process, such as a CLI command, may fill the outbox without notifying us. */
const MAX_SLEEP_MS = 5000
/** Wait before asking again for deliveries that another worker has locked. */
const MIN_SLEEP_MS = 50
/** How often to check whether the store's clock, which may be another machine's, was set back. */
const CLOCK_MS = 60_000
const FIRST_PAUSE_MS = 1000
/** The longest wait between retries. Kept short, so deliveries resume within seconds after a database outage. */
const MAX_PAUSE_MS = 4000

export function createDeliveryWorker({
  store,
  send,
  slots = { leads: 8, stops: 4, calls: 4 },
  timeoutMs = TIMEOUT_MS,
  now = Date.now,
  setTimer = setRealTimer,
  random = Math.random,
  log = realLog,
}: WorkerOptions) {
  const idle = createSleep(setTimer)
  // New leads don't wake this one: while the store is failing, every capture would trigger another attempt.
  const pause = createSleep(setTimer)
  const served = lanes.flatMap(lane => (slots[lane] === undefined ? [] : [{ lane, slots: slots[lane] }]))
  const inFlight: Readonly<Record<Lane, Set<Promise<void>>>> = {
    leads: new Set(),
    stops: new Set(),
    calls: new Set(),
    mail: new Set(),
  }
  const abort = new AbortController()
  let running = false
  let loop = Promise.resolve()
  let stopListening = () => {}
  let clockCheckedAt = Number.NEGATIVE_INFINITY
  let isPaused = false
  const canPause = slots.leads !== undefined

  async function run(): Promise<void> {
    let failures = 0
    while (running) {
      try {
        const dueInMs = await sendDue()
        failures = 0
        await idle.sleep(dueInMs)
      } catch (error) {
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS)
        failures += 1
        log('outbox_unavailable', { reason: reasonOf(error), pauseMs })
        await pause.sleep(pauseMs)
      }
    }
  }

  /** Fills the free slots. Returns how long to sleep. */
  async function sendDue(): Promise<number> {
    // Check at startup too, because the clock may have been set back while no worker was running.
    if (Math.abs(now() - clockCheckedAt) >= CLOCK_MS) {
      const setBackMs = await store.rescheduleAfterClockChange()
      if (setBackMs > 0) log('deliveries_brought_forward', { minutes: Math.round(setBackMs / 60_000) })
      clockCheckedAt = now()
    }
    let isFull = false
    for (const { lane, slots: most } of served) {
      const free = most - inFlight[lane].size
      const leased = free > 0 ? await store.lease({ lane, limit: free, leaseMs: leaseMs[lane] }) : []
      for (const message of leased) {
        const delivering = deliver(message, lane).finally(() => {
          inFlight[lane].delete(delivering)
          idle.wake()
        })
        inFlight[lane].add(delivering)
      }
      if (leased.length > 0) logPauseChange(false)
      isFull ||= leased.length === free
    }
    // All slots of a lane are taken. The first one to finish wakes us.
    if (isFull) return MAX_SLEEP_MS
    const dueInMs = await store.nextDue(served.map(({ lane }) => lane))
    logPauseChange(canPause && dueInMs === null && (await store.deliveryPause()) !== null)
    return Math.max(MIN_SLEEP_MS, Math.min(dueInMs ?? Number.POSITIVE_INFINITY, MAX_SLEEP_MS))
  }

  function logPauseChange(paused: boolean): void {
    if (paused !== isPaused) log(paused ? 'deliveries_paused' : 'deliveries_resumed')
    isPaused = paused
  }

  /** Fails as a delivery does: whatever is wrong with one message, the others go on. */
  async function attempt(...message: Parameters<Send>): Promise<Outcome> {
    try {
      return await send(...message)
    } catch (error) {
      return { kind: 'retry', status: null, reason: reasonOf(error), retryAfter: null }
    }
  }

  /** Never throws. If a result can't be recorded, the message is sent again after the lease, with the same webhook-id. */
  async function deliver(message: LeasedMessage, lane: Lane): Promise<void> {
    const at = now()
    const started = performance.now()
    const { signal } = abort
    const outcome = await attempt(message, { now: at, timeoutMs, signal })
    const durationMs = Math.round(performance.now() - started)
    const line = {
      lead: message.leadId,
      ...(lane !== 'leads' && { type: message.type }),
      status: outcome.status,
      attempt: message.attempts + 1,
      durationMs,
    }
    const code = logCodes[lane]
    if (signal.aborted) return log(code, { ...line, outcome: 'broken off' })
    try {
      const settlement = settlementOf(message, outcome, durationMs)
      const recorded = await store.settle(settlement)
      log(settlement.result === 'dead' ? `${code}_dead` : code, {
        ...line,
        outcome: settlement.result,
        recorded,
        ...('reason' in outcome ? { reason: outcome.reason } : {}),
      })
    } catch (error) {
      log(code, { ...line, outcome: outcome.kind, recorded: false, reason: reasonOf(error) })
    }
  }

  function settlementOf(message: LeasedMessage, outcome: Outcome, durationMs: number): Settlement {
    const { id, leaseToken } = message
    const attempt = { id, leaseToken, durationMs, status: outcome.status }
    if (outcome.kind === 'delivered') return { ...attempt, result: 'delivered' }
    const { reason, isAddressRefused = false } = outcome
    const wait = outcome.kind === 'gone' ? null : retryInMs(message.attempts + 1, outcome.retryAfter, now(), random())
    return wait === null
      ? {
          ...attempt,
          result: 'dead',
          reason,
          isAddressRefused,
          isUnsent: outcome.kind === 'gone' && outcome.status === null,
        }
      : { ...attempt, result: 'retry', reason, isAddressRefused, retryInMs: wait }
  }

  return {
    start(): void {
      if (running) return
      running = true
      stopListening = store.onDue(idle.wake)
      loop = run()
    },
    /** Checks for due deliveries now. */
    wake: idle.wake,
    /** Waits for deliveries in flight. At the time limit, they're aborted and become due again after their lease. */
    async stop(limitMs = 5000): Promise<void> {
      running = false
      stopListening()
      idle.wake()
      pause.wake()
      const finished = loop.then(() => Promise.all(lanes.flatMap(lane => [...inFlight[lane]])))
      await within(limitMs, finished, setTimer)
      abort.abort()
    },
  }
}

const logCodes = { leads: 'delivery', stops: 'webhook_event', calls: 'webhook_event', mail: 'letter' } as const

/** The wait after the first failed attempt, the second, and so on. */
const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** Keeps leads that failed together from being retried together. */
const JITTER = 0.2

/** The longest Retry-After we honor, because leads go cold. */
const MAX_RETRY_AFTER = 24 * HOUR

/** How long to wait after this many attempts: our schedule or Retry-After, whichever is longer. Null means give up. */
export function retryInMs(attempts: number, retryAfter: string | null, now: number, random: number): number | null {
  const wait = waits[attempts - 1]
  if (wait === undefined) return null
  const ours = wait * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(ours, retryAfterMs(retryAfter, now)))
}

/** Ignores anything but seconds or an HTTP date. */
function retryAfterMs(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND, MAX_RETRY_AFTER)
  const date = /^[A-Z][a-z]+,.* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.min(date - now, MAX_RETRY_AFTER)
}
