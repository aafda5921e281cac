/** Stories and what follows from them: one line per case, then properties over any story. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../durations.ts'
import { MAX_TRIES } from './call-limits.ts'
import { createCallingClock, DEMO_CALLING_HOURS } from './hours.ts'
import { mayRedial } from './made-calls.ts'
import { type CallOutcomeName, callbackOf, callOutcomeNames, callOutcomes, REDIALED, UNRECORDED } from './outcomes.ts'
import { nextCall, planOf } from './plan.ts'
import { openStandings, tell } from './story.ts'
import type { NewEvent, StoryEvent, TakenOver } from './story-events.ts'

const [maria, bob] = [
  { id: 'maria', name: 'Maria' },
  { id: 'bob', name: 'Bob' },
]
/** Times in minutes after this. */
const START = Date.parse('2030-01-15T15:00Z')
const at = (minutes: number) => START + minutes * MINUTE
type Given = Omit<NewEvent, 'at'> & { readonly at: number }

/** An event, about Ada and by Maria unless `more` says otherwise. */
const event = (kind: string, minutes: number, more: object = {}) =>
  ({ kind, at: at(minutes), id: `${kind} ${minutes}`, leadId: 'ada', by: maria, ...more }) as Given
const submitted = (minutes: number, leadId = 'ada', more: object = {}) =>
  event('submitted', minutes, { leadId, desk: true, language: 'en', ...more })
const dialed = (minutes: number, by = maria) => event('dialed', minutes, { by, place: 'NY Eastern', reason: null })
const incoming = (minutes: number) => event('incoming', minutes, { place: 'NY Eastern' })
const unsaid = { dial: null, with: null, calledAt: null, callbackAt: null, leads: ['ada'], noteId: null }
const said = (minutes: number, outcome: CallOutcomeName, more: object = {}) =>
  event('said', minutes, { outcome, place: 'NY Eastern', ...unsaid, ...more })
const promised = (minutes: number, callback: number, more: object = {}) =>
  said(minutes, 'call back', { callbackAt: at(callback), ...more })
const corrected = (minutes: number, corrects: number) => event('corrected', minutes, { corrects })
const preferred = (minutes: number, from: number, leadId = 'ada') =>
  event('preferred', minutes, { leadId, time: { from: at(from), until: at(from + 180) } })

const numbered = (events: readonly Given[]) => events.map((event, index) => ({ ...event, n: index + 1 }) as StoryEvent)

/** A lead of another number goes on here. */
const takenOver = (more: Partial<TakenOver> = {}): TakenOver => ({
  desk: true,
  language: 'en',
  askedAt: at(0),
  isNew: true,
  promise: null,
  preferred: null,
  answer: null,
  outcomes: [],
  last: null,
  dials: [],
  place: null,
  ...more,
})
const replaces = (minutes: number, more: Partial<TakenOver> = {}, leadId = 'ada') =>
  event('replaces', minutes, { leadId, from: ['before'], takenOver: takenOver(more) })
const replaced = (minutes: number, leadId = 'ada') => event('replaced', minutes, { leadId, replacedBy: 'next' })

/** "new ada 0": what's next a week later, for whom, and since when, with the earliest promise. */
function outlook(events: readonly Given[]): string {
  const plan = planOf(tell(numbered(events)))
  const next = nextCall({ ...plan, promises: [] }, null, {
    at: at(9000),
    clock: createCallingClock(DEMO_CALLING_HOURS),
  })
  const minutes = (instant: number) => Math.round((instant - START) / MINUTE)
  const parts = [
    ...(next ? [`${next.kind} ${next.leadId} ${minutes(next.dueAt)}`] : []),
    ...plan.promises.map(promise => `promised ${promise.leadId} ${minutes(promise.at)}`),
  ]
  return parts.join(', ') || 'none'
}

const phoned = (minutes: number, leadId = 'ada') => submitted(minutes, leadId, { spoken: true })

test.each<[string, readonly Given[], number | null]>([
  ['sent the form', [submitted(0)], null],
  ['said yes on the phone', [phoned(0)], 0],
  ['said yes on the phone twice', [phoned(0), phoned(90)], 90],
  ['said yes, and isn’t interested', [phoned(0), said(5, 'not interested')], 0],
  ['sent the form, then said yes', [submitted(0), phoned(90)], null],
  ['said yes, then sent the form', [phoned(0), submitted(90)], null],
  ['said yes, beside someone who sent the form', [phoned(0), submitted(0, 'bea')], null],
  ['gave another number on the phone', [replaces(20, { spoken: true })], 20],
  ['approved later', [submitted(50, 'ada', { spoken: true, askedAt: at(20) })], 20],
])('someone who %s may be called since then without a signature', (_, events, since) => {
  expect(planOf(tell(numbered(events))).spokenAt).toBe(since === null ? null : at(since))
})

const unanswered = (count: number) => Array.from({ length: count }, (_, index) => said(index * 1440, 'no answer'))

const cases: readonly (readonly [title: string, story: readonly Given[], plan: string])[] = [
  ['nothing yet', [], 'none'],
  ['a new request', [submitted(0)], 'new ada 0'],
  ['submitted again, before anyone called', [submitted(0), submitted(5)], 'new ada 5'],
  ['for a CRM only', [submitted(0, 'ada', { desk: false })], 'none'],
  ['for a CRM only, but promised here', [submitted(0, 'ada', { desk: false }), promised(5, 90)], 'promised ada 90'],
  ['no answer', [submitted(0), said(5, 'no answer')], 'retry ada 65'],
  ['called us, and hung up', [submitted(0), incoming(5)], 'new ada 0'],
  ['called us, and it was settled', [submitted(0), incoming(5), said(9, 'going ahead', { dial: 2 })], 'none'],
  ['called us, and we promised', [submitted(0), incoming(5), promised(9, 90, { dial: 2 })], 'promised ada 90'],
  ['called us between two tries', [submitted(0), said(5, 'no answer'), incoming(20)], 'retry ada 65'],
  ['dialed, and nobody has said what happened', [submitted(0), dialed(5)], 'retry ada 65'],
  ['the second voicemail', [submitted(0), said(5, 'voicemail'), said(65, 'voicemail')], 'retry ada 305'],
  ['six tries', [submitted(0), ...unanswered(MAX_TRIES)], 'none'],
  ['six tries, the last one without an outcome', [submitted(0), ...unanswered(5), dialed(7200)], 'retry ada 7440'],
  [
    'someone who speaks another language',
    [submitted(0), ...unanswered(5), said(7200, 'other language')],
    'retry ada 7260',
  ],
  ['not interested', [submitted(0), said(5, 'not interested')], 'none'],
  ['no answer after the end', [submitted(0), said(5, 'going ahead'), said(90, 'no answer')], 'none'],
  ['submitted again after the end', [submitted(0), said(5, 'going ahead'), submitted(90)], 'new ada 90'],
  [
    'submitted during the call',
    [submitted(0), dialed(5), submitted(7), said(9, 'going ahead', { dial: 2 })],
    'new ada 7',
  ],
  ['promised', [submitted(0), promised(5, 120)], 'promised ada 120'],
  ['promised, then submitted again', [submitted(0), promised(5, 120), submitted(20)], 'new ada 20, promised ada 120'],
  ['promised, then no answer long before', [submitted(0), promised(5, 300), said(80, 'no answer')], 'promised ada 300'],
  ['promised, called then, no answer', [submitted(0), promised(5, 300), said(301, 'no answer')], 'retry ada 361'],
  ['promised, called ten minutes early', [submitted(0), promised(5, 300), said(290, 'no answer')], 'retry ada 350'],
  ['promised after the end', [submitted(0), said(5, 'not interested'), promised(80, 300)], 'promised ada 300'],
  [
    'a promise saved late, after a colleague’s call',
    [
      submitted(0),
      dialed(5),
      dialed(70, bob),
      said(75, 'no answer', { dial: 3, by: bob }),
      promised(80, 300, { dial: 2 }),
    ],
    'promised ada 300',
  ],
  [
    'a late no answer doesn’t undo what a colleague heard',
    [
      submitted(0),
      dialed(5),
      dialed(70, bob),
      said(75, 'going ahead', { dial: 3, by: bob }),
      said(80, 'no answer', { dial: 2 }),
    ],
    'none',
  ],
  [
    'a couple: one answer for both',
    [submitted(0), submitted(1, 'bob'), said(5, 'not interested', { leads: ['ada', 'bob'] })],
    'none',
  ],
  ['a couple: for one of them', [submitted(0), submitted(1, 'bob'), said(5, 'going ahead')], 'new bob 1'],
  [
    'a couple: an outcome for each, from one call',
    [
      submitted(0),
      submitted(1, 'bob'),
      dialed(5),
      said(9, 'going ahead', { dial: 3 }),
      promised(9, 300, { dial: 3, with: 'said 9', leads: ['bob'] }),
    ],
    'promised bob 300',
  ],
  [
    'a couple: a call for one doesn’t end the other’s promise',
    [submitted(0), promised(5, 300), submitted(20, 'bob'), said(80, 'going ahead', { leads: ['bob'] })],
    'promised ada 300',
  ],
  [
    'a couple: one call keeps both promises, and who wasn’t there is tried again',
    [submitted(0), submitted(1, 'bob'), promised(5, 300, { leads: ['ada', 'bob'] }), said(301, 'going ahead')],
    'retry bob 361',
  ],
  [
    'a couple: one would like the first call in days, the other is due',
    [submitted(0), said(5, 'no answer'), submitted(6, 'bob'), preferred(7, 6000, 'bob')],
    'new bob 6000',
  ],
  ['a couple: no answer counts for both', [submitted(0), submitted(1, 'bob'), said(5, 'no answer')], 'retry ada 65'],
  [
    'a couple: one promised, the other submits',
    [submitted(0), promised(5, 300), submitted(20, 'bob')],
    'new bob 20, promised ada 300',
  ],
  [
    'a couple: two promises, the earlier one first',
    [submitted(0), submitted(1, 'bob'), promised(5, 300), promised(80, 200, { leads: ['bob'] })],
    'promised bob 200, promised ada 300',
  ],
  [
    'a daughter erased, the mother not',
    [submitted(0), submitted(1, 'bob'), event('erased', 3, { leadId: 'bob' })],
    'new ada 0',
  ],
  ['would like a call later', [submitted(0), preferred(2, 300)], 'new ada 300'],
  ['would like a call later, but was called now', [submitted(0), preferred(2, 300), dialed(5)], 'retry ada 65'],
  ['would like a call later, and submits again', [submitted(0), preferred(2, 300), submitted(9)], 'new ada 9'],
  ['a couple: one would like a call later', [submitted(0), submitted(1, 'bob'), preferred(2, 300, 'bob')], 'new ada 0'],
  ['replaced, at another number', [submitted(0), promised(5, 300), replaced(60)], 'none'],
  ['replaced, then a late promise', [submitted(0), dialed(5), replaced(60), promised(61, 300)], 'none'],
  ['erased, then a promise from a stale page', [submitted(0), event('erased', 9), promised(10, 300)], 'none'],
  ['called, then set aside in 0.7.0', [submitted(0), promised(5, 300), event('set aside', 9)], 'none'],
  [
    'set aside in 0.7.0, then approved',
    [submitted(0), promised(5, 300), event('set aside', 9), submitted(20)],
    'new ada 20',
  ],
  ['replaces a new lead', [replaces(60)], 'new ada 60'],
  ['replaces someone we have spoken with', [replaces(60, { isNew: false })], 'retry ada 60'],
  ['replaces someone who said no', [replaces(60, { isNew: false, answer: 'not interested' })], 'none'],
  [
    'replaces someone with a promise',
    [replaces(60, { isNew: false, promise: { at: at(300), place: null, by: maria } })],
    'promised ada 300',
  ],
  [
    'what it took over was undone',
    [
      replaces(60, { isNew: false, promise: { at: at(300), place: null, by: maria } }),
      event('corrected', 70, { corrects: 1, takenOver: takenOver({ isNew: false }) }),
    ],
    'retry ada 60',
  ],
  [
    'replaces someone who would like a call later',
    [replaces(60, { preferred: { from: at(300), until: at(480) } })],
    'new ada 300',
  ],
  [
    'replaces a lead whose person wasn’t reached here',
    [submitted(0), ...unanswered(MAX_TRIES), replaces(8000)],
    'retry ada 8000',
  ],
  [
    'a couple: the husband came in during the call, and was promised',
    [submitted(0), dialed(5), submitted(7, 'bob'), promised(9, 300, { dial: 2, leads: ['bob'] })],
    'new ada 0, promised bob 300',
  ],
  ['replaces a lead whose person was answered here', [submitted(0), said(5, 'going ahead'), replaces(60)], 'none'],
  ['replaced and back: the number is called', [submitted(0), replaced(5), replaces(60, {}, 'next')], 'new next 60'],
  [
    'answered on another number',
    [submitted(0), event('answered', 9, { outcome: 'going ahead', leads: ['ada'] })],
    'none',
  ],
  [
    'promised on the call to the number before',
    [submitted(0), event('answered', 9, { outcome: 'call back', leads: ['ada'], callbackAt: at(300), place: null })],
    'promised ada 300',
  ],
  ['a dial taken back', [submitted(0), dialed(5), corrected(5.2, 2)], 'new ada 0'],
  [
    'carried over from 0.7.0',
    [submitted(0), said(5, 'no answer'), event('planned', 9, { dueAt: at(99) })],
    'retry ada 99',
  ],
]

/** Ada's and Bob's requests, then two calls in which someone else answered. */
const couple = [submitted(0), submitted(1, 'bob')]
const other = (minutes: number, more: object = {}) => said(minutes, 'someone else', { leads: ['ada', 'bob'], ...more })
const anyone = (minutes: number, more: object = {}) => said(minutes, 'never call again', { leads: [], ...more })
const withOther = { id: 'second', with: 'said 5', leads: ['bob'] }

test.each<[string, readonly Given[], string, readonly (readonly [string, number, string])[]]>([
  [
    'is a try for everyone',
    [other(5)],
    'retry ada 65',
    [
      ['ada', 1, 'someone else'],
      ['bob', 1, 'someone else'],
    ],
  ],
  [
    'is a try beside an outcome that ends',
    [other(5, { leads: ['ada'] }), said(5, 'going ahead', withOther)],
    'retry ada 65',
    [
      ['bob', 0, 'going ahead'],
      ['ada', 1, 'someone else'],
    ],
  ],
  [
    'keeps a promise that’s due, and leaves a later one',
    [promised(2, 90, { leads: ['bob'] }), promised(3, 500), other(80)],
    'retry bob 140, promised ada 500',
    [
      ['ada', 1, 'someone else'],
      ['bob', 1, 'someone else'],
    ],
  ],
  [
    'promises the person asked for a call, and resets no tries',
    [
      other(5),
      other(70, { leads: ['bob'] }),
      other(70, { id: 'second', with: 'said 70', leads: ['ada'], callbackAt: at(300) }),
    ],
    'retry bob 310, promised ada 300',
    [
      ['ada', 2, 'someone else'],
      ['bob', 2, 'someone else'],
    ],
  ],
  [
    'can be the last try',
    [1, 2, 3, 4, 5, 6].map(day => other(1440 * day)),
    'none',
    [
      ['ada', 6, 'someone else'],
      ['bob', 6, 'someone else'],
    ],
  ],
  [
    'and wants no calls: a try for everyone, who wasn’t reached',
    [anyone(5)],
    'retry ada 65',
    [
      ['ada', 1, 'someone else'],
      ['bob', 1, 'someone else'],
    ],
  ],
  ['and called us, to want no more calls: that’s no try', [incoming(5), anyone(6, { dial: 3 })], 'new bob 1', []],
  [
    'as a later version said',
    [said(5, 'gave an alibi' as CallOutcomeName, { leads: ['ada', 'bob'] })],
    'retry ada 65',
    [
      ['ada', 1, 'gave an alibi'],
      ['bob', 1, 'gave an alibi'],
    ],
  ],
])('someone else who answered %s', (_, events, plan, last) => {
  expect(outlook([...couple, ...events])).toBe(plan)
  const { calls, standings } = tell(numbered([...couple, ...events]))
  const lines = calls.at(-1)?.leads ?? []
  expect(lines.map(({ leadId, outcome }) => [leadId, standings.get(leadId)?.tried.length, outcome])).toEqual(last)
})

test.each(cases)('%s', (_, story, plan) => {
  expect(outlook(story)).toBe(plan)
})

describe('dials', () => {
  const dials = (...events: readonly Given[]) => tell(numbered(events)).dials.map(time => (time - START) / MINUTE)

  test('calls that come in don’t count, and aren’t dropped calls of ours', () => {
    expect(dials(incoming(0), said(5, 'call back', { dial: 1 }))).toEqual([])
    expect(mayRedial(tell(numbered([incoming(0)])).calls, maria.id, at(1))).toBe(false)
  })

  test('all count, also dropped ones and calls on another phone', () => {
    expect(
      dials(dialed(0), dialed(3), said(5, 'no answer', { dial: 2 }), said(90, 'voicemail', { calledAt: at(80) })),
    ).toEqual([80, 3, 0])
  })

  test('one that is taken back within 30 seconds doesn’t count, once in 24 hours', () => {
    expect(dials(dialed(0), corrected(0.4, 1))).toEqual([])
    expect(dials(dialed(0), corrected(0.6, 1))).toEqual([0])
    expect(dials(dialed(0), corrected(0.4, 1), dialed(90), corrected(90.4, 3))).toEqual([90])
    expect(dials(dialed(0), corrected(0.4, 1), dialed(1440), corrected(1440.4, 3))).toEqual([])
  })

  test('a dropped call may be dialed again once, by the same person, within ten minutes', () => {
    const redial = (minutes: number, person: typeof maria, ...events: readonly Given[]) =>
      mayRedial(tell(numbered(events)).calls, person.id, at(minutes))
    expect(redial(9, maria, dialed(0))).toBe(true)
    expect(redial(10, maria, dialed(0))).toBe(false)
    expect(redial(9, bob, dialed(0))).toBe(false)
    expect(redial(9, maria, dialed(0), dialed(5))).toBe(false)
    expect(redial(9, maria, dialed(0), said(5, 'no answer', { dial: 1 }))).toBe(false)
  })
})

describe('figures', () => {
  const calls = (...events: readonly Given[]) =>
    tell(numbered(events)).calls.map(({ outcome, waitingSince }) => [
      outcome,
      waitingSince === null ? null : (waitingSince - START) / MINUTE,
    ])

  test('a first call is the first one since the person submitted, and counts once', () => {
    expect(calls(submitted(0), dialed(5), dialed(7), said(9, 'no answer', { dial: 3 }), said(80, 'voicemail'))).toEqual(
      [
        [REDIALED, 0],
        ['no answer', null],
        ['voicemail', null],
      ],
    )
    expect(
      calls(submitted(0), said(5, 'going ahead'), said(80, 'voicemail'), submitted(90), said(180, 'voicemail')),
    ).toEqual([
      ['going ahead', 0],
      ['voicemail', null],
      ['voicemail', 90],
    ])
    expect(calls(submitted(0), said(5, 'going ahead'), corrected(6, 2), said(7, 'no answer'))).toEqual([
      ['no answer', 0],
    ])
    expect(calls(submitted(0), incoming(5), dialed(9))).toEqual([
      [UNRECORDED, null],
      [UNRECORDED, 0],
    ])
  })

  test('people wait from when they asked, each until their own first call', () => {
    expect(calls(submitted(60, 'ada', { askedAt: at(0) }), dialed(65))).toEqual([[UNRECORDED, 0]])
    expect(
      calls(submitted(0), submitted(3, 'bob'), said(5, 'going ahead'), said(90, 'not interested', { leads: ['bob'] })),
    ).toEqual([
      ['going ahead', 0],
      ['not interested', 3],
    ])
  })

  test('an outcome counts for those whom it names; without one, a call counts for everyone it tried', () => {
    const leadsOf = (...events: readonly Given[]) =>
      tell(numbered([submitted(0), submitted(1, 'bob'), ...events])).calls.map(({ leads }) =>
        leads.map(({ leadId, outcome }) => `${leadId}: ${outcome}`).join(),
      )
    expect(leadsOf(said(5, 'going ahead', { leads: ['bob'] }), dialed(90))).toEqual([
      'bob: going ahead',
      `ada: ${UNRECORDED}`,
    ])
    expect(leadsOf(said(5, 'no answer'))).toEqual(['ada: no answer,bob: no answer'])
    expect(leadsOf(incoming(5))).toEqual([`ada: ${UNRECORDED}`])
  })

  test('a promise is kept by a call within 15 minutes, no matter who was called on the number', () => {
    const keptBy = (...events: readonly Given[]) =>
      tell(numbered([submitted(0), promised(5, 120), ...events])).promises.map(({ kept }) => kept)
    expect([104, 105, 135, 136].map(minutes => keptBy(said(minutes, 'no answer'))[0])).toEqual([
      null,
      true,
      true,
      false,
    ])
    expect(keptBy(said(125, 'no answer', { leadId: 'bob' }))).toEqual([true])
    expect(keptBy(said(60, 'not interested'))).toEqual([true])
    const calledUs = (minutes: number) => keptBy(incoming(minutes), said(140, 'going ahead', { dial: 3 }))
    expect([60, 136].map(minutes => calledUs(minutes)[0])).toEqual([true, false])
  })

  test('a promise that moved to another number counts once, there', () => {
    expect(tell(numbered([submitted(0), promised(5, 120), replaced(60)])).promises).toEqual([])
    const there = replaces(60, { isNew: false, promise: { at: at(120), place: null, by: maria } })
    const keptBy = (...later: readonly Given[]) =>
      tell(numbered([there, ...later])).promises.map(({ by, kept }) => [by.name, kept])
    expect(keptBy()).toEqual([['Maria', null]])
    expect(keptBy(said(134, 'no answer'))).toEqual([['Maria', true]])
    expect(keptBy(said(135, 'no answer'))).toEqual([['Maria', true]])
    expect(keptBy(said(136, 'no answer'))).toEqual([['Maria', false]])
  })
})

test('a callback that was given to a colleague is theirs, and a later one isn’t', () => {
  const dial = { dial: 2 }
  const given = [submitted(0), dialed(5), promised(6, 120, dial), event('given', 9, { promises: [3], to: bob })]
  const promiseAfter = (...later: readonly Given[]) => {
    const { standings, promises } = tell(numbered([...given, ...later]))
    expect(promises.map(({ by }) => by)).toEqual([standings.get('ada')?.promise?.by])
    return standings.get('ada')?.promise
  }
  expect(promiseAfter()).toMatchObject({ at: at(120), by: bob })
  // A promise counts where its call was dialed, which was before.
  expect(promiseAfter(corrected(10, 3), promised(11, 180, dial))).toMatchObject({ at: at(180), by: maria })
})

test.each([
  [135, bob],
  [136, maria],
])(
  'a callback that’s given %i minutes in is the colleague’s turn; if it was missed by then, it’s still its maker’s',
  (minute, by) => {
    const given = [
      submitted(0),
      dialed(5),
      promised(6, 120, { dial: 2 }),
      event('given', minute, { promises: [3], to: bob }),
    ]
    const { standings, promises } = tell(numbered([...given, dialed(150)]))
    expect(promises).toMatchObject([{ by, kept: false }])
    expect(tell(numbered(given)).standings.get('ada')?.promise?.by).toBe(bob)
    expect(standings.get('ada')?.promise).toBeNull()
  },
)

test('a skipped call is back after 15 minutes; left for someone who speaks their language, after two hours', () => {
  const skips = (happened: Given) => tell(numbered([submitted(0), happened])).skips
  expect(skips(event('skipped', 5))).toEqual([{ by: 'maria', until: at(20) }])
  expect(skips(event('skipped', 5, { leaves: true }))).toEqual([{ by: 'maria', until: at(125) }])
  expect(skips(said(5, 'other language'))).toEqual([{ by: 'maria', until: at(125) }])
})

test('an outcome whose dial is too long ago to be read still stands', () => {
  expect(outlook([submitted(0), said(5, 'not interested', { dial: -1 })])).toBe('none')
})

describe('any story', () => {
  const minutes = fc.integer({ min: 0, max: 4000 })
  const leads = fc.constantFrom('ada', 'bob')
  const anyEvent: fc.Arbitrary<Given> = fc.oneof(
    fc.tuple(minutes, leads).map(([when, leadId]) => submitted(when, leadId)),
    fc.tuple(minutes, fc.constantFrom(maria, bob)).map(([when, by]) => dialed(when, by)),
    minutes.map(when => incoming(when)),
    fc
      .tuple(minutes, fc.constantFrom(...callOutcomeNames), fc.option(leads, { nil: undefined }))
      .map(([when, outcome, about]) =>
        said(when, outcome, {
          leads: about ? [about] : ['ada', 'bob'],
          callbackAt: callbackOf(outcome) === 'none' ? null : at(when + 90),
        }),
      ),
    minutes.map(when => event('skipped', when)),
    fc.tuple(minutes, leads).map(([when, leadId]) => replaced(when, leadId)),
    minutes.map(when =>
      replaces(when, { promise: { at: at(when + 90), place: null, by: maria }, isNew: false }, 'bob'),
    ),
  )

  test('an outcome that was undone leaves no trace, whatever happened since', () => {
    const someEvents = fc.array(anyEvent, { maxLength: 8 })
    fc.assert(
      fc.property(someEvents, fc.constantFrom(...callOutcomeNames), someEvents, (before, outcome, since) => {
        const dial = before.findLastIndex(({ kind }) => kind === 'dialed' || kind === 'incoming') + 1
        const last = said(5000, outcome, {
          dial: dial === 0 ? null : dial,
          callbackAt: callbackOf(outcome) === 'none' ? null : at(6000),
          leads: ['ada', 'bob'],
        })
        const events = numbered([...before, last, ...since, corrected(5001, before.length + 1)])
        const others = events.filter(({ n }) => n !== before.length + 1 && n !== events.length)
        expect(tell(events)).toEqual(tell(others))
      }),
    )
  })

  const kinds = (events: readonly Given[]) => planOf(tell(numbered(events))).calls.map(({ kind }) => kind)

  test('a submission is always called, and an end is one until someone submits or asks for a call', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), events => {
        expect(kinds([...events, submitted(5000)])).toContain('new')
        const ended = [...events, said(5000, 'not interested', { leads: ['ada', 'bob'] })]
        for (const later of [[], [said(5100, 'no answer'), dialed(5200)]]) {
          const story = tell(numbered([...ended, ...later]))
          expect(planOf(story)).toMatchObject({ calls: [], promises: [] })
        }
      }),
    )
  })

  test('an outcome says nothing about anyone whom it doesn’t name; if the call keeps their promise, that’s one try', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.constantFrom(...callOutcomeNames), (events, outcome) => {
        if (callOutcomes[outcome].follows === 'retry') return
        const callbackAt = outcome === 'call back' ? at(9000) : null
        const before = tell(numbered(events)).standings.get('bob')
        const { standings, promises } = tell(numbered([...events, said(5000, outcome, { callbackAt })]))
        const after = standings.get('bob')
        if (!before?.promise) {
          expect(after).toEqual(before)
          return
        }
        const { outcomes, last, tried, promise } = before
        expect(after).toMatchObject({ outcomes, last, promise: null, tried: [...tried, at(5000)] })
        const kept = at(5000) <= promise.at + 15 * MINUTE
        expect(promises).toContainEqual(expect.objectContaining({ n: promise.n, leadId: 'bob', kept }))
      }),
    )
  })

  test('what ended the calling of anyone, or was promised to them, was said about them', () => {
    const isWord = (outcome: string) =>
      outcome in callOutcomes && callOutcomes[outcome as CallOutcomeName].follows !== 'retry'
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), given => {
        const events = numbered(given)
        const { standings, calls } = tell(events)
        for (const [leadId, { outcomes, last, answer }] of standings) {
          const about = events.flatMap(event =>
            event.kind === 'said' && event.leads.includes(leadId) ? event.outcome : [],
          )
          const words = [...outcomes, last?.outcome ?? '', answer ?? ''].filter(isWord)
          expect(about).toEqual(expect.arrayContaining(words))
        }
        for (const { leads, said } of calls)
          for (const { leadId, outcome } of leads.filter(lead => isWord(lead.outcome)))
            expect(said.some(each => each.outcome === outcome && each.leads.includes(leadId))).toBe(true)
      }),
    )
  })

  test('promises are those that were made and are open, the earliest first', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), events => {
        const story = tell(numbered(events))
        const open = openStandings(story).flatMap(({ promise }) => promise?.at ?? [])
        expect(planOf(story).promises.map(promise => promise.at)).toEqual(open.toSorted((one, other) => one - other))
        for (const { n, leadId } of planOf(story).promises)
          expect(story.promises).toContainEqual(expect.objectContaining({ n, leadId, kept: null }))
      }),
    )
  })
})
