/** Generates fake leads, each for a new person, as store submissions and as raw HTTP requests. */

import { consentAsPresented, questionnaireAsPresented } from '../domain/leads/as-presented.ts'
import { type Contact, leadQuery } from '../domain/leads/lead.ts'
import { versionOf } from '../server/store/facts/leads/hashes.ts'
import type { Submission } from '../server/store/operations/leads/capture.ts'
import type { Store } from '../server/store/store.ts'
import { shownQuestionnaire } from '../site/copy/panel-texts.ts'
import { words } from '../site-folder/site.ts'

const { consent } = words.en

const presentedConsent = consentAsPresented(consent)
export const consentVersion = versionOf(presentedConsent)
const presentedQuestionnaire = questionnaireAsPresented(shownQuestionnaire.en)
const questionnaireVersion = versionOf(presentedQuestionnaire)

export async function saveConsentAndQuestions(
  store: Pick<Store, 'saveConsentText' | 'saveQuestionnaire'>,
): Promise<void> {
  await store.saveConsentText(presentedConsent)
  await store.saveQuestionnaire(presentedQuestionnaire)
}

let people = 0

/** A different person each time, in random order like real email addresses. Sorted ones would make indexes look cheaper. */
function someone(): Contact {
  const number = String(Math.imul(++people, 2_654_435_761) >>> 0).padStart(10, '0')
  return {
    firstName: 'Bench',
    lastName: 'Mark',
    dateOfBirth: '1965-01-01',
    email: `person${number}@${process.pid}.example.org`,
    // Area codes and exchanges start with 2 or higher; leads with other numbers are put on hold.
    phone: `(2${number.slice(1, 3)}) 2${number.slice(4, 6)}-${number.slice(6)}`,
  }
}

export function someSubmission(): Submission {
  return {
    contact: someone(),
    page: '/',
    campaign: {},
    variant: '',
    clientAddress: '127.0.0.1',
    userAgent: 'bench',
    certificate: { kind: 'none' },
    trustedForm: 'off',
    consentVersion,
    questionnaireVersion,
    holdReason: null,
    language: 'en',
    deliver: true,
    announceRepeat: false,
    callFromDesk: true,
  }
}

/** A lead request for a new person. */
export const someLead = () => ({
  path: `/api/leads?${leadQuery(someone())}`,
  headers: {
    'Sec-Fetch-Site': 'same-origin',
    'X-Consent-Version': consentVersion,
    'X-Questionnaire-Version': questionnaireVersion,
  },
})

/** The same, from a new client address. */
export function someRequest({ host }: URL): string {
  const lead = someLead()
  const client = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`
  const headers = { Host: host, ...lead.headers, 'X-Forwarded-For': client }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${lead.path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
