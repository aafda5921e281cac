import { expect, test } from 'vitest'
import { type QuestionnaireText, questionnaireAsPresented, readQuestionnaire } from './as-presented.ts'

const work = { id: 'outOfWork', text: 'Are you out of work?', required: 'yes' } as const
const attorney = { id: 'hasAttorney', text: 'Do you have an attorney?', required: 'no' } as const
const text: QuestionnaireText = { questions: [work, attorney], yes: 'Yes', no: 'No' }

test('lists every question in order, with its qualifying answer', () => {
  expect(readQuestionnaire(questionnaireAsPresented(text))).toEqual({
    questions: [
      { id: 'outOfWork', question: 'Are you out of work?', answer: 'yes' },
      { id: 'hasAttorney', question: 'Do you have an attorney?', answer: 'no' },
    ],
    yes: 'Yes',
    no: 'No',
  })
})

test('any change to the text, order, or qualifying answers creates a new version', () => {
  const others = [{ text: 'An attorney?' }, { required: 'yes' as const }, { id: 'attorney' }]
  const lists = [[attorney, work], [work], ...others.map(change => [work, { ...attorney, ...change }])]
  const changes = [{}, { yes: 'Sí' }, { no: 'Nope' }, ...lists.map(questions => ({ questions }))]
  expect(new Set(changes.map(change => questionnaireAsPresented({ ...text, ...change }))).size).toBe(8)
})
