/**
 * The questions as shown, with the answer to each that a lead implies. This form is hashed and kept: a questionnaire's
 * version is the hash of this text.
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
