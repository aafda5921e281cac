/** The questionnaire's copy, by language. */
import { en } from './en/words.ts'
import { es } from './es/words.ts'
import type { AnyText, InEachLanguage } from './languages.ts'
import { organization } from './organization.ts'
import { askedIn } from './questions.ts'

type Shown = AnyText<Pick<typeof en, 'applicationError' | 'questionnaire' | 'questions'>>

/** Bundled with the questionnaire's script, which gets only the page's language. */
export type PanelCopy = ReturnType<typeof copyOf>

function copyOf({
  // These two are in the HTML, because they're shown when the script is missing.
  questionnaire: { stillLoading, scriptMissing, ...copy },
}: Shown) {
  return { ...copy, phone: organization.phone }
}

export const panelCopy: InEachLanguage<PanelCopy> = { en: copyOf(en), es: copyOf(es) }

/** In the page, where the plain form has the questions, too. */
export type PanelTexts = ReturnType<typeof textsOf>

function textsOf({ applicationError: { heading, text, callLead }, questions }: Shown) {
  return { questions: askedIn(questions), failure: { heading, text, callLead } }
}

export const panelTexts: InEachLanguage<PanelTexts> = { en: textsOf(en), es: textsOf(es) }

/** Both, as the visitor sees the questionnaire. */
export const shownQuestionnaire: InEachLanguage<PanelCopy & PanelTexts> = {
  en: { ...panelCopy.en, ...panelTexts.en },
  es: { ...panelCopy.es, ...panelTexts.es },
}
