/** The questionnaire's copy, by language. Bundled with the questionnaire's script. */
import { applicationError } from '../errors.ts'
import { organization } from '../organization.ts'
import { questions } from '../questions.ts'
import { questionnaire } from './questionnaire.ts'

const { heading, text, callLead } = applicationError
// These two are in the HTML, because they're shown when the script is missing.
const { stillLoading, scriptMissing, ...copy } = questionnaire

export const panelCopy = {
  en: { ...copy, questions, failure: { heading, text, callLead }, phone: organization.phone },
} as const

export type Language = keyof typeof panelCopy
export type PanelCopy = (typeof panelCopy)[Language]
