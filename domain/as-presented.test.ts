import { expect, test } from 'vitest'
import { type QuestionWords, questionnaireAsPresented, readQuestionnaire } from './as-presented.ts'

const work = { id: 'outOfWork', text: 'Are you out of work?', required: 'yes' } as const
const attorney = { id: 'hasAttorney', text: 'Have you got an attorney?', required: 'no' } as const
const words: QuestionWords = { questions: [work, attorney], yes: 'Yes', no: 'No' }

test('every question is there in order, with the required answer', () => {
  expect(readQuestionnaire(questionnaireAsPresented(words))).toEqual({
    questions: [
      { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
      { id: 'hasAttorney', question: 'Have you got an attorney?', answer: 'no' },
    ],
    yes: 'Yes',
    no: 'No',
  })
})

test('any change of words, order or answers makes another version', () => {
  const changed: readonly QuestionWords[] = [
    words,
    { ...words, yes: 'Sí' },
    { ...words, no: 'Nope' },
    { ...words, questions: [attorney, work] },
    { ...words, questions: [work] },
    { ...words, questions: [work, { ...attorney, text: 'An attorney?' }] },
    { ...words, questions: [work, { ...attorney, required: 'yes' }] },
    { ...words, questions: [work, { ...attorney, id: 'attorney' }] },
  ]
  expect(new Set(changed.map(questionnaireAsPresented)).size).toBe(changed.length)
})
