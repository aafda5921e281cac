/** Leads of ever new people, as the store takes them and as they go over the wire. */
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { type Contact, leadQuery } from '../../domain/lead.ts'
import { consentVersionOf } from '../../server/consent-version.ts'
import type { Submission } from '../../server/store/store.ts'
import { type RawRequest, rawGet } from './raw-connection.ts'

const consentVersion = consentVersionOf(consentAsPresented(consent))

let people = 0

/** In each of several processes another one: their process ids are in the address. */
function someone(): Contact {
  const number = String(++people).padStart(10, '0')
  return {
    firstName: 'Bench',
    lastName: 'Mark',
    dateOfBirth: '1965-01-01',
    email: `person${number}@${process.pid}.example.org`,
    phone: `(${number.slice(0, 3)}) ${number.slice(3, 6)}-${number.slice(6)}`,
  }
}

export function someSubmission(): Submission {
  return {
    contact: someone(),
    page: '/',
    campaign: {},
    clientAddress: '127.0.0.1',
    userAgent: 'bench',
    certificate: { kind: 'none' },
    consentVersion,
    holdReason: null,
  }
}

/** Of one lead, with an address of its own. */
export function someRequest(url: string): RawRequest {
  const contact = someone()
  const address = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`
  return rawGet(new URL(`/api/leads?${leadQuery(contact)}`, url), {
    'Sec-Fetch-Site': 'same-origin',
    'X-Consent-Version': consentVersion,
    'X-Forwarded-For': address,
  })
}
