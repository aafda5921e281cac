import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advance,
  atContactForm,
  currentNumber,
  hasQualified,
  initialState,
  isEligible,
  progressOf,
  type QuestionnaireEvent,
  type QuestionnaireState,
  type Questions,
} from './questionnaire.ts'

const asking = (...required: readonly ('yes' | 'no')[]): Questions => required.map(each => ({ required: each }))
const questions = asking('yes', 'yes', 'no', 'yes', 'no', 'yes')

const step = (state: QuestionnaireState, event: QuestionnaireEvent) => advance(questions, state, event)
const answerAll = (answers: readonly boolean[]) =>
  answers.reduce<QuestionnaireState>(
    (state, answer) => step(step(state, { type: 'answered', answer }), { type: 'lock expired' }),
    initialState,
  )

const everyAnswerSet = Array.from({ length: 64 }, (_, bits) =>
  questions.map((_, index) => Boolean(bits & (1 << index))),
)
const passing = questions.map(({ required }) => required === 'yes')

test('only one of the 64 answer sets leads to the contact form; the other 63 lead to the loading view', () => {
  for (const answers of everyAnswerSet) {
    const eligible = answers.every((answer, index) => answer === passing[index])
    const end = answerAll(answers)
    expect(end).toMatchObject({ stage: eligible ? 'contact' : 'loading', answers })
    expect([isEligible(questions, end.answers), hasQualified(questions, end)]).toEqual([eligible, eligible])
  }
})

test('answering locks the panel and keeps the question on screen until the lock expires', () => {
  const shown = (state: QuestionnaireState) => [state.locked, currentNumber(questions, state)]
  const answered = step(initialState, { type: 'answered', answer: true })
  expect(shown(answered)).toEqual([true, 1])
  expect(shown(step(answered, { type: 'lock expired' }))).toEqual([false, 2])
})

test('progress is 100% on the contact form, and stays at the last question while an ineligible visitor waits', () => {
  const percents = [0, 1, 2, 3, 4, 5, 6].map(count => progressOf(questions, answerAll(passing.slice(0, count))).percent)
  expect(percents).toEqual([14, 29, 43, 57, 71, 86, 100])
  expect(progressOf(questions, answerAll(passing.with(0, false)))).toEqual({ step: 6, total: 7, percent: 86 })
})

describe('properties', () => {
  const event: fc.Arbitrary<QuestionnaireEvent> = fc.oneof(
    fc.boolean().map(answer => ({ type: 'answered' as const, answer })),
    fc.constant({ type: 'lock expired' as const }),
    fc.constant({ type: 'lead sent' as const }),
  )

  test('answers during the lock are ignored, progress never decreases, and a wrong answer is never forgotten', () => {
    fc.assert(
      fc.property(fc.array(event), events => {
        let state = initialState
        for (const next of events) {
          const before = state
          state = step(state, next)
          if (before.locked && next.type === 'answered') expect(state).toBe(before)
          expect(progressOf(questions, state).step).toBeGreaterThanOrEqual(progressOf(questions, before).step)
          if (isEligible(questions, before.answers)) continue
          expect(isEligible(questions, state.answers)).toBe(false)
          expect(state.stage).not.toBe('contact')
        }
      }),
    )
  })

  test('before the last answer, ineligible and eligible visitors see the same thing', () => {
    const visible = (state: QuestionnaireState) => ({
      stage: state.stage,
      locked: state.locked,
      question: currentNumber(questions, state),
      progress: progressOf(questions, state),
      qualified: hasQualified(questions, state),
    })
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: questions.length - 1 }), fc.boolean(), (answers, pressing) => {
        const states = [answers, passing.slice(0, answers.length)].map(answerAll)
        const seen = states.map(state =>
          visible(pressing && answers.length < 5 ? step(state, { type: 'answered', answer: true }) : state),
        )
        expect(seen[0]).toEqual(seen[1])
      }),
    )
  })

  test('resuming a draft restores the same state', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: questions.length }), answers => {
        expect(step(initialState, { type: 'resumed', answers })).toEqual(answerAll(answers))
      }),
    )
  })
})

test('starting over clears every answer, and sending a lead changes the state only on the contact form', () => {
  expect(step(answerAll([false, true]), { type: 'started over' })).toEqual(initialState)
  expect(step(answerAll(passing), { type: 'lead sent' }).stage).toBe('loading')
  expect(step(initialState, { type: 'lead sent' })).toBe(initialState)
})

describe('going back', () => {
  const back = (state: QuestionnaireState, to: number) => step(state, { type: 'moved', to })
  const answer = (state: QuestionnaireState, given: boolean) =>
    step(step(state, { type: 'answered', answer: given }), { type: 'lock expired' })

  test('shows an earlier question and keeps every answer, also during the lock', () => {
    const end = answerAll(passing)
    for (const position of passing.keys()) {
      expect(back(end, position)).toEqual({ stage: 'questions', answers: passing, position, locked: false })
    }
    expect(back(back(end, 2), 6)).toEqual(end)
    const locked = step(answerAll(passing.slice(0, 3)), { type: 'answered', answer: true })
    expect(back(locked, 2)).toEqual({ stage: 'questions', answers: passing.slice(0, 4), position: 2, locked: false })
  })

  test('never gets past the first unanswered question or before the first one', () => {
    expect(back(answerAll(passing.slice(0, 2)), 5).position).toBe(2)
    expect(back(initialState, -1)).toEqual(initialState)
  })

  test('only the last answer to each question counts', () => {
    const corrected = answer(back(answerAll(passing.with(1, false)), 1), true)
    expect([corrected.position, corrected.answers]).toEqual([2, passing])
    expect(back(corrected, 6).stage).toBe('contact')
    const spoiled = answer(back(answerAll(passing), 5), false)
    expect([spoiled.stage, hasQualified(questions, spoiled)]).toEqual(['loading', false])
  })

  test('progress and the contact form follow the question on screen', () => {
    const end = answerAll(passing)
    expect(progressOf(questions, back(end, 3)).step).toBe(4)
    expect([atContactForm(questions, end), atContactForm(questions, back(end, 5))]).toEqual([true, false])
    expect(atContactForm(questions, step(back(end, 5), { type: 'answered', answer: true }))).toBe(true)
  })
})

test('any number of questions works, in any order', () => {
  const seven = asking('no', 'yes', 'yes', 'no', 'yes', 'yes', 'no')
  const right = seven.map(({ required }) => required === 'yes')
  const resume = (answers: readonly boolean[]) => advance(seven, initialState, { type: 'resumed', answers })
  expect(progressOf(seven, resume(right.slice(0, 6)))).toEqual({ step: 7, total: 8, percent: 88 })
  expect(resume(right).stage).toBe('contact')
  for (const index of right.keys()) expect(resume(right.with(index, !right[index])).stage).toBe('loading')
})
