/** The questions as tests answer them: by their number, with the answer that keeps a visitor eligible. */
import { questions } from '../../content/questions.ts'
import { questionField } from '../../domain/questionnaire.ts'

export const asked = questions.map(({ text, required }, index) => ({
  number: index + 1,
  text,
  requiredAnswer: required === 'yes',
}))

/** The fields of the plain form of a visitor who is eligible. */
export const eligibleAnswers: Readonly<Record<string, 'yes' | 'no'>> = Object.fromEntries(
  questions.map(({ required }, index) => [questionField(index + 1), required]),
)
