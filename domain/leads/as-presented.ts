/**
 * The consent and the questionnaire as the visitor saw them, serialized for storage. The hash of this text is the version. A
 * text in another language includes the English one of that day, for people who read the record later.
 */
import { ENGLISH } from '../languages.ts'

export interface QuestionnaireText {
  readonly questions: readonly { readonly id: string; readonly text: string; readonly required: 'yes' | 'no' }[]
  /** Labels for the two buttons. */
  readonly yes: string
  readonly no: string
}

export interface AskedQuestion {
  readonly id: string
  readonly question: string
  /** `not asked`: only on the phone. */
  readonly answer: 'yes' | 'no' | 'not asked'
  readonly english?: string
}

/** Missing if the text is English, as in everything stored before there was another language. */
interface Translated<English> {
  readonly language?: string
  readonly english?: English
}

/** What was read to someone on the phone, instead of shown on a page. First, so that SQL can tell. */
interface Spoken {
  readonly spoken?: true
}

export interface PresentedQuestionnaire extends Spoken, Translated<{ readonly yes: string; readonly no: string }> {
  readonly questions: readonly AskedQuestion[]
  readonly yes: string
  readonly no: string
}

/** By question. Questions that are missing weren't asked. */
export type SpokenAnswers = Readonly<Record<string, 'yes' | 'no'>>

/**
 * The questions, each with its qualifying answer, which is the one everyone who sent the form gave. `answers`: what the person said on
 * the phone.
 */
export function questionnaireAsPresented(
  { questions, yes, no }: QuestionnaireText,
  language = ENGLISH,
  english?: QuestionnaireText,
  answers?: SpokenAnswers,
): string {
  const inEnglish = (id: string) => english?.questions.find(question => question.id === id)?.text
  const asked: PresentedQuestionnaire = {
    ...(answers && { spoken: true }),
    questions: questions.map(({ id, text, required }) => {
      const translation = language === ENGLISH ? undefined : inEnglish(id)
      const answer = answers ? (answers[id] ?? 'not asked') : required
      return { id, question: text, answer, ...(translation !== undefined && { english: translation }) }
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

/** An answer in the words of the buttons. */
export const answerLabel = (labels: Pick<PresentedQuestionnaire, 'yes' | 'no'>, answer: AskedQuestion['answer']) =>
  answer === 'not asked' ? 'Not asked' : labels[answer]

export interface ConsentText {
  /** The line above the button. Missing from what was shown before 0.9.0. */
  readonly notice?: string
  /** Missing if the text was read to the person on the phone. */
  readonly button?: string
  readonly text: string
}

export interface PresentedConsent extends Spoken, ConsentText, Translated<ConsentText> {}

/** The line above the button, the button's label, and the text below it that the visitor agrees to. */
export function consentAsPresented(consent: ConsentText, language = ENGLISH, english?: ConsentText): string {
  const shown: PresentedConsent = {
    ...inOrder(consent),
    ...(language !== ENGLISH && { language, ...(english && { english: inOrder(english) }) }),
  }
  return JSON.stringify(shown)
}

/** The sentence that was read on the phone. */
export function spokenConsentAsPresented(text: string, language = ENGLISH, english?: string): string {
  const read: PresentedConsent = {
    spoken: true,
    text,
    ...(language !== ENGLISH && { language, ...(english !== undefined && { english: { text: english } }) }),
  }
  return JSON.stringify(read)
}

/** What a spoken yes doesn't allow. */
export const SPOKEN_LIMITS = 'no automated calls, texts, or AI voice'

/** How someone agreed, for exports and the webhook. `takenBy`: the desk user who took the call; null for the form. */
export const consentKind = (takenBy: string | null) =>
  takenBy === null
    ? ({ kind: 'written', takenBy, limits: null } as const)
    : ({ kind: 'spoken', takenBy, limits: SPOKEN_LIMITS } as const)

/** Without what the words have besides, and in the page's order, because the hash depends on it. */
const inOrder = ({ notice, button, text }: ConsentText): ConsentText => ({
  ...(notice !== undefined && { notice }),
  ...(button !== undefined && { button }),
  text,
})

export function readConsent(presented: string): PresentedConsent {
  return JSON.parse(presented) as PresentedConsent
}
