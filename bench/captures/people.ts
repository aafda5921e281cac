/** Leads of ever new people, as the store takes them and as they go over the wire. */
import { consent } from '../../content/panel/contact-form.ts'
import { panelWords } from '../../content/panel/panel-words.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { type Contact, leadQuery } from '../../domain/lead.ts'
import { questionnaireAsPresented } from '../../domain/questions-as-asked.ts'
import { versionOf } from '../../server/presented-version.ts'
import type { Store, Submission } from '../../server/store/store.ts'
import { type RawRequest, rawGet } from './raw-connection.ts'

const presentedConsent = consentAsPresented(consent)
const consentVersion = versionOf(presentedConsent)
const presentedQuestionnaire = questionnaireAsPresented(panelWords.en)
const questionnaireVersion = versionOf(presentedQuestionnaire)

/** As a server does when it starts. */
export async function rememberWhatIsPresented(
  store: Pick<Store, 'rememberConsent' | 'rememberQuestionnaire'>,
): Promise<void> {
  await store.rememberConsent(presentedConsent)
  await store.rememberQuestionnaire(presentedQuestionnaire)
}

let people = 0

/** In each of several processes another one: their process ids are in the address. */
function someone(): Contact {
  // Never two alike, and in no order: an index of addresses that come in theirs would only ever grow at its end.
  const number = String(Math.imul(++people, 2_654_435_761) >>> 0).padStart(10, '0')
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
    variant: '',
    clientAddress: '127.0.0.1',
    userAgent: 'bench',
    certificate: { kind: 'none' },
    trustedForm: 'off',
    consentVersion,
    questionnaireVersion,
    holdReason: null,
    announceRepeat: false,
  }
}

/** Of one lead, with an address of its own. */
export function someRequest(url: string): RawRequest {
  const contact = someone()
  const address = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`
  return rawGet(new URL(`/api/leads?${leadQuery(contact)}`, url), {
    'Sec-Fetch-Site': 'same-origin',
    'X-Consent-Version': consentVersion,
    'X-Questionnaire-Version': questionnaireVersion,
    'X-Forwarded-For': address,
  })
}
