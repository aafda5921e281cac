/** Where calling a lead stands. Each call, and whatever else happens to its number, changes it. */
import { DAY, MINUTE } from '../durations.ts'
import { MAX_TRIES } from './call-limits.ts'
import type { CallKind } from './list.ts'
import type { SaidOf } from './made-calls.ts'
import { NOT_REACHED, OTHER_LANGUAGE, UNRECORDED } from './outcomes.ts'
import type { Agent, PreferredTime, PromisedCall, Submitted, TakenOver } from './story-events.ts'

/** A promise is kept by a call from this much earlier to this much later, and belongs to the person who made it for this long. */
export const PROMISE_MS = 15 * MINUTE
/** A call that nobody made for this long after it was due leaves the list. */
export const LISTED_MS = 30 * DAY

export interface CallPromise extends PromisedCall {
  readonly by: Agent
  readonly leadId: string
  /** Where in the story it was made. */
  readonly n: number
}

export interface Standing {
  readonly leadId: string
  readonly desk: boolean
  readonly language: string
  /** When the person asked: since then, they've been waiting. */
  readonly askedAt: number
  /** When it came on the list. */
  readonly listedAt: number
  /** When they said yes to calls on the phone; null if they ever sent the form for this number. */
  readonly spokenAt: number | null
  /** No one has called since the person submitted. */
  readonly isNew: boolean
  /** When it was tried since then, without reaching the person. */
  readonly tried: readonly number[]
  readonly promise: CallPromise | null
  /** How the calling ended; null while it's open. */
  readonly answer: string | null
  /** The next try isn't due before this time, whatever the tries so far. */
  readonly notBefore: number | null
  /** When the person would like the first call. */
  readonly preferred: PreferredTime | null
  /** What came of its calls so far. */
  readonly outcomes: readonly string[]
  readonly last: { readonly at: number; readonly outcome: string; readonly by: Agent } | null
}

/** Nobody has said or submitted anything about it yet. */
export const newStanding = (leadId: string): Standing => ({
  leadId,
  desk: false,
  language: 'en',
  askedAt: 0,
  listedAt: 0,
  spokenAt: null,
  isNew: false,
  tried: [],
  promise: null,
  answer: null,
  notBefore: null,
  preferred: null,
  outcomes: [],
  last: null,
})

/** What ends with each call that reaches someone, and with each submission. */
const afresh = { tried: [], answer: null, notBefore: null, preferred: null } as const

/** A promise still stands: someone told the person when we'd call. */
export const submit = (standing: Standing, { at, askedAt = at, spoken, desk, language }: Submitted): Standing => ({
  ...standing,
  ...afresh,
  spokenAt: spokenAtOf(standing, spoken, askedAt),
  isNew: true,
  askedAt,
  listedAt: at,
  desk,
  language,
})

/** A yes on the phone takes nothing away from the form that they sent. */
const spokenAtOf = ({ listedAt, spokenAt }: Standing, spoken = false, at: number): number | null =>
  spoken && (listedAt === 0 || spokenAt !== null) ? at : null

export interface Happening {
  readonly n: number
  readonly at: number
}

/** If the number was why the calling had ended, it starts again at another one, or at this one if the person gives it again. */
export const answerOf = ({ answer }: Pick<Standing, 'answer'>): string | null =>
  answer === 'wrong number' || answer === NOT_REACHED ? null : answer

export function takeOver(standing: Standing, takenOver: TakenOver, { n, at }: Happening): Standing {
  const { desk, spoken, language, askedAt, isNew, promise: promised, preferred, answer, outcomes, last } = takenOver
  const spokenAt = spokenAtOf(standing, spoken, at)
  const promise = promised && { ...promised, leadId: standing.leadId, n }
  if (standing.listedAt > 0) {
    // The person's lead that this number had before stays as it was, but what we promised them holds.
    const held = earlier(promise, standing.promise)
    const isReopened = standing.answer !== null && answerOf(standing) === null
    return {
      ...standing,
      ...(isReopened && { tried: [], notBefore: at }),
      answer: held ? null : answerOf(standing),
      desk: desk || standing.desk,
      spokenAt,
      promise: held,
      askedAt: Math.min(askedAt, standing.askedAt),
    }
  }
  return {
    ...standing,
    desk,
    language,
    askedAt,
    listedAt: at,
    spokenAt,
    isNew: isNew && !promise,
    promise,
    answer,
    notBefore: isNew || promise ? null : at,
    preferred: isNew ? preferred : null,
    outcomes,
    last,
  }
}

/** The person was promised an earlier call here. */
const earlier = (one: CallPromise | null, other: CallPromise | null) =>
  one && other && other.at <= one.at ? other : (one ?? other)

export interface Tried {
  readonly at: number
  /** Null: what came of the call is about others. */
  readonly outcome: string | null
  readonly by: Agent
}

type Heard = Tried & { readonly outcome: string }

function heard(standing: Standing, { at, outcome, by }: Tried): Pick<Standing, 'outcomes' | 'last'> {
  const { outcomes, last } = standing
  if (outcome === null) return { outcomes, last }
  return { outcomes: outcomes.includes(outcome) ? outcomes : [...outcomes, outcome], last: { at, outcome, by } }
}

/** Someone was there, but not this person, or we don't know. */
export const hear = (standing: Standing, call: Tried): Standing => ({ ...standing, ...heard(standing, call) })

/** Called without reaching them. A call long before a promised one doesn't replace it. */
export function tryAgain(standing: Standing, call: Tried): Standing {
  const isPromised = standing.promise !== null && !isInTime(standing.promise, call.at)
  const tried = call.outcome === OTHER_LANGUAGE ? [call.at] : [...standing.tried, call.at]
  // Nobody knows whether the last call reached the person, so it isn't the end yet.
  const isLast = tried.length >= MAX_TRIES && !isPromised && call.outcome !== UNRECORDED
  return {
    ...standing,
    tried,
    isNew: false,
    notBefore: null,
    preferred: null,
    promise: isPromised ? standing.promise : null,
    answer: isLast ? NOT_REACHED : null,
    ...heard(standing, call),
  }
}

/** From 15 minutes before the promised time on. */
export const isInTime = ({ at: promisedAt }: Pick<CallPromise, 'at'>, at: number): boolean =>
  at >= promisedAt - PROMISE_MS

/** `call`: null if it was said on a call to another number. */
export const end = (standing: Standing, outcome: string, call: Heard | null): Standing => ({
  ...standing,
  ...afresh,
  isNew: false,
  promise: null,
  answer: outcome,
  ...(call && heard(standing, call)),
})

type Promised = Pick<SaidOf, 'n' | 'by' | 'place'> & { readonly callbackAt: number }

export const promise = (standing: Standing, promised: Promised, call: Heard | null): Standing => ({
  ...promiseUnreached(standing, promised),
  ...afresh,
  ...(call && heard(standing, call)),
})

/** Someone else said when to call: the tries so far still count. */
export const promiseUnreached = (standing: Standing, { n, by, place, callbackAt }: Promised): Standing => ({
  ...standing,
  isNew: false,
  desk: true,
  answer: null,
  promise: { at: callbackAt, place, by, leadId: standing.leadId, n },
})

/** What's next for one lead; null if nothing is. */
export function nextKind({ answer, isNew, notBefore, promise, tried, desk }: Standing): CallKind | null {
  if (answer !== null || (!desk && !promise)) return null
  if (isNew) return 'new'
  if (promise) return 'callback'
  return tried.length > 0 || notBefore !== null ? 'retry' : null
}

/** Since when the person has been waiting. Someone who asked for a later time isn't waiting before that. */
export const waitingSince = ({ askedAt, preferred }: Standing, at: number): number =>
  preferred && preferred.from <= at ? preferred.from : askedAt
