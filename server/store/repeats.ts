/** When a lead repeats an earlier one, and when it takes the place of one that is held. The same for every engine. */
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import type { CapturedLead } from './store.ts'

/** The same person again within this time is a repeat. */
export const REPEAT_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

export function personKeyOf({ email, phone }: Contact): string {
  return `${email.trim().toLowerCase()}|${phoneDigits(phone)}`
}

/** The oldest accepted or held lead of the person within the window. */
export interface EarlierLead {
  readonly id: string
  readonly state: string
}

export interface Standing {
  readonly state: CapturedLead['state']
  readonly heldReason: string | null
  readonly repeatOf: string | null
  /** The held lead that becomes a repeat of this one. */
  readonly replaces: string | null
}

export function standingOf(earlier: EarlierLead | null, holdReason: string | null): Standing {
  // Nobody has called a person whose lead is held: the same person without the fault must not wait behind it.
  const replaces = earlier?.state === 'held' && holdReason === null ? earlier.id : null
  const repeatOf = replaces ? null : (earlier?.id ?? null)
  const state = repeatOf ? 'repeat' : holdReason ? 'held' : 'accepted'
  return { state, heldReason: state === 'held' ? holdReason : null, repeatOf, replaces }
}
