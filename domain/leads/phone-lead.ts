/** Someone who never sent the form, and said yes on the phone: they called us, or they answered a call to someone else. */

import { parseContact } from '../contact/read-contact.ts'
import type { ParsedContact } from './lead.ts'

/** Stored instead of the page: they called us. */
export const PHONE_PAGE = 'phone'
/** We called, and they answered. */
export const OUR_CALL_PAGE = 'call'

/** Who called whom, when they said yes; null if that isn't known: an agent corrected the number of someone who sent the form. */
export const directionOfYes = (page: string): 'incoming' | 'outgoing' | null =>
  page === PHONE_PAGE ? 'incoming' : page === OUR_CALL_PAGE ? 'outgoing' : null

/** Not everyone has an email address, or wants to say when they were born. */
export const parsePhoneContact = (input: Readonly<Record<string, unknown>>, currentYear: number): ParsedContact =>
  parseContact(input, currentYear, ['email', 'dateOfBirth'])
