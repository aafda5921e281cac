/** Why a lead is on hold: the stored value (which never changes), a short label for tables, and an explanation. */

import type { LeadState } from './lead-states.ts'

interface HoldReasonText {
  readonly label: string
  readonly explanation: string
}

const holdReasons = {
  'a link in the name': {
    label: 'link',
    explanation: 'The name contains a web address, which usually means spam.',
  },
  'many from one address': {
    label: 'same IP',
    explanation: 'Too many leads from the same IP address in 10 minutes.',
  },
  'many from one network': {
    label: 'network',
    explanation: 'Too many leads from the same network in 10 minutes.',
  },
  'many from everywhere': {
    label: 'flood',
    explanation: 'Unusual spike in leads within 10 minutes.',
  },
  'it came under another name': {
    label: 'hostname',
    explanation: 'The form was submitted through a web address that isn’t yours.',
  },
  // The person was on the list when they submitted the lead.
  'on the do-not-call list': {
    label: 'do not call',
    explanation: 'This phone number or email was on the do-not-call list when the lead came in.',
  },
  // The person asked after submitting it.
  'asked not to be called': {
    label: 'do not call',
    explanation: 'After submitting this lead, the person asked not to be called.',
  },
  'phone number cannot exist': {
    label: 'bad phone',
    explanation: 'This can’t be a real US phone number: its area code or exchange starts with 0 or 1.',
  },
  'age contradicts an answer': {
    label: 'wrong age',
    explanation: 'The date of birth doesn’t match the age the visitor confirmed in the questionnaire.',
  },
  'email looks misspelled': {
    label: 'email typo',
    explanation: 'The email provider looks misspelled (like gmial.com).',
  },
} as const satisfies Readonly<Record<string, HoldReasonText>>

export type HoldReason = keyof typeof holdReasons

export const DO_NOT_CALL = 'on the do-not-call list' satisfies HoldReason

/**
 * Whether a request not to be called closed the lead, so there's nothing left to review. If the person submits another one after
 * that, someone has to look at it: they may want a call now.
 */
export const isClosed = (
  { state, heldReason }: { readonly state: LeadState; readonly heldReason: string | null },
  isOnDoNotCallList: boolean,
): boolean => state === 'held' && isOnDoNotCallList && heldReason !== DO_NOT_CALL

/** A store may contain reasons from an older or newer version. */
export function describeHoldReason(stored: string): HoldReasonText {
  return Object.hasOwn(holdReasons, stored) ? holdReasons[stored as HoldReason] : { label: 'held', explanation: stored }
}
