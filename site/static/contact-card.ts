/** The organization as a contact (vCard 3.0, RFC 2426), so that a visitor's phone shows its name when it calls. */
import { telHref } from '../../domain/contact/phone.ts'
import type { Organization } from '../../site-folder/types.ts'

export const CONTACT_CARD_PATH = '/contact.vcf'

export function contactCard({ name, phone, email }: Pick<Organization, 'name' | 'phone' | 'email'>): string {
  const shown = name.replace(/[\\,;]/g, '\\$&')
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    // Required, and empty for an organization.
    'N:;;;;',
    `FN:${shown}`,
    `ORG:${shown}`,
    'X-ABShowAs:COMPANY',
    `TEL;TYPE=WORK,VOICE:${telHref(phone).replace('tel:', '')}`,
    ...(email ? [`EMAIL:${email}`] : []),
    'END:VCARD',
  ]
  return lines.map(line => `${line}\r\n`).join('')
}
