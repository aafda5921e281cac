/**
 * May we call this number? One answer for the list, Call next, opening a call, dialing, and promising a callback, each with its own
 * checks in order. The first one that objects says why, and when a call is possible.
 */
import { DAY, HOUR } from '../durations.ts'
import { type Place, whereabouts } from './area-codes.ts'
import { CALLS_PER_DAY, callAllowedAt, leavesRoom, redialAllowedAt } from './call-limits.ts'
import type { CallingClock } from './hours.ts'
import type { WaitReason } from './list.ts'
import { nextCall, type Plan } from './plan.ts'
import { PROMISE_MS } from './standing.ts'
import type { Agent } from './story-events.ts'
import type { WaitingTime } from './waiting-time.ts'
import type { Claim, WhoseCall } from './whose-call.ts'

/** A callback, and someone whose language a colleague speaks, are left to that colleague for this long. */
export const RESERVED_MS = PROMISE_MS

/** A call to a number on the national registry needs a signature, or an inquiry in the last three months: see `inquiries` in legal-rules. */
const SPOKEN_MS = 89 * DAY

/** Until when we may call people who said yes on the phone and signed nothing; null if someone there did. */
export const spokenUntil = ({ spokenAt }: Pick<Plan, 'spokenAt'>): number | null =>
  spokenAt === null ? null : spokenAt + SPOKEN_MS

export interface NumberToCall {
  readonly plan: Plan
  readonly place: Place | null
  /** Why it isn't to be called at all; null if it may be. */
  readonly closed: string | null
  /** Who has it open. */
  readonly claim: Agent | null
  /** The person's last call was dropped, and they may dial again: see `mayRedial`. */
  readonly redial?: boolean
}

export interface CallSituation {
  readonly at: number
  readonly personId: string
  readonly clock: CallingClock
  readonly waitingTime: WaitingTime
  /** That the person speaks. */
  readonly languages: readonly string[]
  /** That other signed-in agents speak. */
  readonly colleaguesSpeak: ReadonlySet<string>
  /** Everyone who may call. A callback of anyone else is anybody's. */
  readonly agents: ReadonlySet<string>
}

export interface CallBlock {
  readonly why: WaitReason | 'closed'
  /** For the agent. */
  readonly message: string
  /** Null: not before someone does something about it. */
  readonly next: number | null
}

type Check = (number: NumberToCall, situation: CallSituation) => CallBlock | null

const isClosed: Check = ({ closed }) => (closed === null ? null : { why: 'closed', message: closed, next: null })

const isClaimed: Check = ({ claim }, { personId }) =>
  claim === null || claim.id === personId
    ? null
    : { why: 'claimed', message: `${claim.name} has this call open.`, next: null }

const isMine: Check = ({ claim }, { personId }) =>
  claim?.id === personId ? { why: 'mine', message: 'You have this call open.', next: null } : null

const isTooLongAgo: Check = ({ plan }, { at }) =>
  at < (spokenUntil(plan) ?? Number.POSITIVE_INFINITY)
    ? null
    : { why: 'spoken', message: 'They said yes on the phone about three months ago, and signed nothing.', next: null }

const hasNoPlace: Check = ({ place }, { at, clock }) => {
  const status = clock.at(place, at)
  return status.allowed || status.why !== 'unknown place' ? null : { why: 'place', message: status.message, next: null }
}

const CLOCK_WAS_WRONG =
  'The last call to this number has a time that’s still to come: the clock was wrong, then or now. An editor can call it, with a reason.'

const isOverLimit: Check = ({ plan: { dials, dialsElsewhere }, place, redial = false }, { at, clock }) => {
  const all = [...dials, ...dialsElsewhere]
  const allowedAt = redial ? redialAllowedAt(all) : callAllowedAt(dials, dialsElsewhere)
  if (allowedAt <= at) return null
  // The clock was ahead then, or is behind now. Nobody can tell, so the limits hold, and an editor decides.
  if (all.some(dial => dial > at + HOUR)) return { why: 'limit', message: CLOCK_WAS_WRONG, next: null }
  const lately = all.filter(dial => dial > at - 24 * HOUR).length
  const message =
    lately < CALLS_PER_DAY
      ? 'This number was called less than an hour ago.'
      : `This number was called ${lately} times in 24 hours.`
  return { why: 'limit', message, next: (place && clock.nextOpening(place, allowedAt)?.from) ?? null }
}

/** A call now would rule out a promised one. */
const wouldBreakPromise: Check = ({ plan: { dials, dialsElsewhere, promises } }, { at }) => {
  // One call in the window keeps all promises for about that time.
  const later = promises.filter(promise => at < promise.at - PROMISE_MS)
  const broken = later.find(promise => {
    const before = later.filter(other => other.at < promise.at - PROMISE_MS).map(other => other.at)
    return callAllowedAt([...dials, at, ...before], dialsElsewhere) > promise.at
  })
  return broken
    ? {
        why: 'promised',
        message: `${broken.by.name} promised a callback. Calling now would use up the calls allowed before then.`,
        next: broken.at,
      }
    : null
}

/** As of the promised time: several people are promised about the same time, which one call keeps, or times that the limits allow. */
const wouldBreakOther: Check = ({ plan: { dials, dialsElsewhere, promises } }, { at }) => {
  const others = promises.filter(promise => Math.abs(promise.at - at) >= PROMISE_MS)
  const times = others.map(promise => promise.at)
  const [near] = others.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))
  if (!near || leavesRoom(at, [...dials, ...times], dialsElsewhere)) return null
  const message = `${near.by.name} promised another callback to this number. Promise the same time, or leave an hour between them, and three calls in 24 hours.`
  return { why: 'promised', message, next: near.at }
}

const isOutsideHours: Check = ({ place }, { at, clock }) => {
  const status = clock.at(place, at)
  return status.allowed ? null : { why: 'hours', message: status.message, next: status.next }
}

const isLater: Check = ({ plan, place }, situation) => {
  const next = nextCall(plan, place, situation)
  if (!next || next.dueAt <= situation.at) return null
  if (next.kind !== 'new') return { why: 'later', message: 'This call is scheduled for later.', next: next.dueAt }
  // A new lead is due even if the clock was set back after it arrived.
  const isPreferred = plan.calls.some(({ isPreferred: asked, notBefore }) => asked && notBefore === next.dueAt)
  return isPreferred ? { why: 'later', message: 'They’d like to be called later.', next: next.dueAt } : null
}

/** Someone else promised to call at about this time. */
const isColleaguesCallback: Check = (
  {
    plan: {
      promises: [promise],
    },
  },
  { at, personId, agents },
) =>
  promise &&
  promise.at <= at &&
  at < promise.at + RESERVED_MS &&
  promise.by.id !== personId &&
  agents.has(promise.by.id)
    ? { why: 'callback', message: `${promise.by.name} promised to call back.`, next: promise.at + RESERVED_MS }
    : null

const isForAnotherLanguage: Check = (number, situation) => {
  const { plan, place } = number
  const { at, waitingTime, colleaguesSpeak } = situation
  if (speaks(plan, situation) || !plan.languages.some(language => colleaguesSpeak.has(language))) return null
  const waited = place ? waitingTime(place, nextCall(plan, place, situation)?.dueAt ?? at, at) : 0
  return waited < RESERVED_MS
    ? { why: 'language', message: 'A colleague speaks their language.', next: at + RESERVED_MS - waited }
    : null
}

const isSkipped: Check = ({ plan: { skips } }, { at, personId }) => {
  const skip = skips.find(({ by, until }) => by === personId && until > at)
  return skip ? { why: 'skipped', message: 'You skipped this call.', next: skip.until } : null
}

const rules = [isTooLongAgo, hasNoPlace, isOverLimit, wouldBreakPromise, isOutsideHours]

const checks = {
  open: [isClosed, isClaimed],
  dial: [isClosed, isClaimed, ...rules],
  offer: [isClosed, isClaimed, isMine, isLater, ...rules, isColleaguesCallback, isForAnotherLanguage, isSkipped],
  /** As of the promised time. */
  promise: [isTooLongAgo, hasNoPlace, isOverLimit, wouldBreakOther, isOutsideHours],
} as const satisfies Readonly<Record<string, readonly Check[]>>

type Purpose = keyof typeof checks
/** To open a call, it only matters who opens it. */
type SituationFor<For extends Purpose> = For extends 'open' ? Pick<CallSituation, 'personId'> : CallSituation

/** Null: yes. */
export function mayWeCall<For extends Purpose>(
  purpose: For,
  number: NumberToCall,
  situation: SituationFor<For>,
): CallBlock | null {
  for (const check of checks[purpose]) {
    const block = check(number, situation as CallSituation)
    if (block) return block
  }
  return null
}

/** Whether the person speaks a language of someone to call, or promised to call them. */
export const speaks = (
  { languages, promises: [promise] }: Plan,
  situation: Pick<CallSituation, 'personId' | 'languages'>,
): boolean =>
  promise?.by.id === situation.personId || languages.some(language => situation.languages.includes(language))

// Thousands of numbers are in a few hundred places, and clocks remember what they know by place.
const placesByCode = new Map<string, Place | null>()

/** `before`: set at a number that the person had before; until a place is set here, calls must be allowed there, too. */
export function placeOf(
  phone: string,
  { place: chosen, placeBefore: before }: Pick<Plan, 'place' | 'placeBefore'>,
): Place | null {
  const key = `${chosen?.id ?? phone.slice(0, 3)} ${before?.id ?? ''}`
  const known = placesByCode.get(key)
  if (known !== undefined) return known
  const { place } = whereabouts(phone, chosen?.id ?? null)
  const also = before && whereabouts(phone, before.id).place
  const both = place && also ? { ...place, also } : place
  placesByCode.set(key, both)
  return both
}

/** Everything that decides what this person can do with the number. */
export interface NumberNow {
  readonly closed: string | null
  /** Null if no lead with this number was ever accepted. */
  readonly number: NumberToCall | null
  readonly whose: WhoseCall
  /** The one that holds now, no matter whose it is. */
  readonly claim: Claim | null
}
