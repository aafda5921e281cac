import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionTexts } from '../content/questions.ts'
import {
  advance,
  currentQuestion,
  initialState,
  isEligible,
  leadsToContact,
  progressOf,
  type QuestionnaireEvent,
  type QuestionnaireState,
  questions,
} from './questionnaire.ts'

const answerAll = (answers: readonly boolean[]) =>
  answers.reduce<QuestionnaireState>(
    (state, answer) => advance(advance(state, { type: 'answered', answer }), { type: 'lock expired' }),
    initialState,
  )

const everyAnswerSet = Array.from({ length: 64 }, (_, bits) =>
  questions.map((_, index) => Boolean(bits & (1 << index))),
)
const passing = questions.map(question => question.requiredAnswer)

describe('the questions', () => {
  test('are the six of the specification, with the answers that keep a visitor eligible', () => {
    expect(questions.map(({ id, requiredAnswer }) => [id, requiredAnswer])).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [4, true],
      [5, false],
      [6, true],
    ])
  })

  test('keep the words of the specification', () => {
    const words = [
      /out of work due to a mental and\/or physical condition/,
      /out of work for at least 1 year/,
      /currently getting SSDI benefits from the SSA/,
      /worked 5 of the last 10 years/,
      /currently represented by an attorney/,
      /age between 55 and 64/,
    ]
    for (const [index, { topic }] of questions.entries()) expect(questionTexts[topic]).toMatch(words[index] ?? /^$/)
  })
})

describe('all 64 answer sets', () => {
  test.each(everyAnswerSet.map(answers => ({ answers })))('$answers', ({ answers }) => {
    const eligible = answers.every((answer, index) => answer === passing[index])
    const end = answerAll(answers)
    expect(end.stage).toBe(eligible ? 'contact' : 'loading')
    expect(end.answers).toEqual(answers)
    expect(isEligible(end.answers)).toBe(eligible)
    expect(leadsToContact(end)).toBe(eligible)
  })

  test('exactly one of them is eligible', () => {
    expect(everyAnswerSet.filter(answers => answerAll(answers).stage === 'contact')).toEqual([passing])
  })
})

describe('answering', () => {
  test('locks the panel and keeps the answered question on screen until the lock expires', () => {
    const answered = advance(initialState, { type: 'answered', answer: true })
    expect(answered.locked).toBe(true)
    expect(currentQuestion(answered).id).toBe(1)
    const next = advance(answered, { type: 'lock expired' })
    expect(next.locked).toBe(false)
    expect(currentQuestion(next).id).toBe(2)
  })

  test('shows 14, 29, 43, 57, 71 and 86 percent at the questions and 100 at the contact form', () => {
    const shown = passing.map((_, index) => progressOf(answerAll(passing.slice(0, index))).percent)
    expect([...shown, progressOf(answerAll(passing)).percent]).toEqual([14, 29, 43, 57, 71, 86, 100])
  })

  test('stays at the last question’s progress while an ineligible visitor waits', () => {
    expect(progressOf(answerAll(passing.with(0, false)))).toEqual({ step: 6, total: 7, percent: 86 })
  })
})

describe('properties', () => {
  const event: fc.Arbitrary<QuestionnaireEvent> = fc.oneof(
    fc.boolean().map(answer => ({ type: 'answered' as const, answer })),
    fc.constant({ type: 'lock expired' as const }),
    fc.constant({ type: 'lead sent' as const }),
  )
  const reached = (events: readonly QuestionnaireEvent[]) => events.reduce(advance, initialState)

  test('an answer during the lock changes nothing', () => {
    fc.assert(
      fc.property(fc.array(event), fc.boolean(), (events, answer) => {
        const state = reached(events)
        fc.pre(state.locked)
        expect(advance(state, { type: 'answered', answer })).toBe(state)
      }),
    )
  })

  test('before the last answer an ineligible visitor sees just what an eligible one sees', () => {
    const visible = (state: QuestionnaireState) => ({
      stage: state.stage,
      locked: state.locked,
      question: currentQuestion(state),
      progress: progressOf(state),
      room: leadsToContact(state),
    })
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: questions.length - 1 }), fc.boolean(), (answers, pressing) => {
        const states = [answers, passing.slice(0, answers.length)].map(answerAll)
        const seen = states.map(state =>
          visible(pressing && answers.length < 5 ? advance(state, { type: 'answered', answer: true }) : state),
        )
        expect(seen[0]).toEqual(seen[1])
      }),
    )
  })

  test('progress never goes back', () => {
    fc.assert(
      fc.property(fc.array(event), events => {
        let state = initialState
        for (const next of events) {
          const before = progressOf(state).step
          state = advance(state, next)
          expect(progressOf(state).step).toBeGreaterThanOrEqual(before)
        }
      }),
    )
  })

  test('a wrong answer is never forgotten', () => {
    fc.assert(
      fc.property(fc.array(event), fc.array(event), (before, after) => {
        fc.pre(!isEligible(reached(before).answers))
        const state = reached([...before, ...after])
        expect(isEligible(state.answers)).toBe(false)
        expect(state.stage).not.toBe('contact')
      }),
    )
  })

  test('resuming with the answers given leads to the same place', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: questions.length }), answers => {
        expect(advance(initialState, { type: 'resumed', answers })).toEqual(answerAll(answers))
      }),
    )
  })
})

test('starting over forgets every answer', () => {
  expect(advance(answerAll([false, true]), { type: 'started over' })).toEqual(initialState)
})

test('a sent lead turns the contact form into the loading view, and nothing else', () => {
  expect(advance(answerAll(passing), { type: 'lead sent' }).stage).toBe('loading')
  expect(advance(initialState, { type: 'lead sent' })).toBe(initialState)
})
