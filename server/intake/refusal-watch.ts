/**
 * Raises an alert while leads are refused, whatever the reason, and clears it when they are taken again. Whatever asks the
 * store notices, a probe of /readyz included: no lead has to be lost for it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Alerts } from '../alerts/alerts.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { StoreNotOpenYet } from './opening-store.ts'

const MINUTE = 60_000

/** After this long without a refusal. A store that fails by turns is told of once, not at every turn. */
const SETTLED_MS = 10 * MINUTE

/**
 * For so long after a lead could not be stored, and none since, a probe says so: a trial write need not touch what is damaged.
 * Not for ever: where nobody is sent to a server that is not ready, no lead could prove that it is.
 */
const DOUBTED_MS = MINUTE

/** A disk that stands still never answers at all. */
const LONGEST_PROBE_MS = 10_000

/** What the intake needs of the store. */
export type IntakeStore = Pick<Store, 'capture' | 'hasConsent' | 'hasQuestionnaire' | 'probe'>

interface WatchOptions {
  readonly alerts: Alerts
  /** Of a clock that never goes back. */
  readonly tick?: () => number
  readonly longestProbeMs?: number
}

export function watchRefusals(store: IntakeStore, options: WatchOptions): IntakeStore {
  const { alerts, tick = () => performance.now(), longestProbeMs = LONGEST_PROBE_MS } = options
  let refusing = false
  let refusedAt = Number.NEGATIVE_INFINITY
  let captureRefusedAt = Number.NEGATIVE_INFINITY
  let capturedAt = Number.NEGATIVE_INFINITY
  let clearedAt = Number.NEGATIVE_INFINITY
  /** How long there must be no refusal before it counts as over. */
  let quietMs = 0

  function refused(error: unknown, isCapture: boolean): never {
    // The server has just started: nothing is wrong.
    if (error instanceof StoreNotOpenYet) throw error
    refusedAt = tick()
    if (isCapture) captureRefusedAt = refusedAt
    if (!refusing) quietMs = refusedAt - clearedAt < SETTLED_MS ? SETTLED_MS : 0
    refusing = true
    const reason = reasonOf(error)
    alerts.raise('leads_refused', `Leads are refused: ${reason} Visitors are asked to try again or to call.`, {
      detail: { reason },
    })
    throw error
  }

  /** Only a write tells that leads are taken again; and on a full disk a trial write may find room where a lead does not. */
  function taken<T>(value: T, isCapture: boolean): T {
    const proves = isCapture || tick() - captureRefusedAt >= SETTLED_MS
    if (refusing && proves && tick() - refusedAt >= quietMs) {
      refusing = false
      clearedAt = tick()
      alerts.clear('leads_refused')
    }
    return value
  }

  const isDoubted = () => captureRefusedAt > capturedAt && tick() - captureRefusedAt < DOUBTED_MS

  const probe = () =>
    Promise.race([
      store.probe(),
      sleep(longestProbeMs, undefined, { ref: false }).then(() => {
        throw new StoreUnavailable('the store does not answer.')
      }),
    ])

  return {
    capture: submission =>
      store.capture(submission).then(
        lead => {
          capturedAt = tick()
          return taken(lead, true)
        },
        error => refused(error, true),
      ),
    hasConsent: version => store.hasConsent(version).catch(error => refused(error, false)),
    hasQuestionnaire: version => store.hasQuestionnaire(version).catch(error => refused(error, false)),
    probe: () =>
      probe().then(
        value => {
          taken(value, false)
          if (isDoubted()) throw new StoreUnavailable('the last lead could not be stored.')
        },
        error => refused(error, false),
      ),
  }
}

/** The store says in its own plain words what is wrong; any other message may quote what a visitor typed. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreUnavailable) return error.message
  return `an unexpected error (${error instanceof Error ? error.name : 'unknown'}).`
}
