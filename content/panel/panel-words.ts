/** What the questionnaire says, by the language of the page. Sent to the browser with the questionnaire's first script. */
import { applicationError } from '../errors.ts'
import { organization } from '../organization.ts'
import { questions } from '../questions.ts'
import { questionnaire } from './questionnaire.ts'

const { heading, text, callLead } = applicationError
// These two are in the page itself: they are shown when the script is missing.
const { stillLoading, scriptMissing, ...words } = questionnaire

export const panelWords = {
  en: { ...words, questions, failure: { heading, text, callLead }, phone: organization.phone },
} as const

export type Language = keyof typeof panelWords
export type PanelWords = (typeof panelWords)[Language]
