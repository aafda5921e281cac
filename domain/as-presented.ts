/**
 * The consent and the questionnaire as the visitor saw them, serialized for storage. The hash of this text is the version. A
 * text in another language includes the English one of that day, for people who read the record later.
 */
import { ENGLISH } from './languages.ts'

export interface QuestionnaireText {
  readonly questions: readonly { readonly id: string; readonly text: string; readonly required: 'yes' | 'no' }[]
  /** Labels for the two buttons. */
  readonly yes: string
  readonly no: string
}

export interface AskedQuestion {
  readonly id: string
  readonly question: string
  readonly answer: 'yes' | 'no'
  readonly english?: string
}

/** Missing if the text is English, as in everything stored before there was another language. */
interface Translated<English> {
  readonly language?: string
  readonly english?: English
}

export interface PresentedQuestionnaire extends Translated<{ readonly yes: string; readonly no: string }> {
  readonly questions: readonly AskedQuestion[]
  readonly yes: string
  readonly no: string
}

/** The questions, each with its qualifying answer, which is the one every lead gave. */
export function questionnaireAsPresented(
  { questions, yes, no }: QuestionnaireText,
  language = ENGLISH,
  english?: QuestionnaireText,
): string {
  const inEnglish = (id: string) => english?.questions.find(question => question.id === id)?.text
  const asked: PresentedQuestionnaire = {
    questions: questions.map(({ id, text, required }) => {
      const translation = language === ENGLISH ? undefined : inEnglish(id)
      return { id, question: text, answer: required, ...(translation !== undefined && { english: translation }) }
    }),
    yes,
    no,
    ...(language !== ENGLISH && { language, ...(english && { english: { yes: english.yes, no: english.no } }) }),
  }
  return JSON.stringify(asked)
}

export function readQuestionnaire(presented: string): PresentedQuestionnaire {
  return JSON.parse(presented) as PresentedQuestionnaire
}

export interface ConsentText {
  /** The line above the button. Missing from what was shown before 0.8.0. */
  readonly notice?: string
  readonly button: string
  readonly text: string
}

export interface PresentedConsent extends ConsentText, Translated<ConsentText> {}

/** The line above the button, the button's label, and the text below it that the visitor agrees to. */
export function consentAsPresented(consent: ConsentText, language = ENGLISH, english?: ConsentText): string {
  const shown: PresentedConsent = {
    ...inOrder(consent),
    ...(language !== ENGLISH && { language, ...(english && { english: inOrder(english) }) }),
  }
  return JSON.stringify(shown)
}

/** Without what the words have besides, and in the page's order, because the hash depends on it. */
const inOrder = ({ notice, button, text }: ConsentText): ConsentText => ({
  ...(notice !== undefined && { notice }),
  button,
  text,
})

export function readConsent(presented: string): PresentedConsent {
  return JSON.parse(presented) as PresentedConsent
}
