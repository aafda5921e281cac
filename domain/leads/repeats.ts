/** Decides whether a lead is a repeat of an earlier one or replaces one on hold. */
import { DAY } from '../durations.ts'
import { DO_NOT_CALL } from './hold-reasons.ts'
import type { LeadState } from './lead-states.ts'

/** Another lead from the same person within this time is a repeat. */
export const REPEAT_WINDOW_MS = 30 * DAY

/** The person's oldest accepted or held lead within the window. */
export interface EarlierLead {
  readonly id: string
  readonly state: LeadState
  /** The state of its delivery, if it has one. */
  readonly delivery: string | null
}

export interface Disposition {
  readonly state: 'accepted' | 'repeat' | 'held'
  readonly heldReason: string | null
  readonly repeatOf: string | null
  /** The held lead that becomes a repeat of this one. */
  readonly replaces: string | null
  /** An earlier lead whose delivery failed. We retry it because the person submitted again. */
  readonly reopens: string | null
  /** An earlier lead that goes back to the top of the call list. */
  readonly callAgain: string | null
  /** Whether to put it into the outbox. */
  readonly isToSend: boolean
}

export function decideLead(
  known: EarlierLead | null,
  { holdReason, announceRepeat }: { readonly holdReason: string | null; readonly announceRepeat: boolean },
): Disposition {
  // Always review a lead from someone on the do-not-call list: they may want a call now.
  const earlier = holdReason === DO_NOT_CALL && known?.state !== 'held' ? null : known
  // If a person's lead is on hold, no one has called them, so a clean lead from the same person replaces it.
  const replaces = earlier?.state === 'held' && holdReason === null ? earlier.id : null
  const repeatOf = replaces ? null : (earlier?.id ?? null)
  const state = repeatOf ? 'repeat' : holdReason ? 'held' : 'accepted'
  const callAgain = earlier?.state === 'accepted' && holdReason === null ? repeatOf : null
  const reopens = state === 'repeat' && earlier?.delivery === 'dead' && holdReason === null ? repeatOf : null
  // Announce only repeats of accepted leads, and never a lead that would be put on hold.
  const announced = announceRepeat && state === 'repeat' && holdReason === null
  const isToSend = state === 'accepted' || announced
  return { state, heldReason: state === 'held' ? holdReason : null, repeatOf, replaces, reopens, callAgain, isToSend }
}
