/**
 * The eligibility questionnaire: its questions, the rule that decides, and the state machine.
 * Everything is derived from the list of answers, so a state can neither contradict itself nor forget a wrong answer.
 */

/** What a question asks about. Its words are in content/questions.ts. */
export type QuestionTopic =
  | 'outOfWorkDueToCondition'
  | 'outOfWorkForAYear'
  | 'receivesSsdi'
  | 'workedFiveOfTenYears'
  | 'hasAttorney'
  | 'ageInBounds'

export interface Question {
  readonly id: number
  readonly topic: QuestionTopic
  /** The answer that keeps the visitor eligible. */
  readonly requiredAnswer: boolean
}

export const questions: readonly Question[] = [
  { id: 1, topic: 'outOfWorkDueToCondition', requiredAnswer: true },
  { id: 2, topic: 'outOfWorkForAYear', requiredAnswer: true },
  { id: 3, topic: 'receivesSsdi', requiredAnswer: false },
  { id: 4, topic: 'workedFiveOfTenYears', requiredAnswer: true },
  { id: 5, topic: 'hasAttorney', requiredAnswer: false },
  { id: 6, topic: 'ageInBounds', requiredAnswer: true },
]

/** The contact form is the last step. */
export const totalSteps = questions.length + 1

export type Stage = 'questions' | 'contact' | 'loading'

export interface QuestionnaireState {
  readonly stage: Stage
  readonly answers: readonly boolean[]
  /** An answer has been given and its question is still shown. */
  readonly locked: boolean
}

export type QuestionnaireEvent =
  | { readonly type: 'answered'; readonly answer: boolean }
  | { readonly type: 'lock expired' }
  | { readonly type: 'lead sent' }
  | { readonly type: 'resumed'; readonly answers: readonly boolean[] }
  | { readonly type: 'started over' }

export const initialState: QuestionnaireState = { stage: 'questions', answers: [], locked: false }

export function advance(state: QuestionnaireState, event: QuestionnaireEvent): QuestionnaireState {
  switch (event.type) {
    case 'answered':
      if (state.stage !== 'questions' || state.locked) return state
      return { ...state, answers: [...state.answers, event.answer], locked: true }
    case 'lock expired':
      return state.locked ? { ...state, stage: stageAfter(state.answers), locked: false } : state
    case 'lead sent':
      return state.stage === 'contact' ? { ...state, stage: 'loading' } : state
    case 'resumed': {
      const answers = event.answers.slice(0, questions.length)
      return { stage: stageAfter(answers), answers, locked: false }
    }
    case 'started over':
      return initialState
  }
}

function stageAfter(answers: readonly boolean[]): Stage {
  if (answers.length < questions.length) return 'questions'
  return isEligible(answers) ? 'contact' : 'loading'
}

/** False from the first mismatch on, for good. */
export function isEligible(answers: readonly boolean[]): boolean {
  return answers.every((answer, index) => answer === questions[index]?.requiredAnswer)
}

/** True from the press that makes the visitor eligible: the panel makes room for the contact form with that press. */
export function leadsToContact(state: QuestionnaireState): boolean {
  return state.answers.length === questions.length && isEligible(state.answers)
}

/** The question on screen; during the lock it is the one just answered. */
export function currentQuestion(state: QuestionnaireState): Question {
  const index = Math.min(state.answers.length - (state.locked ? 1 : 0), questions.length - 1)
  return questions[index] as Question
}

export interface Progress {
  readonly step: number
  readonly total: number
  readonly percent: number
}

export function progressOf(state: QuestionnaireState): Progress {
  const inContact = !state.locked && leadsToContact(state)
  const step = inContact ? totalSteps : currentQuestion(state).id
  return { step, total: totalSteps, percent: Math.round((step / totalSteps) * 100) }
}
