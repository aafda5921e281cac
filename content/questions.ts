/** The six questions as the visitor reads them. The rules for their answers are in domain/questionnaire.ts. */
export const questionTexts = {
  outOfWorkDueToCondition: 'Are you out of work due to a mental and/or physical condition?',
  outOfWorkForAYear: 'Have you been out of work for at least 1 year?',
  receivesSsdi: 'Are you currently getting SSDI benefits from the SSA?',
  workedFiveOfTenYears: 'Have you worked 5 of the last 10 years?',
  hasAttorney: 'Are you currently represented by an attorney?',
  ageBetween55And64: 'Is your age between 55 and 64?',
} as const
