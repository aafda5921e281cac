/**
 * What an outcome comes to: events for this number and others, entries for the do-not-call list, and what the CRM is to hear; or why it's
 * refused. Pure: the store loads the facts and applies the decision, in one transaction.
 */
import { DAY } from '../durations.ts'
import { identityOf, type LeadToCall } from '../leads/people.ts'
import { placeId } from './area-codes.ts'
import type { MadeCall } from './made-calls.ts'
import { type CallSituation, mayWeCall, type NumberNow } from './may-we-call.ts'
import { type CallOutcomeName, callOutcomes, isReached, isTry } from './outcomes.ts'
import { isInTime } from './standing.ts'
import { openStandings, type Story } from './story.ts'
import type { Agent, Answered, NewEvent } from './story-events.ts'

/** A mistyped year would take the person off the list for good. */
const FARTHEST_CALLBACK_MS = 366 * DAY
/** A call on another phone can be recorded for this long. */
const RECORDED_LATER_MS = 7 * DAY

export interface OutcomeToSave {
  readonly outcome: CallOutcomeName
  /** For a callback: when. */
  readonly callbackAt?: number | null
  /** Whom it was about. Nobody, if someone else answered and wants no calls; everyone, if nobody was reached. */
  readonly leads: readonly string[]
  /** For "never call again": the person, or someone else who answered. */
  readonly asked?: 'person' | 'someone else'
}

export interface CallToSave {
  /** The first one is what figures count. */
  readonly outcomes: readonly OutcomeToSave[]
  /** For a call on another phone: when; null if unknown. Missing: when it was opened here. */
  readonly calledAt?: number | null
  /** After four hours, a call that this person left without an outcome may not be the one they mean. */
  readonly which?: 'left' | 'another'
  /** The number, as the page shows it. The lead may be erased during the call. */
  readonly phone?: string
}

/** We can't call at the promised time, or nobody could have called at the time it was said to be. */
export interface TimeRefused {
  readonly kind: 'callback refused' | 'time refused'
  readonly message: string
  readonly next: number | null
}

/** Which call was it? */
export interface CallUnclear {
  readonly kind: 'which call'
  /** When the one that was left without an outcome began. */
  readonly startedAt: number
}

export interface OutcomeFacts {
  readonly at: number
  readonly person: Agent
  /** Whose page it was saved on. */
  readonly lead: LeadToCall
  readonly story: Story
  readonly now: NumberNow
  readonly situation: CallSituation
  /** Leads that are on the number, or were. */
  readonly here: readonly LeadToCall[]
  /** With all leads that took each other's place. */
  readonly chains: readonly LeadToCall[]
  /** The same people's leads with other numbers. */
  readonly elsewhere: readonly LeadToCall[]
  /** Addresses that someone else gave, too. */
  readonly sharedEmails: ReadonlySet<string>
  readonly ids: { readonly saved: string; readonly noteId: string | null }
}

export interface OutcomeDecision {
  readonly kind: 'decided'
  readonly said: readonly Extract<NewEvent, { kind: 'said' }>[]
  readonly elsewhere: readonly { readonly phone: string; readonly event: Omit<Answered, 'n'> }[]
  /** The call that it was about, if it's in the story. */
  readonly call: MadeCall | null
  readonly startedAt: number
  /** For the do-not-call list. */
  readonly entries: readonly string[]
  /** Leads that were ended by a wrong number while someone else was reached there: the CRM is to leave them alone. */
  readonly wrongNumber: readonly string[]
}

export function decideOutcome(request: CallToSave, facts: OutcomeFacts): TimeRefused | CallUnclear | OutcomeDecision {
  const { at, person, story, now } = facts
  const { whose } = now
  if (whose.kind === 'left' && request.which === undefined) return { kind: 'which call', startedAt: whose.call.at }
  const call = whose.kind === 'started' || (whose.kind === 'left' && request.which === 'left') ? whose.call : null
  const openedAt = whose.kind === 'open' || whose.kind === 'left' ? whose.since : null
  const calledAt = call ? null : request.calledAt === undefined ? openedAt : request.calledAt
  const refused = refuseTime(at, calledAt)
  if (refused) return refused
  const outcomes = request.outcomes.flatMap(outcome => aboutWhom(outcome, request, facts, call))
  const startedAt = call?.at ?? calledAt ?? at
  const isEmptied = ({ outcome, leads }: OutcomeToSave) =>
    callOutcomes[outcome].stops === 'if nobody is there' && !someoneIsThere(leads, story)
  const entries = [...new Set(outcomes.flatMap(each => entriesFor(each, request, facts, isEmptied(each))))]
  const answered = outcomes.filter(({ outcome, callbackAt }) => !isTry(outcome) || callbackAt != null)
  const settled = { leads: answered.flatMap(({ leads }) => leads), entries }
  const promised: number[] = []
  for (const { callbackAt } of outcomes) {
    if (callbackAt == null) continue
    const block = refuseCallback({ callbackAt, promised, settled, call, startedAt }, facts)
    if (block) return block
    promised.push(callbackAt)
  }
  const place = now.number?.place ? placeId(now.number.place) : null
  const { saved, noteId } = facts.ids
  const said = outcomes.map(({ outcome, callbackAt = null, leads }, index) => ({
    kind: 'said' as const,
    at,
    id: index === 0 ? saved : `${saved}-${index + 1}`,
    by: person,
    leadId: facts.lead.id,
    dial: call?.n ?? null,
    with: index === 0 ? null : saved,
    calledAt,
    // What was promised is in the time where we think the person is now.
    place: callbackAt === null && call ? call.place : place,
    outcome,
    callbackAt,
    leads,
    noteId: index === 0 ? noteId : null,
  }))
  return {
    kind: 'decided',
    said,
    elsewhere: said.flatMap(each => answersElsewhere(each, startedAt, facts)),
    call,
    startedAt,
    entries,
    wrongNumber: outcomes.flatMap(each =>
      callOutcomes[each.outcome].stops === 'if nobody is there' && !isEmptied(each) ? each.leads : [],
    ),
  }
}

/** A try is about everyone who was called and whom nothing else names. Whom someone else promises a call is apart. */
function aboutWhom(
  said: OutcomeToSave,
  { outcomes }: CallToSave,
  facts: OutcomeFacts,
  call: MadeCall | null,
): readonly OutcomeToSave[] {
  const named = namedBy(said, facts)
  if (!isTry(said.outcome)) return [{ ...said, leads: named }]
  const promised = said.callbackAt == null ? [] : named
  const others = outcomes.filter(each => !isTry(each.outcome)).flatMap(each => namedBy(each, facts))
  // Others may have come in since.
  const called = call && facts.story.calls.find(({ n }) => n === call.n)?.leads.map(({ leadId }) => leadId)
  const rest = openStandings(facts.story)
    .map(({ leadId }) => leadId)
    .filter(id => (called?.includes(id) ?? true) && !promised.includes(id) && !others.includes(id))
  const { callbackAt: _, ...tried } = said
  return [
    ...(rest.length > 0 || promised.length === 0 ? [{ ...tried, leads: rest }] : []),
    ...(promised.length > 0 ? [{ ...said, leads: promised }] : []),
  ]
}

/** A stale page may name someone who was erased. */
const namedBy = ({ leads, asked }: OutcomeToSave, { here }: OutcomeFacts): readonly string[] =>
  asked === 'someone else' ? [] : [...new Set(leads)].filter(id => here.some(lead => lead.id === id))

/** Someone whom this call isn't about, and whom we still want to reach or have reached on this number. */
const someoneIsThere = (leads: readonly string[], { standings }: Story): boolean =>
  [...standings.values()].some(
    ({ leadId, answer, outcomes }) => !leads.includes(leadId) && (answer === null || outcomes.some(isReached)),
  )

function refuseTime(at: number, calledAt: number | null): TimeRefused | null {
  if (calledAt === null || (calledAt <= at && calledAt > at - RECORDED_LATER_MS)) return null
  const message = calledAt > at ? 'That time is in the future.' : 'That’s more than a week ago.'
  return { kind: 'time refused', message, next: null }
}

interface Callback {
  readonly callbackAt: number
  /** To others, on the same call. */
  readonly promised: readonly number[]
  /** By all that was said: whom it was about, and what goes on the do-not-call list. */
  readonly settled: { readonly leads: readonly string[]; readonly entries: readonly string[] }
  readonly call: MadeCall | null
  readonly startedAt: number
}

/** We don't promise to call at a time when we can't. */
function refuseCallback(
  { callbackAt, promised, settled, call, startedAt }: Callback,
  { situation, now, lead, person }: OutcomeFacts,
): TimeRefused | null {
  const refuse = (message: string, next: number | null = null) => ({ kind: 'callback refused', message, next }) as const
  // The list would keep us from keeping the promise.
  if (now.closed !== null && call?.incoming) return refuse(`${now.closed} They can ask to be taken off it.`)
  if (settled.entries.includes(lead.phone ?? '')) return refuse('This number goes on the do-not-call list.')
  if (callbackAt <= situation.at) return refuse('That time is in the past.')
  if (callbackAt > situation.at + FARTHEST_CALLBACK_MS) return refuse('That’s more than a year away.')
  const { number } = now
  if (!number) return null
  const { plan } = number
  const isCounted = call?.incoming || plan.dials.includes(startedAt)
  const dials = isCounted ? plan.dials : [startedAt, ...plan.dials]
  // This call keeps those that are due, and settles those to whom it was about.
  const isKept = (promise: (typeof plan.promises)[number]) =>
    settled.leads.includes(promise.leadId) || (!call?.incoming && isInTime(promise, startedAt))
  const sameCall = promised.map(at => ({ at, place: null, by: person, leadId: '', n: 0 }))
  const promises = [...plan.promises.filter(promise => !isKept(promise)), ...sameCall]
  const called = { ...number, redial: false, plan: { ...plan, dials, promises } }
  const block = mayWeCall('promise', called, { ...situation, at: callbackAt })
  if (!block) return null
  const hours =
    number.place && block.why === 'hours' ? ` Calls are allowed ${situation.clock.describe(number.place)}.` : ''
  return refuse(`${block.message}${hours}`, block.why === 'promised' ? null : block.next)
}

type Said = OutcomeDecision['said'][number]

/** The same people's leads with other numbers, if they came in before the call, and those that have taken a named lead's place since. */
function answersElsewhere(said: Said, startedAt: number, { elsewhere, here, chains }: OutcomeFacts) {
  const { outcome, leads, callbackAt, at, by, place } = said
  const isMeant = new Set(
    here.filter(({ id }) => leads.includes(id)).flatMap(({ contact }) => (contact ? identityOf(contact) : [])),
  )
  const same = callOutcomes[outcome].answersOtherNumbers
    ? elsewhere.filter(
        ({ contact, receivedAt }) => contact && isMeant.has(identityOf(contact)) && receivedAt < startedAt,
      )
    : []
  const moved = leads.flatMap(id => {
    const last = chainAround(id, chains).find(({ replacedBy }) => replacedBy === null)
    // One on hold is in no story. Once it's approved, it takes over what was said.
    return last && last.id !== id && last.state === 'accepted' ? [last] : []
  })
  // A wrong number says nothing about the one that the person has now.
  const answered = callOutcomes[outcome].stops === 'if nobody is there' ? same : [...same, ...moved]
  return [...Map.groupBy(answered, ({ phone }) => phone ?? '')].map(([phone, found]) => ({
    phone,
    event: {
      kind: 'answered' as const,
      at,
      id: said.with ?? said.id,
      by,
      outcome,
      leads: [...new Set(found.map(({ id }) => id))],
      callbackAt,
      place,
    },
  }))
}

/** What goes on the do-not-call list. */
function entriesFor(
  { outcome, leads }: OutcomeToSave,
  { phone: shown }: CallToSave,
  { lead, here, elsewhere, chains, sharedEmails }: OutcomeFacts,
  isEmptied: boolean,
): readonly string[] {
  const { stops } = callOutcomes[outcome]
  const phone = lead.phone ?? shown
  const number = phone === undefined ? [] : [phone]
  if (stops === 'if nobody is there') return isEmptied ? number : []
  if (stops !== 'who asked') return []
  const people = here.filter(({ id }) => leads.includes(id))
  const isMeant = new Set(people.flatMap(({ contact }) => (contact ? identityOf(contact) : [])))
  const others = [
    ...elsewhere.filter(({ contact }) => contact && isMeant.has(identityOf(contact))),
    ...leads.flatMap(id => chainAround(id, chains)),
  ]
  const emails = people.flatMap(({ email }) => (email && !sharedEmails.has(email) ? [email] : []))
  return [...number, ...others.flatMap(other => other.phone ?? []), ...emails]
}

/** One lead, and all that took each other's place before and after it. */
function chainAround(id: string, leads: readonly LeadToCall[]): readonly LeadToCall[] {
  const ids = new Set([id])
  for (let known = 0; known < ids.size; ) {
    known = ids.size
    for (const lead of leads) {
      if (ids.has(lead.id) && lead.replacedBy !== null) ids.add(lead.replacedBy)
      if (ids.has(lead.replacedBy ?? '')) ids.add(lead.id)
    }
  }
  return leads.filter(lead => ids.has(lead.id))
}
