/** What can come of a call, one entry per outcome: its button, and what follows. */
import { HOUR } from '../durations.ts'

interface CallOutcome {
  readonly label: string
  /** Keyboard shortcut on the call's page. */
  readonly key: string
  /** Whether the agent talked to the person. */
  readonly reached: boolean
  /** `end`: no more calls. `retry`: the next try, if there are any left. `callback`: at the time the person asked for. */
  readonly follows: 'end' | 'retry' | 'callback'
  /** Whether it also answers the same person's leads on other numbers. A wrong number says nothing about those. */
  readonly answersOtherNumbers: boolean
  /**
   * What goes on the do-not-call list. `who asked`: the number, and if the person asked, their other numbers and their address. `if nobody
   * is there`: the number, unless someone else was reached there.
   */
  readonly stops: null | 'who asked' | 'if nobody is there'
  /** For toasts and lists. */
  readonly done: string
}

const entries = {
  'going ahead': {
    label: 'Talked: moving forward',
    key: '1',
    reached: true,
    follows: 'end',
    answersOtherNumbers: true,
    stops: null,
    done: 'Moving forward',
  },
  'not interested': {
    label: 'Talked: not interested',
    key: '2',
    reached: true,
    follows: 'end',
    answersOtherNumbers: true,
    stops: null,
    done: 'Not interested',
  },
  'call back': {
    label: 'Call back…',
    key: '3',
    reached: true,
    follows: 'callback',
    answersOtherNumbers: false,
    stops: null,
    done: 'Callback',
  },
  'no answer': {
    label: 'No answer',
    key: '4',
    reached: false,
    follows: 'retry',
    answersOtherNumbers: false,
    stops: null,
    done: 'No answer',
  },
  voicemail: {
    label: 'Left voicemail',
    key: '5',
    reached: false,
    follows: 'retry',
    answersOtherNumbers: false,
    stops: null,
    done: 'Left voicemail',
  },
  'other language': {
    label: 'Speaks another language',
    key: 'o',
    reached: false,
    follows: 'retry',
    answersOtherNumbers: false,
    stops: null,
    done: 'Speaks another language',
  },
  'someone else': {
    label: 'Someone else answered',
    key: '8',
    reached: false,
    follows: 'retry',
    answersOtherNumbers: false,
    stops: null,
    done: 'Someone else answered',
  },
  'wrong number': {
    label: 'Wrong number',
    key: '6',
    reached: false,
    follows: 'end',
    answersOtherNumbers: false,
    // Someone else's phone: the person's email stays off the list.
    stops: 'if nobody is there',
    done: 'Wrong number',
  },
  'never call again': {
    label: 'Never call again',
    key: '7',
    reached: true,
    follows: 'end',
    answersOtherNumbers: true,
    stops: 'who asked',
    done: 'Never call again',
  },
} as const satisfies Readonly<Record<string, CallOutcome>>

export type CallOutcomeName = keyof typeof entries

export const callOutcomes: Readonly<Record<CallOutcomeName, CallOutcome>> = entries
export const callOutcomeNames = Object.keys(entries) as readonly CallOutcomeName[]

/** Someone answered, and a colleague who speaks their language calls: the tries start again, and it's left alone by this agent. */
export const OTHER_LANGUAGE = 'other language' satisfies CallOutcomeName

/** Someone else picked up: a try for everyone whom no other outcome of the call names, and maybe a time to call the person asked for. */
export const SOMEONE_ELSE = 'someone else' satisfies CallOutcomeName

/** Nobody was reached, so the next try follows. What a later version stored, and this one doesn't know, counts as no answer. */
export const isTry = (outcome: string): boolean =>
  (callOutcomes[outcome as CallOutcomeName] ?? callOutcomes['no answer']).follows === 'retry'

/** Whether a time to call back is part of an outcome. */
export function callbackOf(outcome: CallOutcomeName): 'required' | 'possible' | 'none' {
  if (callOutcomes[outcome].follows === 'callback') return 'required'
  return outcome === SOMEONE_ELSE ? 'possible' : 'none'
}

interface OnNumber {
  readonly wasReached: boolean
}

/** Whom an outcome is about unless the agent says otherwise: the person asked for, or who called, who comes first. */
export function tickedAtFirst<Person extends OnNumber>(
  people: readonly Person[],
  outcome: CallOutcomeName,
): readonly Person[] {
  // Someone who was reached there is known there.
  return callOutcomes[outcome].stops === 'if nobody is there'
    ? people.filter(({ wasReached }) => !wasReached)
    : people.slice(0, 1)
}

/** How the calling ended, without another call: after the last try. */
export const NOT_REACHED = 'not reached'

/** Logged for a call that corrects another: the agent undid the outcome, or didn't call after all. */
export const UNDONE = 'undone'
export const NOT_CALLED = 'not called'

/** How long people can take back their own outcomes and stops. Later, a stop is removed, and someone has to say who asked for it. */
export const UNDO_MS = HOUR

/** A call that was dialed, but its agent hasn't said what happened. */
export const UNRECORDED = 'not recorded'

/** A call that was dropped: the same person dialed again within ten minutes. */
export const REDIALED = 'redialed'

/** Not only that there was a dial. */
export const isSaid = (outcome: string): boolean => outcome !== UNRECORDED && outcome !== REDIALED

/** Any outcome of a call in which someone talked to the person. */
const REACHED = 'reached'
export const isReached = (outcome: string): boolean => callOutcomes[outcome as CallOutcomeName]?.reached ?? false

/** What leads can be filtered by. */
export const filterOutcomes = [REACHED, ...callOutcomeNames, UNRECORDED, REDIALED] as const
/** The stored outcomes that a filter's choice stands for. */
export const outcomesOf = (chosen: (typeof filterOutcomes)[number]): readonly string[] =>
  chosen === REACHED ? callOutcomeNames.filter(isReached) : [chosen]

/** What has come of a lead's calls to date, whenever they were. Counted by campaign. */
export const calledSoFarNames = {
  called: 'Called',
  reached: 'Reached',
  goingAhead: 'Moving forward to date',
  wrongNumber: 'Wrong number',
  neverCall: 'Never call again',
} as const
export type CalledSoFar = keyof typeof calledSoFarNames
export const calledSoFarKeys = Object.keys(calledSoFarNames) as readonly CalledSoFar[]

/** What leads can be filtered by. A CRM can say, too, who became a client. */
export const soFarNames = { ...calledSoFarNames, client: 'Became a client' } as const
export type SoFar = keyof typeof soFarNames
export const soFarKeys = Object.keys(soFarNames) as readonly SoFar[]

const others: Readonly<Record<string, string>> = {
  [NOT_REACHED]: 'Not reached',
  [UNDONE]: 'Undone',
  [NOT_CALLED]: 'Didn’t call',
  [REACHED]: 'Reached',
  [UNRECORDED]: 'Called, outcome unknown',
  [REDIALED]: 'Dropped, dialed again',
}

/** The label for any stored outcome. */
export const outcomeName = (stored: string): string =>
  callOutcomes[stored as CallOutcomeName]?.done ?? others[stored] ?? stored
