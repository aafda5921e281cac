/**
 * The consent and the questionnaire as the visitor saw them, serialized for storage. The hash of this text is the version.
 */

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
}

export interface PresentedQuestionnaire {
  readonly questions: readonly AskedQuestion[]
  readonly yes: string
  readonly no: string
}

/** The questions, each with its qualifying answer, which is the one every lead gave. */
export function questionnaireAsPresented({ questions, yes, no }: QuestionnaireText): string {
  const asked: PresentedQuestionnaire = {
    questions: questions.map(({ id, text, required }) => ({ id, question: text, answer: required })),
    yes,
    no,
  }
  return JSON.stringify(asked)
}

export function readQuestionnaire(presented: string): PresentedQuestionnaire {
  return JSON.parse(presented) as PresentedQuestionnaire
}

/** The text the visitor agrees to, and the button's label. */
export function consentAsPresented({ text, button }: { readonly text: string; readonly button: string }): string {
  return JSON.stringify({ text, button })
}
