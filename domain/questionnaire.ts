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
  readonly answers: readonly boolean[]
  /** The question was just answered and is still on screen. */
  readonly locked: boolean
}

export type QuestionnaireEvent =
  | { readonly type: 'answered'; readonly answer: boolean }
  | { readonly type: 'lock expired' }
  | { readonly type: 'lead sent' }
  | { readonly type: 'resumed'; readonly answers: readonly boolean[] }
  | { readonly type: 'started over' }

export const initialState: QuestionnaireState = { stage: 'questions', answers: [], locked: false }

export function advance(
  questions: Questions,
  state: QuestionnaireState,
  event: QuestionnaireEvent,
): QuestionnaireState {
  switch (event.type) {
    case 'answered':
      if (state.stage !== 'questions' || state.locked) return state
      return { ...state, answers: [...state.answers, event.answer], locked: true }
    case 'lock expired':
      return state.locked ? { ...state, stage: stageAfter(questions, state.answers), locked: false } : state
    case 'lead sent':
      return state.stage === 'contact' ? { ...state, stage: 'loading' } : state
    case 'resumed': {
      const answers = event.answers.slice(0, questions.length)
      return { stage: stageAfter(questions, answers), answers, locked: false }
    }
    case 'started over':
      return initialState
  }
}

function stageAfter(questions: Questions, answers: readonly boolean[]): Stage {
  if (answers.length < questions.length) return 'questions'
  return isEligible(questions, answers) ? 'contact' : 'loading'
}

/** False after any disqualifying answer. */
export function isEligible(questions: Questions, answers: readonly boolean[]): boolean {
  return answers.every((answer, index) => (answer ? 'yes' : 'no') === questions[index]?.required)
}

/** Whether all questions are answered and the visitor is eligible. If so, the panel reserves space for the contact form. */
export function hasQualified(questions: Questions, state: QuestionnaireState): boolean {
  return state.answers.length === questions.length && isEligible(questions, state.answers)
}

/** The question on screen, starting at 1. During the lock, that's the one just answered. */
export function currentNumber(questions: Questions, state: QuestionnaireState): number {
  return Math.min(state.answers.length + (state.locked ? 0 : 1), questions.length)
}

export interface Progress {
  readonly step: number
  readonly total: number
  readonly percent: number
}

export function progressOf(questions: Questions, state: QuestionnaireState): Progress {
  // The contact form is the last step.
  const total = questions.length + 1
  const inContact = !state.locked && hasQualified(questions, state)
  const step = inContact ? total : currentNumber(questions, state)
  return { step, total, percent: Math.round((step / total) * 100) }
}
