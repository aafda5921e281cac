/** When a failed delivery is tried again, and when it is given up. */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The wait after the first failed attempt, after the second, and so on. */
const waits: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** Leads that failed together are not all sent again at the same moment. */
const JITTER = 0.2

/** A webhook may ask for patience, but not for so much that the lead goes cold. */
const LONGEST_ASKED_WAIT = 24 * HOUR

export interface FailedAttempt {
  /** How many attempts were made, this one included. */
  readonly attempts: number
  readonly now: number
  /** The Retry-After header as it came: seconds or a date. */
  readonly retryAfter: string | null
  readonly random: () => number
}

/** How long to wait: the longer of our own schedule and what the webhook asked for. Null: no more, the delivery is dead. */
export function retryInMs({ attempts, now, retryAfter, random }: FailedAttempt): number | null {
  const wait = waits[attempts - 1]
  if (wait === undefined) return null
  const ours = wait * (1 - JITTER + 2 * JITTER * random())
  return Math.round(Math.max(ours, askedWait(retryAfter, now)))
}

/** What is neither seconds nor an HTTP date is ignored: a careless webhook must not stop its own leads. */
function askedWait(retryAfter: string | null, now: number): number {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND, LONGEST_ASKED_WAIT)
  const date = /^[A-Z][a-z]+,.* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.min(date - now, LONGEST_ASKED_WAIT)
}
