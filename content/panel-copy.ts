/** The questionnaire's copy, by language. Bundled with the questionnaire's script, which gets only the page's language. */
import { en } from './en/words.ts'
import { es } from './es/words.ts'
import type { AnyText, InEachLanguage } from './languages.ts'
import { organization } from './organization.ts'
import { askedIn } from './questions.ts'

export type PanelCopy = ReturnType<typeof copyOf>

function copyOf({
  applicationError: { heading, text, callLead },
  // These two are in the HTML, because they're shown when the script is missing.
  questionnaire: { stillLoading, scriptMissing, ...copy },
  questions,
}: AnyText<Pick<typeof en, 'applicationError' | 'questionnaire' | 'questions'>>) {
  return { ...copy, questions: askedIn(questions), failure: { heading, text, callLead }, phone: organization.phone }
}

export const panelCopy: InEachLanguage<PanelCopy> = { en: copyOf(en), es: copyOf(es) }
