/** Entries on the do-not-call list, and requests to remove them. */

import { readEmail } from '../contact/email.ts'
import { checkPhone, phoneDigits } from '../contact/phone.ts'
import { calendarDay } from '../dates.ts'
import { type DeskRole, roleAllows } from '../roles.ts'

export type DoNotCall = { readonly email: string } | { readonly phone: string }

/** What someone typed, as an entry; null if it's neither a US phone number nor an email address. */
export function parseDoNotCall(typed: string): DoNotCall | null {
  const email = readEmail(typed)
  if (email !== null) return { email }
  return checkPhone(typed) === 'valid' ? { phone: phoneDigits(typed) } : null
}

/** How a request came in, as stored, with its label. */
export const stopSources = {
  call: 'On a call',
  'wrong number': 'Wrong number',
  desk: 'Added in the desk',
  letter: 'By letter',
  email: 'By email',
  terminal: 'From a list',
  web: 'From the website',
  crm: 'From your CRM',
  restore: 'Restored',
} as const

export type StopSource = keyof typeof stopSources

/** To filter entries by: each has one. Versions before 0.9.0 didn't record how a request came in. */
export type StopFilter = StopSource | 'not recorded'
export const stopFilters: Readonly<Record<StopFilter, string>> = { ...stopSources, 'not recorded': 'Not recorded' }

/** How someone asked, for a stop that a colleague enters by hand. A letter and an email have a date, such as 2030-01-31. */
export type EnteredStop =
  | { readonly source: 'call' | 'desk' }
  | { readonly source: 'letter' | 'email'; readonly askedOn: string }

export const enteredSources = ['call', 'letter', 'email', 'desk'] as const satisfies readonly EnteredStop['source'][]

/** What colleagues record: by hand, or with a call's outcome. */
export const enteredByHand: readonly StopSource[] = [...enteredSources, 'wrong number']

/** "By letter of Jan 31, 2030" */
export const stopText = (source: StopSource, askedOn?: string | null): string =>
  askedOn ? `${stopSources[source]} of ${calendarDay(askedOn)}` : stopSources[source]

// Removing someone takes a request, which is recorded as evidence.

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

/** "The person asked to be called again, Jan 31, 2030" */
export const removalText = ({ askedBy, askedOn }: RemovalRequest): string =>
  `${removalAskers[askedBy] ?? askedBy}, ${calendarDay(askedOn)}`

/** Through one agent's hands, in one of the office's days. The next caller waits for an editor. */
export const MOST_REMOVALS_A_DAY = 5

/** Why a request stays when requests are taken back together. */
export const reasonsToStay = {
  'has a lead': 'They have or had a lead, so they may have asked themselves.',
  'asked elsewhere': 'Someone else recorded a request, too.',
  'dialed call': 'Said on a call that was dialed.',
  'was listed': 'It was on the list before this colleague removed it.',
} as const

export type WhyItStays = keyof typeof reasonsToStay

interface RequestFacts {
  /** Only strangers' requests are taken back without a word from them. */
  readonly hasLead: boolean
  /** Another request for one of its numbers and addresses stands: another person's, or an earlier one. */
  readonly isElsewhere: boolean
  readonly onDialedCall: boolean
  readonly wasListed: boolean
}

/** Null: it goes. */
export function whyItStays({ hasLead, isElsewhere, onDialedCall, wasListed }: RequestFacts): WhyItStays | null {
  if (wasListed) return 'was listed'
  if (isElsewhere) return 'asked elsewhere'
  if (onDialedCall) return 'dialed call'
  return hasLead ? 'has a lead' : null
}

/** What the CRM knows of stops that were taken back. Null: it never had a lead that they closed. */
export type CrmKnows = 'told' | 'not told' | null

/** For the screen, after a stop was taken back. Only editors can check it off on Health. */
export function removalNotice(crm: CrmKnows, role: DeskRole): string | null {
  if (crm === null) return null
  if (roleAllows(role, 'editor')) return removalNotices[crm]
  return crm === 'told' ? 'Your manager will tell the CRM that calls are allowed again.' : null
}

const removalNotices = {
  told: 'Your CRM was told not to call. Tell it that calls are allowed again. This stays under Tell your CRM on Health until someone checks it off.',
  'not told': 'Your CRM hadn’t been told not to call, so there’s nothing to tell it.',
} as const
