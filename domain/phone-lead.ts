/** Someone who called us and never sent the form. */
import type { ParsedContact } from './lead.ts'
import { parseContact } from './read-contact.ts'

/** Stored instead of the page. */
export const PHONE_PAGE = 'phone'

/** Not everyone has an email address, or wants to say when they were born. */
export const parsePhoneContact = (input: Readonly<Record<string, unknown>>, currentYear: number): ParsedContact =>
  parseContact(input, currentYear, ['email', 'dateOfBirth'])
