/** The questions in Spanish. Their order and the qualifying answers are in content/questions.ts. */
import { questions as facts, type QuestionId } from '../questions.ts'
import { figures, numberWords } from './figures.ts'

export const questions: Readonly<Record<QuestionId, string>> = {
  outOfWorkDueToCondition: '¿Está sin trabajar por un padecimiento físico o mental?',
  outOfWorkForAYear: '¿Lleva al menos 1 año sin trabajar?',
  receivesSsdi: '¿Recibe ahora beneficios de SSDI (no de SSI) del Seguro Social?',
  workedFiveOfTenYears: `¿Trabajó al menos ${figures.workHistory}?`,
  hasAttorney: '¿Tiene ahora un abogado que le represente?',
  ageInBounds: `¿Tiene ${figures.questionAges} años de edad?`,
}

/** For “seis preguntas” within a sentence and “Seis preguntas” at the start of one. */
export const questionCount = numberWords(facts.length)
