/** The questions' wording. Their order and the qualifying answers are in content/questions.ts. */
import { askedIn, questions as facts, type QuestionId } from '../questions.ts'
import { figures, numberWords } from './figures.ts'

export const questions: Readonly<Record<QuestionId, string>> = {
  outOfWorkDueToCondition: 'Are you out of work due to a mental and/or physical condition?',
  outOfWorkForAYear: 'Have you been out of work for at least 1 year?',
  receivesSsdi: 'Are you currently getting SSDI benefits from the SSA?',
  workedFiveOfTenYears: `Have you worked ${figures.workHistory}?`,
  hasAttorney: 'Are you currently represented by an attorney?',
  ageInBounds: `Is your age ${figures.questionAges}?`,
}

/** The questions in order, as asked. */
export const askedQuestions = askedIn(questions)

/** For “six questions” within a sentence and “Six questions” at the start of one. */
export const questionCount = numberWords(facts.length)
