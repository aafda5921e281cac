/**
 * Labels of contact fields for the call team: at the desk, in the terminal, in the consent record. Visitors read
 * content/panel/contact-form.ts instead. Kept out of contact-fields.ts, which every visitor downloads.
 */
import { type ContactField, contactFields, describeField } from './contact-fields.ts'

export const contactLabels: Readonly<Record<ContactField, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  email: 'Email',
  phone: 'Phone',
}

export interface ContactFact {
  readonly label: string
  readonly value: string
}

/** The optional fields that this person filled in, to show after the fields that every lead has. */
export function optionalFacts(contact: Readonly<Partial<Record<ContactField, string | null>>>): readonly ContactFact[] {
  return contactFields.flatMap(field => {
    const value = contact[field]
    return describeField(field).required || !value ? [] : [{ label: contactLabels[field], value }]
  })
}
