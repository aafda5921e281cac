/** Decides who can be called now, in which order, and why the others have to wait. */
import { type Place, whereabouts } from '../../domain/calling/area-codes.ts'
import { attemptAllowedAt } from '../../domain/calling/attempts.ts'
import type { CallingClock } from '../../domain/calling/hours.ts'
import type { CallKind, WaitReason } from '../../domain/calling/list.ts'

/** A callback belongs to the person who promised it for this long; then, anyone can make it. */
const OWN_CALLBACK_MS = 15 * 60_000

export interface OpenCall {
  readonly leadId: string
  readonly phone: string
  readonly language: string
  readonly kind: CallKind
  readonly dueAt: number
  readonly callbackFor: string | null
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
  /** Null: can be called now. */
  readonly wait: Wait | null
}

/** People to call now, best first, then everyone else by when they can be called. */
export function orderCalls(calls: readonly OpenCall[], situation: CallSituation): readonly PlacedCall[] {
  const placed = calls.map(call => {
    const { place } = whereabouts(call.phone, call.chosenPlace)
    return { ...call, place, wait: waitOf(call, place, situation) }
  })
  const now = placed.filter(({ wait }) => wait === null)
  const later = placed.filter(({ wait }) => wait !== null)
  return [...now.toSorted((a, b) => compareDue(a, b, situation)), ...later.toSorted((a, b) => untilOf(a) - untilOf(b))]
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
  const allowedAt = attemptAllowedAt(attempts.get(call.phone) ?? [])
  if (allowedAt > at) return { why: 'limit', until: opens(allowedAt) }
  if (!status.allowed) return { why: 'hours', until: status.next }
  const isOwn = call.callbackFor === personId
  if (call.kind === 'callback' && !isOwn && call.dueAt + OWN_CALLBACK_MS > at) {
    return { why: 'callback', until: call.dueAt + OWN_CALLBACK_MS }
  }
  if (!languages.includes(call.language) && !isOwn && colleaguesSpeak.has(call.language)) {
    return { why: 'language', until: null }
  }
  if (call.skippedBy === personId && (call.skippedUntil ?? 0) > at) return { why: 'skipped', until: call.skippedUntil }
  return null
}

const rank: Readonly<Record<CallKind, number>> = { callback: 0, new: 1, retry: 2 }

/** Due callbacks, then new leads, newest first, then retries, longest wait first. */
function compareDue(a: OpenCall, b: OpenCall, { languages, personId }: CallSituation): number {
  const speaks = (call: OpenCall) => (languages.includes(call.language) || call.callbackFor === personId ? 0 : 1)
  const waited = a.kind === 'new' ? b.dueAt - a.dueAt : a.dueAt - b.dueAt
  return speaks(a) - speaks(b) || rank[a.kind] - rank[b.kind] || waited || (a.leadId < b.leadId ? 1 : -1)
}
