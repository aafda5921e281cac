/**
 * What's next for a number: a pure function of its story. What depends on the clock, the settings, or the staff is applied when a plan
 * is read, in may-we-call.ts, so a change of calling hours needs no replanning.
 */
import { HOUR } from '../durations.ts'
import type { Place } from './area-codes.ts'
import { earliestTry, nextTry } from './attempts.ts'
import type { CallingClock } from './hours.ts'
import type { CallKind } from './list.ts'
import { type CallPromise, kindOfRequest, type Request, type Story } from './story.ts'

/** How long a dialed call belongs to its caller if nobody says what happened. Then, the person is back on the list. */
export const CALL_MS = 4 * HOUR

export interface Plan {
  /** Null: there's no one to call. */
  readonly kind: CallKind | null
  /** Whose page to open. */
  readonly leadId: string | null
  /** New: when the person submitted, or would like the call. Retry: no earlier than this; `tried` and the place say when. Callback: the promised time. */
  readonly notBefore: number
  /** For a first call: when the person would like it, if they said. */
  readonly preferredAt: number | null
  /** When the request of a retry was tried. Empty: `notBefore` is exact. */
  readonly tried: readonly number[]
  /** The earliest one. */
  readonly promise: Omit<CallPromise, 'call'> | null
  /** Of the people to call. */
  readonly languages: readonly string[]
  /** When the number was called, latest first, as far as the limits need. */
  readonly dials: readonly number[]
  readonly place: Story['place']
  readonly skips: Story['skips']
}

export function planOf({ requests, dials, place, skips }: Story): Plan {
  const open = [...requests.values()].filter(request => kindOfRequest(request) !== null)
  const ofKind = (kind: CallKind) => open.filter(request => kindOfRequest(request) === kind)
  const promise = open.flatMap(request => request.promise ?? []).toSorted((one, other) => one.at - other.at)[0] ?? null
  const languages = [...new Set(open.map(({ language }) => language))].toSorted()
  const rest = { promise, languages, dials, place, skips, preferredAt: null }

  const [first] = ofKind('new').toSorted(
    (one, other) => (preferredAt(one) ?? 0) - (preferredAt(other) ?? 0) || other.submittedAt - one.submittedAt,
  )
  if (first) {
    const { leadId } = first
    return { ...rest, kind: 'new', leadId, notBefore: dueOf(first), preferredAt: preferredAt(first), tried: [] }
  }
  const [retry] = ofKind('retry')
    .map(plannedRetry)
    .toSorted((one, other) => one.notBefore - other.notBefore)
  if (retry && !(promise && promise.at <= retry.notBefore)) return { ...rest, ...retry }
  if (promise) return { ...rest, kind: 'callback', leadId: promise.leadId, notBefore: promise.at, tried: [] }
  return { ...rest, kind: null, leadId: null, notBefore: 0, tried: [] }
}

const preferredAt = ({ preferred }: Request) => preferred?.from ?? null

function plannedRetry({ leadId, tried, notBefore }: Request): Pick<Plan, 'kind' | 'leadId' | 'notBefore' | 'tried'> {
  const kind = 'retry'
  if (notBefore !== null) return { kind, leadId, notBefore, tried: [] }
  const earliest = earliestTry(tried)
  // After the last try, which has no outcome yet.
  if (earliest === null) return { kind, leadId, notBefore: (tried.at(-1) ?? 0) + CALL_MS, tried: [] }
  return { kind, leadId, notBefore: earliest, tried }
}

/** When one request's next call is due, at the earliest. */
export function dueOf(request: Request): number {
  const kind = kindOfRequest(request)
  if (kind === 'callback') return request.promise?.at ?? 0
  return kind === 'retry' ? plannedRetry(request).notBefore : (preferredAt(request) ?? request.submittedAt)
}

/** The next call as of now, in the person's place. Null if there is none. A promise that's due comes first. */
export function nextCall(
  { kind, notBefore, tried, promise }: Plan,
  place: Place | null,
  { at, clock }: { readonly at: number; readonly clock: CallingClock },
): { readonly kind: CallKind; readonly dueAt: number } | null {
  if (kind === null) return null
  if (promise && promise.at <= at) return { kind: 'callback', dueAt: promise.at }
  const planned = kind === 'retry' && tried.length > 0 ? dueTry(tried, place, clock) : notBefore
  const isPromised = promise && kind !== 'new' && promise.at <= planned
  return isPromised ? { kind: 'callback', dueAt: promise.at } : { kind, dueAt: planned }
}

// Finding another time of day takes longer than everything else about a call, and a list asks again every half a minute.
const dueTries = new WeakMap<CallingClock, Map<string, number>>()
const MOST_TRIES = 20_000

function dueTry(tried: readonly number[], place: Place | null, clock: CallingClock): number {
  const known = dueTries.get(clock) ?? new Map<string, number>()
  dueTries.set(clock, known)
  const key = `${place?.state} ${place?.zones.join()} ${tried.join()}`
  const due = known.get(key) ?? nextTry(tried, place, clock) ?? earliestTry(tried) ?? 0
  if (known.size >= MOST_TRIES) known.clear()
  known.set(key, due)
  return due
}
