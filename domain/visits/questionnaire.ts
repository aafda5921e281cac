/**
 * The eligibility rule and the questionnaire's state machine, for any list of questions. Everything is derived from the answers,
 * so the state can't contradict itself.
 */

/** The questions in order, each with its qualifying answer. */
export type Questions = readonly { readonly required: 'yes' | 'no' }[]

/** The name of the form field that holds a question's answer. */
export const questionField = (number: number) => `question-${number}`

export type Stage = 'questions' | 'contact' | 'loading'

export interface QuestionnaireState {
  readonly stage: Stage
  /** Goes on past the current question if the visitor went back. */
  readonly answers: readonly boolean[]
  /** How many questions come before the current one. After the last one, the number of questions. */
  readonly position: number
  /** The question was just answered and is still on screen. */
  readonly locked: boolean
}

export type QuestionnaireEvent =
  | { readonly type: 'answered'; readonly answer: boolean }
  | { readonly type: 'lock expired' }
  | { readonly type: 'lead sent' }
  | { readonly type: 'moved'; readonly to: number }
  | { readonly type: 'resumed'; readonly answers: readonly boolean[]; readonly position?: number | undefined }
  | { readonly type: 'started over' }

export const initialState: QuestionnaireState = { stage: 'questions', answers: [], position: 0, locked: false }

export function advance(
  questions: Questions,
  state: QuestionnaireState,
  event: QuestionnaireEvent,
): QuestionnaireState {
  switch (event.type) {
    case 'answered':
      if (state.stage !== 'questions' || state.locked) return state
      return { ...state, answers: state.answers.toSpliced(state.position, 1, event.answer), locked: true }
    case 'lock expired':
      return state.locked ? stateAt(questions, state.answers, state.position + 1) : state
    case 'lead sent':
      return state.stage === 'contact' ? { ...state, stage: 'loading' } : state
    case 'moved':
      // Where we are already, possibly during the lock.
      return event.to === state.position ? state : stateAt(questions, state.answers, event.to)
    case 'resumed':
      return stateAt(questions, event.answers.slice(0, questions.length), event.position)
    case 'started over':
      return initialState
  }
}

/** Only an answered question has a next one. */
function stateAt(questions: Questions, answers: readonly boolean[], to = answers.length): QuestionnaireState {
  const position = Math.max(0, Math.min(to, answers.length))
  const after = isEligible(questions, answers) ? 'contact' : 'loading'
  return { stage: position < questions.length ? 'questions' : after, answers, position, locked: false }
}

/** False with any disqualifying answer. Only an answer that the visitor goes back to and corrects no longer counts. */
export function isEligible(questions: Questions, answers: readonly boolean[]): boolean {
  return answers.every((answer, index) => (answer ? 'yes' : 'no') === questions[index]?.required)
}

/** Whether all questions are answered and the visitor is eligible. */
export function hasQualified(questions: Questions, { answers }: QuestionnaireState): boolean {
  return answers.length === questions.length && isEligible(questions, answers)
}

/** Whether the contact form is open or, during the last question's lock, about to open. */
export function atContactForm(questions: Questions, state: QuestionnaireState): boolean {
  return hasQualified(questions, state) && state.position + (state.locked ? 1 : 0) === questions.length
}

/** The question on screen, starting at 1. During the lock, that's the one just answered. */
export function currentNumber(questions: Questions, { position }: QuestionnaireState): number {
  return Math.min(position + 1, questions.length)
}

export interface Progress {
  readonly step: number
  readonly total: number
  readonly percent: number
}

export function progressOf(questions: Questions, state: QuestionnaireState): Progress {
  // The contact form is the last step.
  const total = questions.length + 1
  const inContact = !state.locked && atContactForm(questions, state)
  const step = inContact ? total : currentNumber(questions, state)
  return { step, total, percent: Math.round((step / total) * 100) }
}
