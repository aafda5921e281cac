/** Lead and delivery states, with their labels. */

export const leadStates = ['accepted', 'held', 'rejected', 'repeat', 'erased'] as const
export type LeadState = (typeof leadStates)[number]

export const stateNames: Readonly<Record<LeadState, string>> = {
  accepted: 'Accepted',
  held: 'On hold',
  rejected: 'Rejected',
  repeat: 'Repeat',
  erased: 'Erased',
}

/** `stopped`: its number is on the do-not-call list, or another lead replaced it. */
export const deliveryStates = ['pending', 'delivered', 'dead', 'stopped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryNames: Readonly<Record<DeliveryState | 'none', string>> = {
  pending: 'Queued',
  delivered: 'Delivered',
  dead: 'Delivery failed',
  stopped: 'Won’t be sent',
  none: 'Not sent',
}

/** Values in commands, CSV, and JSON. Only the store uses "dead". */
export const deliveryValues = {
  pending: 'pending',
  delivered: 'delivered',
  dead: 'failed',
  stopped: 'stopped',
  none: 'none',
} as const

// Labels for stored delivery outcomes and erasure reasons. Stored values never change; labels can.
const outcomes = new Map([
  ['broken off', 'interrupted'],
  ['too many interim (1xx) answers', 'too many interim (1xx) responses'],
  ['the answer is not HTTP', 'the response wasn’t HTTP'],
  ['no secure connection', 'couldn’t establish a secure connection'],
  ['host name not found', 'hostname not found'],
])

/** The outcome of a delivery attempt. Through version 0.5.3, a failure was stored as "the webhook answered 500". */
export const describeOutcome = (stored: string): string =>
  outcomes.get(stored) ??
  stored.replace(/^(?:the webhook )?answered (?=\d)/, 'responded with ').replace(/^no answer /, 'no response ')

const erasureReasons = new Map([
  ['retention', 'past the retention period'],
  ['restored backup', 'erased again after a backup was restored'],
])

export const describeErasureReason = (stored: string): string => erasureReasons.get(stored) ?? stored
