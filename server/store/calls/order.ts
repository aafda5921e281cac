/** Decides who can be called now, in which order, and why the others have to wait. */
import { type Place, whereabouts } from '../../../domain/calling/area-codes.ts'
import { attemptAllowedAt } from '../../../domain/calling/attempts.ts'
import type { CallingClock } from '../../../domain/calling/hours.ts'
import type { CallKind, WaitReason } from '../../../domain/calling/list.ts'

/** A callback belongs to the person who promised it for this long; then, anyone can make it. */
export const OWN_CALLBACK_MS = 15 * 60_000

export interface OpenCall {
  readonly leadId: string
  readonly phone: string
  readonly language: string
  readonly kind: CallKind
  readonly dueAt: number
  /** Who promised to call back. Null if they no longer call, so the callback is anyone's. */
  readonly callbackFor: string | null
  /** Separated by spaces. */
  readonly skippedBy: string | null
  readonly skippedUntil: number | null
  /** Set by a caller; null for the area code's. */
  readonly chosenPlace: string | null
  readonly claimedBy: string | null
}

/** What the decision depends on, other than the calls. */
export interface CallSituation {
  readonly at: number
  readonly personId: string
  readonly languages: readonly string[]
  /** Languages that other signed-in callers speak. */
  readonly colleaguesSpeak: ReadonlySet<string>
  /** When each number was called in the last 24 hours. */
  readonly attempts: ReadonlyMap<string, readonly number[]>
  readonly clock: CallingClock
}

export interface Wait {
  readonly why: WaitReason
  /** Null: not before someone does something about it. */
  readonly until: number | null
}

export interface PlacedCall extends OpenCall {
  readonly place: Place | null
  /** Whether the caller speaks the person's language, or promised to call them. */
  readonly speaks: boolean
  /** Null: can be called now. */
  readonly wait: Wait | null
}

/** People to call now, best first, then everyone else by when they can be called. */
export function orderCalls(calls: readonly OpenCall[], situation: CallSituation): readonly PlacedCall[] {
  // Thousands of calls are in a few hundred places.
  const places = new Map<string, Place | null>()
  const placeOf = ({ phone, chosenPlace }: OpenCall) => {
    const key = chosenPlace ?? phone.slice(0, 3)
    const known = places.get(key)
    if (known !== undefined) return known
    const { place } = whereabouts(phone, chosenPlace)
    places.set(key, place)
    return place
  }
  const now: (readonly [key: number, PlacedCall])[] = []
  const later: PlacedCall[] = []
  for (const call of calls) {
    const place = placeOf(call)
    const wait = waitOf(call, place, situation)
    const speaks = situation.languages.includes(call.language) || call.callbackFor === situation.personId
    const placed = { ...call, place, wait, speaks }
    if (wait === null) now.push([sortKey(placed), placed])
    else later.push(placed)
  }
  const ready = now.toSorted(([a, one], [b, other]) => a - b || (one.leadId < other.leadId ? 1 : -1))
  return [...ready.map(([, call]) => call), ...later.toSorted((a, b) => untilOf(a) - untilOf(b))]
}

const untilOf = ({ wait }: PlacedCall) => wait?.until ?? Number.MAX_SAFE_INTEGER

function waitOf(call: OpenCall, place: Place | null, situation: CallSituation): Wait | null {
  const { at, personId, languages, colleaguesSpeak, attempts, clock } = situation
  const opens = (instant: number) => (place && clock.nextOpening(place, instant)?.from) ?? null
  // A new lead is due even if the clock was set back after it arrived.
  if (call.dueAt > at && call.kind !== 'new') return { why: 'later', until: call.dueAt }
  if (call.claimedBy !== null) return { why: call.claimedBy === personId ? 'mine' : 'claimed', until: null }
  const status = clock.at(place, at)
  if (!status.allowed && status.why === 'unknown place') return { why: 'place', until: null }
  const made = attempts.get(call.phone)
  const allowedAt = made ? attemptAllowedAt(made) : 0
  if (allowedAt > at) return { why: 'limit', until: opens(allowedAt) }
  if (!status.allowed) return { why: 'hours', until: status.next }
  const isOwn = call.callbackFor === personId
  if (call.kind === 'callback' && call.callbackFor !== null && !isOwn && call.dueAt + OWN_CALLBACK_MS > at) {
    return { why: 'callback', until: call.dueAt + OWN_CALLBACK_MS }
  }
  if (!languages.includes(call.language) && !isOwn && colleaguesSpeak.has(call.language)) {
    return { why: 'language', until: null }
  }
  const isSkipped = (call.skippedUntil ?? 0) > at && call.skippedBy?.split(' ').includes(personId)
  if (isSkipped) return { why: 'skipped', until: call.skippedUntil }
  return null
}

const rank: Readonly<Record<CallKind, number>> = { callback: 0, new: 1, retry: 2 }

/** Larger than any time in milliseconds. */
const LATEST = 1e13

/** Due callbacks, then new leads, newest first, then retries, longest wait first. Languages the caller doesn't speak come last. */
function sortKey({ kind, dueAt, speaks }: PlacedCall): number {
  return ((speaks ? 0 : 3) + rank[kind]) * LATEST + (kind === 'new' ? LATEST - dueAt : dueAt)
}
