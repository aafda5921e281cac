/** Why a lead is held for a look before it is delivered. What looks like spam is never dropped: it may be a person. */
import type { Contact } from '../../domain/lead.ts'

export function holdReason(contact: Contact, manyFromOneAddress: boolean): string | null {
  if (manyFromOneAddress) return 'many from one address'
  if ([contact.firstName, contact.lastName].some(name => /https?:\/\/|www\./i.test(name))) return 'a link in the name'
  return null
}
