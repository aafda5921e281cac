/** Whom an outcome answers, promises, and silences, if several people share a phone: every outcome, tick, and kind of call. */
import { describe, expect, test } from 'vitest'
import { contactOf, maria } from '../../tests/support/lead-store.ts'
import { HOUR, MINUTE } from '../durations.ts'
import { type LeadToCall, peopleAmong } from '../leads/people.ts'
import { type CallToSave, decideOutcome, type OutcomeFacts } from './decide-outcome.ts'
import { createCallingClock, DEMO_CALLING_HOURS } from './hours.ts'
import { placeOf } from './may-we-call.ts'
import { type CallOutcomeName, callOutcomeNames, callOutcomes, tickedAtFirst } from './outcomes.ts'
import { planOf } from './plan.ts'
import { nextKind, type Standing } from './standing.ts'
import { type Story, tell } from './story.ts'
import type { NewEvent, StoryEvent } from './story-events.ts'
import { createWaitingTime } from './waiting-time.ts'
import { whoseCall } from './whose-call.ts'

const NOW = Date.parse('2030-01-15T15:00Z')
const [here, elsewhere] = ['2125550101', '2125550102']

const lead = (id: string, name: string, more: Partial<LeadToCall & { dateOfBirth: string }> = {}): LeadToCall => {
  const { dateOfBirth = '1950-01-01', phone = here, email = `${name}@example.org`, ...rest } = more
  const [firstName = '', lastName = 'Lee'] = name.split(' ')
  const contact = { ...contactOf(id), firstName, lastName, dateOfBirth, email: email ?? '', phone: phone ?? '' }
  const known = { state: 'accepted' as const, language: 'en', receivedAt: NOW - HOUR, repeatOf: null, replacedBy: null }
  return { id, phone, email, contact, ...known, ...rest }
}

/** The first one's page it is. */
const households: readonly (readonly [title: string, leads: readonly LeadToCall[], reached: string | null])[] = [
  ['one person', [lead('ada', 'Ada')], null],
  ['a couple', [lead('ada', 'Ada'), lead('bob', 'Bob')], null],
  ['a couple, one of them reached', [lead('ada', 'Ada'), lead('bob', 'Bob')], 'bob'],
  [
    'a couple with one address',
    [lead('ada', 'Ada', { email: 'lee@example.org' }), lead('bob', 'Bob', { email: 'lee@example.org' })],
    null,
  ],
  ['twins', [lead('ada', 'Ada'), lead('eve', 'Eve')], 'eve'],
  [
    'a father and a son of one name',
    [lead('dad', 'Bob'), lead('son', 'Bob', { dateOfBirth: '1980-01-01', email: 'son@example.org' })],
    null,
  ],
  [
    'both parents, with their daughter’s date',
    [lead('mom', 'Ada', { dateOfBirth: '1980-01-01' }), lead('dad', 'Bob', { dateOfBirth: '1980-01-01' })],
    null,
  ],
  [
    'one person twice, and her husband',
    [lead('ada', 'Ada'), lead('again', 'Ada', { email: 'work@example.org' }), lead('bob', 'Bob')],
    'bob',
  ],
]
const ways = ['dialed', 'incoming', 'another phone'] as const

const event = (kind: string, minutesAgo: number, more: object) =>
  ({
    kind,
    at: NOW - minutesAgo * MINUTE,
    by: maria,
    id: kind,
    leadId: 'ada',
    place: 'NY Eastern',
    ...more,
  }) as NewEvent
const numbered = (events: readonly NewEvent[]) => events.map((each, index) => ({ ...each, n: index + 1 }) as StoryEvent)

function factsOf(
  leads: readonly LeadToCall[],
  events: readonly StoryEvent[],
  more: Partial<OutcomeFacts> = {},
): OutcomeFacts & { readonly events: readonly StoryEvent[] } {
  const story = tell(events)
  const plan = planOf(story)
  const clock = createCallingClock(DEMO_CALLING_HOURS)
  const claim = { personId: maria.id, name: maria.name, since: NOW - MINUTE, expiresAt: NOW + HOUR, dialed: 0 }
  const who = { personId: maria.id, at: NOW }
  const [first] = leads as [LeadToCall]
  const emails = leads.map(({ email }) => email ?? '')
  return {
    at: NOW,
    person: maria,
    lead: first,
    events,
    story,
    now: {
      closed: null,
      number: { plan, place: placeOf(here, plan), closed: null, claim: null },
      whose: whoseCall(story, claim, who),
      claim,
    },
    situation: {
      ...who,
      clock,
      waitingTime: createWaitingTime(clock),
      languages: ['en'],
      colleaguesSpeak: new Set(),
      agents: new Set([maria.id]),
    },
    here: leads,
    chains: leads,
    elsewhere: leads.map(each => ({
      ...each,
      id: `${each.id} elsewhere`,
      phone: elsewhere,
      receivedAt: NOW - 2 * HOUR,
    })),
    sharedEmails: new Set(emails.filter((email, index) => emails.indexOf(email) !== index)),
    ids: { saved: 'saved', noteId: null },
    ...more,
  }
}

function decided(request: CallToSave, facts: ReturnType<typeof factsOf>) {
  const result = decideOutcome(request, facts)
  if (result.kind !== 'decided') throw new Error(JSON.stringify(result))
  const after = tell([
    ...facts.events,
    ...numbered(result.said).map(each => ({ ...each, n: facts.events.length + each.n })),
  ] as StoryEvent[])
  return { ...result, after }
}

/** Everyone alone, and everyone but one. */
const ticks = <Item>(items: readonly Item[]): readonly (readonly Item[])[] => [
  ...items.map(item => [item]),
  ...items.map(item => items.filter(other => other !== item)),
  items,
]

/** What an outcome must not change for those whom it isn’t about. */
const fateOf = ({ standings }: Story, id: string) => {
  const { answer, promise, isNew } = standings.get(id) as Standing
  return { answer, promise, isNew, isCalled: nextKind(standings.get(id) as Standing) !== null }
}

describe.each(households)('%s', (_, leads, reached) => {
  test.each(ways)('nobody else is closed, promised, or silenced, and everyone else is called: %s', way => {
    const first = leads[0]?.id
    const submitted = leads.map(({ id }) => event('submitted', 60, { leadId: id, desk: true, language: 'en' }))
    const known = leads
      .filter(({ id }) => id === reached)
      .map(({ id }) =>
        event('said', 50, {
          dial: null,
          with: null,
          calledAt: null,
          outcome: 'call back',
          callbackAt: NOW + 9 * HOUR,
          leads: [id],
        }),
      )
    const start = way === 'another phone' ? [] : [event(way, 2, { leadId: first, reason: null })]
    const facts = factsOf(leads, numbered([...submitted, ...known, ...start]))
    const people = peopleAmong(
      leads.map(({ id, contact }) => ({ ...(contact as NonNullable<typeof contact>), id })),
    ).map(person => ({
      ids: person.map(({ id }) => id),
      wasReached: person.some(({ id }) => id === reached),
    }))
    const before = tell(numbered([...submitted, ...known]))
    for (const outcome of callOutcomeNames) {
      const { follows, stops } = callOutcomes[outcome]
      if (way === 'incoming' && follows === 'retry') continue
      for (const ticked of [tickedAtFirst(people, outcome), ...ticks(people)].filter(each => each.length > 0)) {
        const about = ticked.flatMap(({ ids }) => ids)
        const callbackAt = follows === 'callback' ? NOW + 9 * HOUR : null
        const {
          after,
          entries,
          elsewhere: others,
          wrongNumber,
        } = decided({ outcomes: [{ outcome, leads: about, callbackAt }] }, facts)
        const rest = leads.filter(({ id }) => !about.includes(id))
        const isSilenced = entries.includes(here)
        if (follows !== 'retry') {
          for (const { id } of rest) expect(fateOf(after, id)).toEqual(fateOf(before, id))
          for (const id of about) expect(fateOf(after, id).promise?.at ?? null).toBe(callbackAt)
        }
        // Everyone is called or answered, if the list doesn’t silence the number, which only two outcomes say.
        for (const { id } of leads) expect(fateOf(after, id).isCalled || fateOf(after, id).answer !== null).toBe(true)
        expect(isSilenced).toBe(stops === 'who asked' || (stops !== null && rest.length === 0))
        expect(wrongNumber).toEqual(stops === 'if nobody is there' && rest.length > 0 ? about : [])
        const own = leads.filter(({ id }) => about.includes(id)).flatMap(({ email }) => email ?? [])
        const alone = own.filter(email => !facts.sharedEmails.has(email))
        expect(entries.filter(entry => entry !== here)).toEqual(
          stops === 'who asked' ? [...new Set([elsewhere, ...alone])] : [],
        )
        const answered = others.flatMap(each => each.event.leads)
        expect(answered.toSorted()).toEqual(
          callOutcomes[outcome].answersOtherNumbers ? about.map(id => `${id} elsewhere`).toSorted() : [],
        )
      }
    }
  })
})

test.each([
  ['going ahead', true],
  ['not interested', true],
  ['wrong number', false],
] as const)('a wrong number, where someone else’s calls ended with “%s”: they’re still there: %s', (ended, isThere) => {
  const leads = [lead('ada', 'Ada'), lead('bob', 'Bob')]
  const submitted = leads.map(({ id }) => event('submitted', 60, { leadId: id, desk: true, language: 'en' }))
  const saidOfBob = { dial: null, with: null, calledAt: null, outcome: ended, callbackAt: null, leads: ['bob'] }
  const facts = factsOf(leads, numbered([...submitted, event('said', 50, saidOfBob)]))
  const { entries, wrongNumber } = decided({ outcomes: [{ outcome: 'wrong number', leads: ['ada'] }] }, facts)
  expect([entries, wrongNumber]).toEqual(isThere ? [[], ['ada']] : [[here], []])
})

test('someone else who forbids the number stops it alone, and answers for nobody', () => {
  const leads = [lead('ada', 'Ada'), lead('bob', 'Bob')]
  const submitted = leads.map(({ id }) => event('submitted', 60, { leadId: id, desk: true, language: 'en' }))
  const forbidden = { outcome: 'never call again', leads: ['ada'], asked: 'someone else' } as const
  const { said, entries, elsewhere: others } = decided({ outcomes: [forbidden] }, factsOf(leads, numbered(submitted)))
  expect([said.map(each => each.leads), entries, others]).toEqual([[[]], [here], []])
})

describe('several outcomes of one call', () => {
  const [ada, bob] = [lead('ada', 'Ada'), lead('bob', 'Bob')]
  const submitted = [ada, bob].map(({ id }) => event('submitted', 60, { leadId: id, desk: true, language: 'en' }))
  const facts = factsOf([ada, bob], numbered([...submitted, event('dialed', 2, { reason: null })]))
  const said = (leadId: string, outcome: CallOutcomeName, minutes: number | null = null) => ({
    outcome,
    leads: [leadId],
    callbackAt: minutes === null ? null : NOW + 5 * HOUR + minutes * MINUTE,
  })
  const refusal = (...outcomes: CallToSave['outcomes']) => {
    const result = decideOutcome({ outcomes }, facts)
    return result.kind === 'callback refused' ? result.message : null
  }

  test('answer each, and promises leave room for each other', () => {
    expect(refusal(said('ada', 'going ahead'), said('bob', 'call back', 0))).toBe(null)
    expect(refusal(said('ada', 'call back', 0), said('bob', 'call back', 0))).toBe(null)
    expect(refusal(said('ada', 'call back', 0), said('bob', 'call back', 30))).toContain('promised another callback')
    expect(refusal(said('ada', 'call back', 0), said('bob', 'call back', 60))).toBe(null)
  })

  test('someone else’s answer is a try for those whom no other names, and a promise is apart', () => {
    const promise = said('ada', 'someone else', 0)
    const lines = (...outcomes: CallToSave['outcomes']) =>
      decided({ outcomes }, facts).said.map(({ outcome, leads, callbackAt }) => [outcome, leads, callbackAt !== null])
    expect(lines(promise)).toEqual([
      ['someone else', ['bob'], false],
      ['someone else', ['ada'], true],
    ])
    expect(lines(promise, said('bob', 'going ahead'))).toEqual([
      ['someone else', ['ada'], true],
      ['going ahead', ['bob'], false],
    ])
    expect(lines(said('ada', 'someone else'), said('bob', 'going ahead'))).toEqual([
      ['someone else', ['ada'], false],
      ['going ahead', ['bob'], false],
    ])
  })

  test('who came in after the dial wasn’t tried', () => {
    const events = [submitted[0], event('dialed', 2, { reason: null }), submitted[1]] as readonly NewEvent[]
    for (const outcome of ['no answer', 'someone else'] as const) {
      const { said: saved, after } = decided(
        { outcomes: [said('ada', outcome)] },
        factsOf([ada, bob], numbered(events)),
      )
      expect(saved.map(({ leads }) => leads)).toEqual([['ada']])
      expect([...after.standings.values()].map(({ tried }) => tried.length)).toEqual([1, 0])
    }
  })

  test('nobody is promised a call to a number that goes on the list', () => {
    expect(refusal(said('ada', 'never call again'), said('bob', 'call back', 0))).toContain('do-not-call list')
  })
})

describe('leads that took each other’s place', () => {
  const old = lead('ada', 'Ada', { replacedBy: 'next', state: 'repeat' })
  const next = (more: Partial<LeadToCall> = {}) => lead('next', 'Ada', { phone: elsewhere, ...more })
  const events = numbered([
    event('submitted', 60, { desk: true, language: 'en' }),
    event('dialed', 5, { reason: null }),
    event('replaced', 3, { replacedBy: 'next' }),
  ])
  const decide = (after: LeadToCall, outcome: CallOutcomeName) =>
    decided(
      { outcomes: [{ outcome, leads: ['ada'] }] },
      factsOf([old], events, { chains: [old, after], elsewhere: [] }),
    )

  test.each([
    ['going ahead', [{ phone: elsewhere, leads: ['next'] }]],
    ['wrong number', []],
  ] as const)('%s during the call', (outcome, answered) => {
    const { elsewhere: others } = decide(next(), outcome)
    expect(others.map(({ phone, event: { leads } }) => ({ phone, leads }))).toEqual(answered)
  })

  test('one on hold is answered once it’s approved, which takes over what was said', () => {
    const { elsewhere: others, after } = decide(next({ state: 'held' }), 'going ahead')
    expect(others).toEqual([])
    expect(after.replaced.get('ada')?.standing.answer).toBe('going ahead')
  })

  test('a stop covers all of them, from any of them', () => {
    const [first, last] = [lead('ada', 'Ada', { replacedBy: 'next', email: '' }), next({ email: '' })]
    const stop = [{ outcome: 'never call again', leads: ['next'] }] as const
    const facts = factsOf([{ ...last, phone: here }], events, {
      chains: [{ ...first, phone: elsewhere }, last],
      elsewhere: [],
    })
    const request = { outcomes: stop, phone: here }
    expect(decided(request, facts).entries).toEqual([here, elsewhere])
  })
})
