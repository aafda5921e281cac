/** The questions by number, with the answer that keeps a visitor eligible. */

import { questionField } from '../../domain/visits/questionnaire.ts'
import { askedIn, words } from '../../site-folder/site.ts'

const questions = askedIn(words.en.questions)

export const allQuestions = questions.map(({ text, required }, index) => ({
  number: index + 1,
  text,
  requiredAnswer: required === 'yes',
}))

/** Of someone who is 59 or 60 whenever the tests run: one day, any fixed year is outside the ages in the questions. */
export const yearOfBirth = new Date().getFullYear() - 60

/** An eligible visitor's answers, as plain-form fields. */
export const eligibleAnswers: Readonly<Record<string, 'yes' | 'no'>> = Object.fromEntries(
  questions.map(({ required }, index) => [questionField(index + 1), required]),
)
