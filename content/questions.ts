/**
 * The questions in the order they're asked, each with the qualifying answer. Their wording is in content/en/questions.ts and its
 * counterparts. Stored leads refer to a question by its `id`: keep the ID when you reword a question, and give a new question
 * a new one.
 */
import { ages } from './figures.ts'

export const questions = [
  { id: 'outOfWorkDueToCondition', required: 'yes' },
  { id: 'outOfWorkForAYear', required: 'yes' },
  { id: 'receivesSsdi', required: 'no' },
  { id: 'workedFiveOfTenYears', required: 'yes' },
  { id: 'hasAttorney', required: 'no' },
  { id: 'ageInBounds', required: 'yes' },
] as const satisfies readonly { readonly id: string; readonly required: 'yes' | 'no' }[]

/** The ages that a qualified visitor has confirmed, or null if no question asks. */
export const confirmedAges = questions.some(({ id, required }) => id === 'ageInBounds' && required === 'yes')
  ? ages
  : null

export type QuestionId = (typeof questions)[number]['id']

export interface Question {
  readonly id: QuestionId
  readonly text: string
  readonly required: 'yes' | 'no'
}

/** The questions with their wording in one language. */
export const askedIn = (words: Readonly<Record<QuestionId, string>>): readonly Question[] =>
  questions.map(({ id, required }) => ({ id, text: words[id], required }))
