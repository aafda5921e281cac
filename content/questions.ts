/** The six questions as the visitor reads them. The rules for their answers are in domain/questionnaire.ts. */
import { figures } from './figures.ts'

export const questionTexts = {
  outOfWorkDueToCondition: 'Are you out of work due to a mental and/or physical condition?',
  outOfWorkForAYear: 'Have you been out of work for at least 1 year?',
  receivesSsdi: 'Are you currently getting SSDI benefits from the SSA?',
  workedFiveOfTenYears: `Have you worked ${figures.workHistory.shown}?`,
  hasAttorney: 'Are you currently represented by an attorney?',
  ageInBounds: `Is your age ${figures.questionAges.shown}?`,
} as const
