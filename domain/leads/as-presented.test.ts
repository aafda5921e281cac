import { expect, test } from 'vitest'
import {
  type QuestionnaireText,
  questionnaireAsPresented,
  readConsent,
  readQuestionnaire,
  spokenConsentAsPresented,
} from './as-presented.ts'

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

test('on the phone, answers are what the person said, and skipped questions weren’t asked', () => {
  const asked = readQuestionnaire(questionnaireAsPresented(text, 'en', undefined, { hasAttorney: 'yes' }))
  expect(asked).toMatchObject({ spoken: true, questions: [{ answer: 'not asked' }, { answer: 'yes' }] })
})

test('a sentence read in another language comes with the English one', () => {
  const read = readConsent(spokenConsentAsPresented('¿Podemos llamarle?', 'es', 'May we call you?'))
  expect(read).toEqual({
    spoken: true,
    text: '¿Podemos llamarle?',
    language: 'es',
    english: { text: 'May we call you?' },
  })
})
