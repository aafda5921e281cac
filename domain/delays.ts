/** Every delay a visitor can notice, in milliseconds. */
export const delays = {
  /** After an answer, both buttons are locked this long: the second tap of a double tap must not answer the next question. */
  answerLock: 500,
  declineRedirect: 4000,
  thankYouRedirect: 2000,
  toast: 4000,
  /** A draft expires this long after the last change. */
  draftLifetime: 30 * 60_000,
  /** Request timeout: the visitor must be able to try again. */
  leadRequest: 20_000,
} as const
