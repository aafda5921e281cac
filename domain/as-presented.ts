/**
 * What a visitor was shown, in the form that is hashed and kept: the version of a consent or a questionnaire is the hash of
 * this text.
 */

export interface QuestionWords {
  readonly questions: readonly { readonly id: string; readonly text: string; readonly required: 'yes' | 'no' }[]
  /** What the two buttons say. */
  readonly yes: string
  readonly no: string
}

export interface QuestionAsked {
  readonly id: string
  readonly question: string
  readonly answer: 'yes' | 'no'
}

export interface QuestionnaireAsked {
  readonly questions: readonly QuestionAsked[]
  readonly yes: string
  readonly no: string
}

/** The questions, each with the answer that a lead implies. */
export function questionnaireAsPresented({ questions, yes, no }: QuestionWords): string {
  const asked: QuestionnaireAsked = {
    questions: questions.map(({ id, text, required }) => ({ id, question: text, answer: required })),
    yes,
    no,
  }
  return JSON.stringify(asked)
}

export function readQuestionnaire(presented: string): QuestionnaireAsked {
  return JSON.parse(presented) as QuestionnaireAsked
}

/** What a visitor agrees to. */
export function consentAsPresented({ text, button }: { readonly text: string; readonly button: string }): string {
  return JSON.stringify({ text, button })
}
