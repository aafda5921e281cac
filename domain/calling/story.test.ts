/** Stories and what follows from them: one line per case, then properties over any story. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../durations.ts'
import { MAX_ATTEMPTS } from './attempts.ts'
import { type CallOutcomeName, callOutcomeNames, REDIALED, UNRECORDED } from './outcomes.ts'
import { planOf } from './plan.ts'
import { mayRedial, meantBy, movedRequest, type NewEvent, type StoryEvent, tell } from './story.ts'

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
const unsaid = { dial: null, calledAt: null, callbackAt: null, leads: null, noteId: null }
const said = (minutes: number, outcome: CallOutcomeName, more: object = {}) =>
  event('said', minutes, { outcome, place: 'NY Eastern', ...unsaid, ...more })
const promised = (minutes: number, callback: number, more: object = {}) =>
  said(minutes, 'call back', { callbackAt: at(callback), ...more })
const corrected = (minutes: number, corrects: number) => event('corrected', minutes, { corrects })
const preferred = (minutes: number, from: number, leadId = 'ada') =>
  event('preferred', minutes, { leadId, time: { from: at(from), until: at(from + 180) } })

const numbered = (events: readonly Given[]) => events.map((event, index) => ({ ...event, n: index + 1 }) as StoryEvent)

/** "new ada 0": what's next, for whom, and when, with the earliest promise. */
function outlook(events: readonly Given[]): string {
  const { kind, leadId, notBefore, promise } = planOf(tell(numbered(events)))
  const minutes = (instant: number) => Math.round((instant - START) / MINUTE)
  const next = kind === null ? 'none' : `${kind} ${leadId} ${minutes(notBefore)}`
  return promise && kind !== 'callback' ? `${next}, promised ${promise.leadId} ${minutes(promise.at)}` : next
}

const unanswered = (count: number) => Array.from({ length: count }, (_, index) => said(index * 1440, 'no answer'))

const cases: readonly (readonly [title: string, story: readonly Given[], plan: string])[] = [
  ['nothing yet', [], 'none'],
  ['a new request', [submitted(0)], 'new ada 0'],
  ['submitted again, before anyone called', [submitted(0), submitted(5)], 'new ada 5'],
  ['for a CRM only', [submitted(0, 'ada', { desk: false })], 'none'],
  ['for a CRM only, but promised here', [submitted(0, 'ada', { desk: false }), promised(5, 90)], 'callback ada 90'],
  ['no answer', [submitted(0), said(5, 'no answer')], 'retry ada 65'],
  ['called us, and hung up', [submitted(0), incoming(5)], 'new ada 0'],
  ['called us, and it was settled', [submitted(0), incoming(5), said(9, 'going ahead', { dial: 2 })], 'none'],
  ['called us, and we promised', [submitted(0), incoming(5), promised(9, 90, { dial: 2 })], 'callback ada 90'],
  ['called us between two tries', [submitted(0), said(5, 'no answer'), incoming(20)], 'retry ada 65'],
  [
    'called us, and it was undone',
    [submitted(0), incoming(5), said(9, 'going ahead', { dial: 2 }), corrected(10, 3)],
    'new ada 0',
  ],
  ['dialed, and nobody has said what happened', [submitted(0), dialed(5)], 'retry ada 65'],
  ['the second voicemail', [submitted(0), said(5, 'voicemail'), said(65, 'voicemail')], 'retry ada 305'],
  ['six tries', [submitted(0), ...unanswered(MAX_ATTEMPTS)], 'none'],
  ['six tries, the last one without an outcome', [submitted(0), ...unanswered(5), dialed(7200)], 'retry ada 7440'],
  ['not interested', [submitted(0), said(5, 'not interested')], 'none'],
  ['no answer after the end', [submitted(0), said(5, 'going ahead'), said(90, 'no answer')], 'none'],
  ['submitted again after the end', [submitted(0), said(5, 'going ahead'), submitted(90)], 'new ada 90'],
  [
    'submitted during the call',
    [submitted(0), dialed(5), submitted(7), said(9, 'going ahead', { dial: 2 })],
    'new ada 7',
  ],
  ['promised', [submitted(0), promised(5, 120)], 'callback ada 120'],
  ['promised, then submitted again', [submitted(0), promised(5, 120), submitted(20)], 'new ada 20, promised ada 120'],
  ['promised, then no answer long before', [submitted(0), promised(5, 300), said(80, 'no answer')], 'callback ada 300'],
  ['promised, called then, no answer', [submitted(0), promised(5, 300), said(301, 'no answer')], 'retry ada 361'],
  ['promised, called ten minutes early', [submitted(0), promised(5, 300), said(290, 'no answer')], 'retry ada 350'],
  ['promised after the end', [submitted(0), said(5, 'not interested'), promised(80, 300)], 'callback ada 300'],
  [
    'a promise saved late, after a colleague’s call',
    [
      submitted(0),
      dialed(5),
      dialed(70, bob),
      said(75, 'no answer', { dial: 3, by: bob }),
      promised(80, 300, { dial: 2 }),
    ],
    'callback ada 300',
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
  ['a couple: one answer for both', [submitted(0), submitted(1, 'bob'), said(5, 'not interested')], 'none'],
  [
    'a couple: for one of them',
    [submitted(0), submitted(1, 'bob'), said(5, 'going ahead', { leads: ['ada'] })],
    'new bob 1',
  ],
  ['a couple: no answer counts for both', [submitted(0), submitted(1, 'bob'), said(5, 'no answer')], 'retry ada 65'],
  [
    'a couple: one promised, the other submits',
    [submitted(0), promised(5, 300), submitted(20, 'bob')],
    'new bob 20, promised ada 300',
  ],
  [
    'a couple: two promises, the earlier one first',
    [submitted(0), submitted(1, 'bob'), promised(5, 300, { leads: ['ada'] }), promised(80, 200, { leads: ['bob'] })],
    'callback bob 200',
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
  ['corrected to another number', [submitted(0), promised(5, 300), event('moved out', 60)], 'none'],
  [
    'answered on another number',
    [submitted(0), event('answered', 9, { outcome: 'going ahead', leads: ['ada'] })],
    'none',
  ],
  ['undone', [submitted(0), said(5, 'not interested'), corrected(6, 2)], 'new ada 0'],
  [
    'undone, although others’ events followed',
    [submitted(0), said(5, 'not interested'), submitted(7, 'bob'), corrected(8, 2)],
    'new bob 7',
  ],
  ['a dial taken back', [submitted(0), dialed(5), corrected(5.2, 2)], 'new ada 0'],
  [
    'carried over from 0.7.0',
    [submitted(0), said(5, 'no answer'), event('planned', 9, { dueAt: at(99) })],
    'retry ada 99',
  ],
]

test.each(cases)('%s', (_, story, plan) => {
  expect(outlook(story)).toBe(plan)
})

test('when we called next counts our calls, not theirs', () => {
  const { calls } = tell(numbered([submitted(0), dialed(5), incoming(30), dialed(90)]))
  expect(calls.map(({ nextAt }) => nextAt)).toEqual([at(90), at(90), null])
})

describe('dials', () => {
  const dials = (...events: readonly Given[]) => tell(numbered(events)).dials.map(time => (time - START) / MINUTE)

  test('calls that come in don’t count, and aren’t dropped calls of ours', () => {
    expect(dials(incoming(0), said(5, 'call back', { dial: 1 }))).toEqual([])
    expect(mayRedial(tell(numbered([incoming(0)])), maria.id, at(1))).toBe(false)
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
      mayRedial(tell(numbered(events)), person.id, at(minutes))
    expect(redial(9, maria, dialed(0))).toBe(true)
    expect(redial(10, maria, dialed(0))).toBe(false)
    expect(redial(9, bob, dialed(0))).toBe(false)
    expect(redial(9, maria, dialed(0), dialed(5))).toBe(false)
    expect(redial(9, maria, dialed(0), said(5, 'no answer', { dial: 1 }))).toBe(false)
  })
})

describe('figures', () => {
  const calls = (...events: readonly Given[]) =>
    tell(numbered(events)).calls.map(({ outcome, waitingSince, kept }) => [
      outcome,
      waitingSince === null ? null : (waitingSince - START) / MINUTE,
      kept,
    ])

  test('a first call is the first one since the person submitted, and counts once', () => {
    expect(calls(submitted(0), dialed(5), dialed(7), said(9, 'no answer', { dial: 3 }), said(80, 'voicemail'))).toEqual(
      [
        [REDIALED, 0, null],
        ['no answer', null, null],
        ['voicemail', null, null],
      ],
    )
    expect(
      calls(submitted(0), said(5, 'going ahead'), said(80, 'voicemail'), submitted(90), said(180, 'voicemail')),
    ).toEqual([
      ['going ahead', 0, null],
      ['voicemail', null, null],
      ['voicemail', 90, null],
    ])
    expect(calls(submitted(0), said(5, 'going ahead'), corrected(6, 2), said(7, 'no answer'))).toEqual([
      ['no answer', 0, null],
    ])
  })

  test('a promise is kept by a call within 15 minutes, also if another request of the number was called', () => {
    const keptBy = (minutes: number, more: object = {}) =>
      calls(submitted(0), promised(5, 120), said(minutes, 'no answer', more))[0]?.[2]
    expect([104, 105, 134, 135].map(minutes => keptBy(minutes))).toEqual([null, true, true, false])
    expect(keptBy(125, { leadId: 'bob' })).toBe(true)
    expect(calls(submitted(0), promised(5, 120), said(60, 'not interested'))[0]?.[2]).toBe(true)
    const calledUs = (minutes: number) =>
      calls(submitted(0), promised(5, 120), incoming(minutes), said(140, 'going ahead', { dial: 3 }))
    expect([60, 135].map(minutes => calledUs(minutes)[0]?.[2])).toEqual([true, false])
    expect(calls(submitted(0), incoming(5), dialed(9))).toEqual([
      [UNRECORDED, null, null],
      [UNRECORDED, 0, null],
    ])
  })
})

/** A request as it moves to another number, after these events on the old number. */
function movedAfter(events: readonly Given[], minutes: number): Given {
  const request = tell(numbered(events)).requests.get('ada')
  if (!request) throw new Error('There is no request.')
  return event('moved in', minutes, { request: movedRequest(request, at(minutes)) })
}

test.each([
  ['a new request', [submitted(0)], 'new ada 0'],
  ['a promise', [submitted(0), promised(5, 300)], 'callback ada 300'],
  ['tries, which start again', [submitted(0), said(5, 'no answer')], 'retry ada 60'],
  ['a wrong number, which is called again', [submitted(0), said(5, 'wrong number')], 'retry ada 60'],
  ['an answer', [submitted(0), said(5, 'not interested')], 'none'],
] as const)('what moves to another number: %s', (_, story, plan) => {
  expect(outlook([movedAfter(story, 60)])).toBe(plan)
})

test('a promise that moved to another number counts there, unless it was missed before', () => {
  const keptBy = (...later: readonly Given[]) => {
    const moved = movedAfter([submitted(0), promised(5, 120)], 60)
    return tell(numbered([moved, ...later])).movedPromises.map(({ by, kept }) => [by.name, kept])
  }
  expect(keptBy()).toEqual([['Maria', null]])
  expect(keptBy(said(134, 'no answer'))).toEqual([['Maria', true]])
  expect(keptBy(said(135, 'no answer'))).toEqual([['Maria', false]])
  expect(tell(numbered([movedAfter([submitted(0), promised(5, 120)], 135)])).movedPromises).toEqual([])
})

test('an outcome is about the requests that were open where it stands', () => {
  const story = numbered([submitted(0), submitted(1, 'bob'), dialed(5), submitted(7, 'carl')])
  const about = (more: object = {}) => meantBy(story, { dial: 3, leads: null, leadId: 'ada', ...more })
  expect(about()).toEqual(['ada', 'bob'])
  expect(about({ dial: null })).toEqual(['ada', 'bob', 'carl'])
  expect(about({ leads: ['bob'] })).toEqual(['bob'])
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
          leads: about ? [about] : null,
          callbackAt: outcome === 'call back' ? at(when + 90) : null,
        }),
      ),
    minutes.map(when => event('skipped', when)),
  )

  test('taking back the last outcome gives the plan from before it', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.constantFrom(...callOutcomeNames), (events, outcome) => {
        const last = said(5000, outcome, { callbackAt: outcome === 'call back' ? at(6000) : null })
        const undone = [...events, last, corrected(5001, events.length + 1)]
        expect(tell(numbered(undone))).toEqual(tell(numbered(events)))
      }),
    )
  })

  test('a submission is always called, and an end is one until someone submits or asks for a call', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), events => {
        expect(planOf(tell(numbered([...events, submitted(5000)]))).kind).toBe('new')
        const ended = [...events, said(5000, 'not interested', { leads: ['ada', 'bob'] })]
        expect(planOf(tell(numbered(ended))).kind).toBeNull()
        expect(planOf(tell(numbered([...ended, said(5100, 'no answer'), dialed(5200)]))).kind).toBeNull()
      }),
    )
  })

  test('the earliest promise is one that was made, is open, and is the earliest', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 12 }), events => {
        const { requests } = tell(numbered(events))
        const open = [...requests.values()]
          .filter(({ answer }) => answer === null)
          .flatMap(({ promise }) => promise ?? [])
        const { promise } = planOf(tell(numbered(events)))
        expect(promise?.at ?? null).toBe(open.length === 0 ? null : Math.min(...open.map(each => each.at)))
      }),
    )
  })
})
