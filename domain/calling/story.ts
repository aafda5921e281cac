/**
 * The story of one phone number: what happened, in order, and what it comes to. Events are only ever added, each with the next count
 * under the number's lock. Their times are data: servers' clocks differ and are set back.
 *
 * Limits belong to the number, because anyone who picks up hears us. Tries, promises, and answers belong to requests: the accepted
 * leads with the number.
 */
import { DAY, MINUTE } from '../durations.ts'
import { MAX_ATTEMPTS } from './attempts.ts'
import type { CallKind } from './list.ts'
import { type CallOutcomeName, type CORRECTED, callOutcomes, NOT_REACHED, REDIALED, UNRECORDED } from './outcomes.ts'

/** A desk user. */
export interface Caller {
  readonly id: string
  readonly name: string
}

interface Happened {
  /** The event's place in the story. */
  readonly n: number
  readonly at: number
}

/** An accepted lead, or a repeat of one. `desk`: whether the desk calls it, and not only a CRM. */
export interface Submitted extends Happened {
  readonly kind: 'submitted'
  readonly leadId: string
  readonly desk: boolean
  readonly language: string
}

export interface Dialed extends Happened {
  readonly kind: 'dialed'
  readonly id: string
  readonly by: Caller
  /** The lead whose page it was dialed from. */
  readonly leadId: string
  /** Where we thought the person was: `FL Central or Eastern`. */
  readonly place: string | null
  /** Why an editor called against the rules. */
  readonly reason: string | null
}

/** The person called us, and someone took the call: no dial of ours, so no limits, no hours, and not a try. */
export interface Incoming extends Happened {
  readonly kind: 'incoming'
  readonly id: string
  readonly by: Caller
  readonly leadId: string
  readonly place: string | null
}

/** What came of a call. */
export interface Said extends Happened {
  readonly kind: 'said'
  readonly id: string
  readonly by: Caller
  readonly leadId: string
  /** Where in the story it was dialed or came in; null for a call on another phone. */
  readonly dial: number | null
  /** When it was made on another phone; null if that's unknown. */
  readonly calledAt: number | null
  readonly place: string | null
  readonly outcome: CallOutcomeName
  readonly callbackAt: number | null
  /** The requests it was about; null for all that were open. */
  readonly leads: readonly string[] | null
  readonly noteId: string | null
}

/** What was said on a call to another number of the same person, or that they gave us another number on the website. */
export interface Answered extends Happened {
  readonly kind: 'answered'
  readonly id: string
  readonly by: Caller
  readonly outcome: CallOutcomeName | typeof CORRECTED
  readonly leads: readonly string[]
}

/** Undoes an outcome, or takes a dial back. */
export interface Corrected extends Happened {
  readonly kind: 'corrected'
  readonly id: string
  readonly by: Caller
  readonly corrects: number
}

/** Only in stores from before 0.9.0: when the next try was due. */
interface Planned extends Happened {
  readonly kind: 'planned'
  readonly leadId: string
  readonly dueAt: number
}

/** A caller corrected the number of a lead, which goes on in the other number's story. */
interface MovedOut extends Happened {
  readonly kind: 'moved out'
  readonly leadId: string
  readonly by: Caller
}

/** Goes on here, as it was with the number before. */
interface MovedIn extends Happened {
  readonly kind: 'moved in'
  readonly leadId: string
  readonly by: Caller
  readonly request: MovedRequest
}

/** When the person would like the first call. A preference: nobody promised it. */
interface Preferred extends Happened {
  readonly kind: 'preferred'
  readonly leadId: string
  readonly time: PreferredTime
}

export interface PreferredTime {
  readonly from: number
  readonly until: number
}

export type StoryEvent =
  | Submitted
  | Dialed
  | Incoming
  | Said
  | Answered
  | Corrected
  | Planned
  | MovedOut
  | MovedIn
  | Preferred
  | (Happened & { readonly kind: 'skipped'; readonly leadId: string; readonly by: Caller })
  | (Happened & { readonly kind: 'taken over'; readonly leadId: string; readonly by: Caller; readonly from: string })
  | (Happened & {
      readonly kind: 'place'
      readonly leadId: string
      readonly by: Pick<Caller, 'name'>
      readonly place: string | null
    })
  | (Happened & {
      readonly kind: 'language'
      readonly leadId: string
      readonly by: Pick<Caller, 'name'>
      readonly language: string
    })
  | (Happened & { readonly kind: 'erased'; readonly leadId: string })

type Without<Event, Keys extends string> = Event extends unknown ? Omit<Event, Keys> : never
/** An event before it has a place in the story. */
export type NewEvent = Without<StoryEvent, 'n'>

export interface CallPromise {
  readonly at: number
  /** In whose time. */
  readonly place: string | null
  readonly by: Caller
  readonly leadId: string
  /** The call in which it was made. */
  readonly call: number
}

/** An accepted lead, and where calling it stands. */
export interface Request {
  readonly leadId: string
  readonly desk: boolean
  readonly language: string
  readonly submittedAt: number
  /** No one has called since the person submitted. */
  readonly isNew: boolean
  /** When it was tried since then, without reaching the person. */
  readonly tried: readonly number[]
  readonly promise: CallPromise | null
  /** How the calling ended; null while it's open. */
  readonly answer: string | null
  /** Carried over from before 0.9.0, or from the number before. */
  readonly notBefore: number | null
  /** When the person would like the first call. */
  readonly preferred: PreferredTime | null
  /** What came of its calls so far. */
  readonly outcomes: readonly string[]
  readonly last: Pick<Call, 'at' | 'outcome' | 'by'> | null
}

export type MovedRequest = Omit<Request, 'leadId'>

/** One call: dialed here, made on another phone, or taken when the person called us. */
export interface Call {
  readonly n: number
  readonly at: number
  readonly by: Caller
  readonly leadId: string
  readonly place: string | null
  readonly outcome: string
  readonly incoming: boolean
  readonly callbackAt: number | null
  /** For a first call: since when the person had been waiting. */
  readonly waitingSince: number | null
  /** Whether the callback that it promised was made in time; null while that's open, or if there's none. */
  readonly kept: boolean | null
  /** When we called the number next. */
  readonly nextAt: number | null
}

/** A promise that was made for another number and moved here: whether it's kept counts here. */
export interface MovedPromise extends Pick<Call, 'n' | 'at' | 'by' | 'callbackAt' | 'kept'> {}

export interface Story {
  readonly requests: ReadonlyMap<string, Request>
  /** Oldest first, without those that were undone or taken back. */
  readonly calls: readonly Call[]
  readonly movedPromises: readonly MovedPromise[]
  /** When the number was called, latest first, as far as the limits need. */
  readonly dials: readonly number[]
  /** Set by a caller; null for the area code's. */
  readonly place: { readonly id: string; readonly by: string } | null
  /** Who skipped it lately. */
  readonly skips: readonly { readonly by: string; readonly until: number }[]
}

/** A dropped call may be dialed again within this time, once. */
export const REDIAL_MS = 10 * MINUTE
/** A dial that is taken back within this time doesn't count, once in 24 hours. */
export const TAKE_BACK_MS = 30_000
/** A promise is kept by a call from this much earlier to this much later, and belongs to the person who made it for this long. */
export const PROMISE_MS = 15 * MINUTE
/** A skipped call isn't offered to the same person again for this long. */
export const SKIP_MS = 15 * MINUTE
/** More than the limits need. */
const DIALS = 3

/** What the events come to, oldest first. Without `submitted` events that are long past, the answer is the same for what's open. */
export function tell(events: readonly StoryEvent[]): Story {
  const corrections = new Map(events.flatMap(event => (event.kind === 'corrected' ? [[event.corrects, event]] : [])))
  const standing = events.filter(({ n }) => !corrections.has(n))
  const outcomes = new Map(
    standing.flatMap(event => (event.kind === 'said' && event.dial !== null ? [[event.dial, event]] : [])),
  )
  const isStarted = new Set(standing.flatMap(event => (isStart(event) ? [event.n] : [])))
  const state: Draft = { requests: new Map(), calls: [], movedPromises: [], kept: new Map(), place: null, skips: [] }
  standing.forEach((event, index) => {
    if (isStart(event)) {
      const said = outcomes.get(event.n) ?? null
      if (said === null && event.kind === 'dialed' && isRedialed(event, standing.slice(index + 1)))
        addCall(state, event, REDIALED)
      else takeCall(state, event, said)
    } else if (event.kind === 'said') {
      // An outcome stands where it was dialed. One without a dial stands where it was saved.
      if (event.dial === null || !isStarted.has(event.dial)) takeCall(state, event, event)
    } else apply(state, event)
  })
  return {
    requests: state.requests,
    calls: state.calls.map((call, index) => ({
      ...call,
      kept: state.kept.get(call.n) ?? null,
      nextAt: state.calls.slice(index + 1).find(({ incoming }) => !incoming)?.at ?? null,
    })),
    movedPromises: state.movedPromises.map(promise => ({ ...promise, kept: state.kept.get(promise.n) ?? null })),
    dials: countedDials(events, corrections),
    place: state.place,
    skips: state.skips,
  }
}

/** A call begins: we dial, or someone calls us. */
export const isStart = (event: StoryEvent): event is Dialed | Incoming =>
  event.kind === 'dialed' || event.kind === 'incoming'

interface Draft {
  readonly requests: Map<string, Request>
  readonly calls: Omit<Call, 'kept' | 'nextAt'>[]
  readonly movedPromises: Omit<MovedPromise, 'kept'>[]
  readonly kept: Map<number, boolean>
  place: Story['place']
  skips: { readonly by: string; readonly until: number }[]
}

export const newRequest = (leadId: string): Request => ({
  leadId,
  desk: false,
  language: 'en',
  submittedAt: 0,
  isNew: false,
  tried: [],
  promise: null,
  answer: null,
  notBefore: null,
  preferred: null,
  outcomes: [],
  last: null,
})

const requestOf = (state: Draft, leadId: string) => state.requests.get(leadId) ?? newRequest(leadId)

const change = (state: Draft, request: Request, changes: Partial<Request>) =>
  void state.requests.set(request.leadId, { ...request, ...changes })

/** Leads on hold aren't requests. */
function changeKnown(state: Draft, leadId: string, changes: Partial<Request>): void {
  const known = state.requests.get(leadId)
  if (known) change(state, known, changes)
}

function apply(state: Draft, event: Exclude<StoryEvent, MadeCall>): void {
  switch (event.kind) {
    case 'submitted': {
      // A promise still stands: someone told the person when we'd call.
      const again = { submittedAt: event.at, isNew: true, tried: [], answer: null, notBefore: null, preferred: null }
      const request = requestOf(state, event.leadId)
      const { desk, language } = event
      change(state, request, { ...again, desk, language })
      state.skips = []
      return
    }
    case 'planned':
      changeKnown(state, event.leadId, { notBefore: event.dueAt })
      return
    case 'moved in': {
      const { leadId, n, at, request } = event
      const promise = request.promise && { ...request.promise, leadId, call: n }
      settle(state, requestOf(state, leadId), at)
      change(state, requestOf(state, leadId), { ...request, promise })
      // Otherwise, it was missed with the number before.
      if (promise && at < promise.at + PROMISE_MS)
        state.movedPromises.push({ n, at, by: promise.by, callbackAt: promise.at })
      state.skips = []
      return
    }
    case 'moved out': {
      const request = state.requests.get(event.leadId)
      if (request) settle(state, request, event.at)
      state.requests.delete(event.leadId)
      return
    }
    case 'preferred':
      changeKnown(state, event.leadId, { preferred: event.time })
      return
    case 'answered':
      for (const leadId of event.leads) end(state, requestOf(state, leadId), event.outcome, event.at)
      return
    case 'language':
      changeKnown(state, event.leadId, { language: event.language })
      return
    case 'place':
      state.place = event.place === null ? null : { id: event.place, by: event.by.name }
      return
    case 'skipped': {
      const others = state.skips.filter(({ by, until }) => until > event.at && by !== event.by.id)
      state.skips = [...others, { by: event.by.id, until: event.at + SKIP_MS }]
      return
    }
    case 'erased':
      state.requests.delete(event.leadId)
      return
    case 'taken over':
    case 'corrected':
      return
  }
}

type MadeCall = Dialed | Incoming | Said

const timeOf = (call: MadeCall) => (call.kind === 'said' ? (call.calledAt ?? call.at) : call.at)

function addCall(state: Draft, call: MadeCall, outcome: string, callbackAt: number | null = null): void {
  const incoming = call.kind === 'incoming'
  const fresh = [...state.requests.values()].filter(({ isNew, desk, answer }) => isNew && desk && answer === null)
  const isFirst = !incoming && fresh.length > 0 && state.calls.at(-1)?.outcome !== REDIALED
  state.calls.push({
    n: call.n,
    at: timeOf(call),
    by: call.by,
    leadId: call.leadId,
    place: call.place,
    outcome,
    incoming,
    callbackAt,
    waitingSince: isFirst ? Math.min(...fresh.map(request => waitingSince(request, timeOf(call)))) : null,
  })
}

/** Someone who asked for a later time isn't waiting before that. */
const waitingSince = ({ submittedAt, preferred }: Request, at: number) =>
  preferred && preferred.from <= at ? preferred.from : submittedAt

/** Without an outcome, a dial is a try: nobody has said that the person was reached. */
function takeCall(state: Draft, call: MadeCall, said: Said | null): void {
  const outcome = said?.outcome ?? UNRECORDED
  addCall(state, call, outcome, said?.callbackAt ?? null)
  state.skips = []
  const at = timeOf(call)
  const open = [...state.requests.values()].filter(({ answer }) => answer === null)
  const follows = said ? callOutcomes[said.outcome].follows : 'retry'
  if (follows === 'retry' && call.kind === 'incoming') {
    // Someone who calls us and hangs up wasn't tried by us.
    for (const request of open) change(state, request, heardOf(request, outcome, at, call.by))
    return
  }
  if (follows === 'retry') {
    // If the calling has ended, an unanswered call doesn't bring the person back.
    for (const request of open) tryAgain(state, request, call, outcome)
    return
  }
  const meant = said?.leads?.map(leadId => requestOf(state, leadId)) ?? open
  for (const request of meant.length > 0 ? meant : [requestOf(state, call.leadId)]) {
    if (follows === 'end') end(state, request, outcome, at, call.by)
    else if (said?.callbackAt != null) {
      settle(state, request, at)
      const promise = {
        at: said.callbackAt,
        place: said.place,
        by: said.by,
        leadId: request.leadId,
        call: call.n,
      }
      const heard = {
        promise,
        desk: true,
        isNew: false,
        tried: [],
        answer: null,
        notBefore: null,
        preferred: null,
      }
      change(state, request, { ...heard, ...heardOf(request, outcome, at, call.by) })
    }
  }
}

function tryAgain(state: Draft, request: Request, call: MadeCall, outcome: string): void {
  const at = timeOf(call)
  const isPromised = request.promise !== null && at < request.promise.at - PROMISE_MS
  if (!isPromised) settle(state, request, at)
  const tried = [...request.tried, at]
  // Nobody knows whether the last call reached the person, so it isn't the end yet.
  const isLast = tried.length >= MAX_ATTEMPTS && !isPromised && outcome !== UNRECORDED
  change(state, request, {
    tried,
    isNew: false,
    notBefore: null,
    preferred: null,
    promise: isPromised ? request.promise : null,
    answer: isLast ? NOT_REACHED : null,
    ...heardOf(request, outcome, at, call.by),
  })
}

function end(state: Draft, request: Request, outcome: string, at: number, by?: Caller): void {
  settle(state, request, at)
  const ended = { promise: null, isNew: false, tried: [], answer: outcome, notBefore: null, preferred: null }
  change(state, request, { ...ended, ...(by && heardOf(request, outcome, at, by)) })
}

const heardOf = (request: Request, outcome: string, at: number, by: Caller) => ({
  outcomes: request.outcomes.includes(outcome) ? request.outcomes : [...request.outcomes, outcome],
  last: { at, outcome, by },
})

/** A call, or an answer, settles whether a promise was kept. */
function settle(state: Draft, { promise }: Request, at: number): void {
  if (promise && !state.kept.has(promise.call)) state.kept.set(promise.call, at < promise.at + PROMISE_MS)
}

/** The same person dialed again within ten minutes: the call was dropped, and the next dial has the outcome. */
function isRedialed({ by, at }: Dialed, later: readonly StoryEvent[]): boolean {
  const next = later.find(event => event.kind === 'dialed')
  return next?.kind === 'dialed' && next.by.id === by.id && next.at < at + REDIAL_MS
}

/** The latest dials, with those that were taken back too late or too often. */
function countedDials(events: readonly StoryEvent[], corrections: ReadonlyMap<number, Corrected>): readonly number[] {
  const dials: number[] = []
  let lastFree = Number.NEGATIVE_INFINITY
  for (const event of events) {
    const correction = corrections.get(event.n)
    if (event.kind === 'said' && event.dial === null && !correction) dials.push(timeOf(event))
    if (event.kind !== 'dialed') continue
    const isFree = correction && isFreeToTakeBack(event.at, correction.at, lastFree)
    if (isFree) lastFree = event.at
    else dials.push(event.at)
  }
  return dials.toSorted((one, other) => other - one).slice(0, DIALS)
}

function isFreeToTakeBack(dialedAt: number, takenBackAt: number, lastFree: number): boolean {
  return takenBackAt < dialedAt + TAKE_BACK_MS && dialedAt >= lastFree + DAY
}

/** The requests that an outcome is about: those it names, or all that were open where it stands. */
export function meantBy(
  events: readonly StoryEvent[],
  { dial, leads, leadId }: Pick<Said, 'dial' | 'leads' | 'leadId'>,
): readonly string[] {
  if (leads !== null) return leads
  const placeOf = (event: StoryEvent) => (event.kind === 'said' ? (event.dial ?? event.n) : event.n)
  const before = events.filter(event => dial === null || placeOf(event) < dial || event.kind === 'corrected')
  const open = [...tell(before).requests.values()]
    .filter(({ answer }) => answer === null)
    .map(request => request.leadId)
  return open.length > 0 ? open : [leadId]
}

/**
 * A request as it goes on with another number. That number wasn't tried yet, and if the old one was why the calling had ended, it
 * starts again.
 */
export function movedRequest({ leadId: _, ...request }: Request, at: number): MovedRequest {
  const isOver = request.answer !== null && request.answer !== 'wrong number' && request.answer !== NOT_REACHED
  if (isOver || request.isNew) return request
  return { ...request, answer: null, tried: [], notBefore: at }
}

/** Whether the person may dial again although the last call was just now: once, within ten minutes, because it was dropped. */
export function mayRedial({ calls: all }: Pick<Story, 'calls'>, personId: string, at: number): boolean {
  const calls = all.filter(({ incoming }) => !incoming)
  const last = calls.at(-1)
  const isOwn = last?.outcome === UNRECORDED && last.by.id === personId
  return isOwn && last.at <= at && at < last.at + REDIAL_MS && calls.at(-2)?.outcome !== REDIALED
}

/** What's next for one request; null if nothing is. */
export function kindOfRequest({ answer, isNew, notBefore, promise, tried, desk }: Request): CallKind | null {
  if (answer !== null || (!desk && !promise)) return null
  if (isNew) return 'new'
  if (promise) return 'callback'
  return tried.length > 0 || notBefore !== null ? 'retry' : null
}
