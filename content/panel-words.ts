/** What the panel says up to the contact form, by the language of the page. Sent with the questionnaire's first script. */
import { applicationError } from './errors.ts'
import { organization } from './organization.ts'
import { questionnaire } from './questionnaire.ts'
import { questionTexts } from './questions.ts'

export const panelWords = {
  en: { ...questionnaire, questions: questionTexts, failure: applicationError, phone: organization.phone },
} as const
