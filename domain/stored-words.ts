/** Words for what the store keeps about deliveries and erasures. Stored words never change; these may. */

const outcomes = new Map([
  ['broken off', 'interrupted'],
  ['too many interim (1xx) answers', 'too many interim (1xx) responses'],
  ['the answer is not HTTP', 'the response wasn’t HTTP'],
  ['no secure connection', 'couldn’t make a secure connection'],
  ['host name not found', 'hostname not found'],
])

/** How a delivery attempt ended. Until 0.5.3, a failure was stored as "the webhook answered 500". */
export const outcomeInWords = (stored: string): string =>
  outcomes.get(stored) ??
  stored.replace(/^(?:the webhook )?answered (?=\d)/, 'responded with ').replace(/^no answer /, 'no response ')

const erasureReasons = new Map([
  ['retention', 'past the retention period'],
  ['restored backup', 'erased again after a backup was restored'],
])

export const erasureReasonInWords = (stored: string): string => erasureReasons.get(stored) ?? stored
