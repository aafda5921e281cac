/** Reads the contact fields that a server gets, no matter who sent them. What's stored holds nothing that doesn't show. */

import { checkContact, type ParsedContact, type ReadField } from '../leads/lead.ts'
import { oneLine } from '../text/text.ts'
import type { ContactField } from './contact-fields.ts'
import { readEmail } from './email.ts'

const readField: ReadField = (typed, kind) => (kind === 'email' ? readEmail(typed) : null) ?? oneLine(typed)

export const parseContact = (
  input: Readonly<Record<string, unknown>>,
  currentYear: number,
  optional: readonly ContactField[] = [],
): ParsedContact => checkContact(input, currentYear, optional, readField)
