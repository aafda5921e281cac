/** Every delay a visitor can notice, in milliseconds. */
export const delays = {
  /** After an answer, both buttons are locked for this long, so a double tap doesn't answer the next question too. */
  answerLock: 500,
  declineRedirect: 4000,
  thankYouRedirect: 2000,
  toast: 4000,
  /** Request timeout, after which the visitor can try again. */
  leadRequest: 20_000,
} as const
