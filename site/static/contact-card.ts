/** The organization as a contact (vCard 3.0, RFC 2426), so that a visitor's phone shows its name when it calls. */
import { telHref } from '../../domain/phone.ts'

export const CONTACT_CARD_PATH = '/contact.vcf'

interface Organization {
  readonly name: string
  readonly phone: string
  readonly email: string | null
}

export function contactCard({ name, phone, email }: Organization): string {
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
    ...(email === null ? [] : [`EMAIL:${email}`]),
    'END:VCARD',
  ]
  return lines.map(line => `${line}\r\n`).join('')
}
