/**
 * The questions in the order they're asked, each with the qualifying answer. To add, reword, swap, or remove one, change only
 * this list. Stored leads refer to a question by its `id`: keep the ID when you reword a question, and give a new question a
 * new one.
 */
import { figures, numberWords } from './figures.ts'

export interface Question {
  readonly id: string
  readonly text: string
  readonly required: 'yes' | 'no'
}

export const questions: readonly Question[] = [
  {
    id: 'outOfWorkDueToCondition',
    text: 'Are you out of work due to a mental and/or physical condition?',
    required: 'yes',
  },
  { id: 'outOfWorkForAYear', text: 'Have you been out of work for at least 1 year?', required: 'yes' },
  { id: 'receivesSsdi', text: 'Are you currently getting SSDI benefits from the SSA?', required: 'no' },
  { id: 'workedFiveOfTenYears', text: `Have you worked ${figures.workHistory.shown}?`, required: 'yes' },
  { id: 'hasAttorney', text: 'Are you currently represented by an attorney?', required: 'no' },
  { id: 'ageInBounds', text: `Is your age ${figures.questionAges.shown}?`, required: 'yes' },
]

/** For “six questions” within a sentence and “Six questions” at the start of one. */
export const questionCount = numberWords(questions.length)
