/** Removing someone from the do-not-call list takes a request, which is recorded as evidence. */

/** Who asked, as stored and in commands, with its label. Choices instead of free text, because the record outlives an erasure. */
export const removalAskers = {
  person: 'The person asked to be called again',
  representative: 'Someone acting for them asked',
  mistake: 'It was added by mistake',
} as const

export type RemovalAsker = keyof typeof removalAskers
export const removalAskerNames = Object.keys(removalAskers) as readonly RemovalAsker[]

/** `askedOn`: a date such as 2030-01-31, in the office's time zone. */
export interface RemovalRequest {
  readonly askedBy: RemovalAsker
  readonly askedOn: string
}
