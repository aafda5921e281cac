/** Leads and people as PostgreSQL takes them, written into the text of a statement: see `migrations/captures.ts`. */
import { hash } from 'node:crypto'
import { certificateId } from '../../../domain/certificate.ts'
import type { Standing } from '../repeats.ts'
import type { Submission } from '../store.ts'

export interface Arrived {
  readonly id: string
  readonly receivedAt: number
  readonly personKey: string
  readonly submission: Submission
}

/** PostgreSQL takes neither a NUL nor half a character in a text. A lead with one is a person all the same. */
export function storable(submission: Submission): Submission {
  const { contact, certificate } = submission
  return {
    ...submission,
    contact: {
      firstName: clean(contact.firstName),
      lastName: clean(contact.lastName),
      dateOfBirth: clean(contact.dateOfBirth),
      email: clean(contact.email),
      phone: clean(contact.phone),
    },
    page: clean(submission.page),
    campaign: Object.fromEntries(Object.entries(submission.campaign).map(pair => pair.map(clean))),
    clientAddress: clean(submission.clientAddress),
    userAgent: clean(submission.userAgent),
    certificate: certificate.kind === 'present' ? { kind: 'present', url: clean(certificate.url) } : certificate,
    holdReason: submission.holdReason && clean(submission.holdReason),
  }
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** With its history line and whether it is delivered; what is not there is null. */
export function rowOf({ id, receivedAt, personKey, submission }: Arrived, standing: Standing): object {
  const { state, heldReason, repeatOf, delivered } = standing
  const { contact, certificate } = submission
  const knownId = certificate.kind === 'present' ? certificateId(certificate.url) : null
  const detail = {
    state,
    certificate: certificate.kind,
    ...(heldReason && { heldReason }),
    ...(repeatOf && { repeatOf }),
  }
  return {
    id,
    received_at: receivedAt,
    state,
    ...(heldReason && { held_reason: heldReason }),
    ...(repeatOf && { repeat_of: repeatOf }),
    first_name: contact.firstName,
    last_name: contact.lastName,
    date_of_birth: contact.dateOfBirth,
    email: contact.email,
    phone: contact.phone,
    person_key: personKey,
    client_address: submission.clientAddress,
    user_agent: submission.userAgent,
    page: submission.page,
    // As an object, which a column of text takes as it stands here.
    campaign: submission.campaign,
    variant: submission.variant,
    ...(knownId && { certificate_id: knownId }),
    ...(certificate.kind === 'present' && !knownId && { certificate_other: certificate.url }),
    trusted_form: submission.trustedForm,
    consent_version: submission.consentVersion,
    questionnaire_version: submission.questionnaireVersion,
    detail,
    delivered,
  }
}

/**
 * Numbers to lock people by, each once and always in one order: two groups that lock the same people crosswise would wait
 * for each other.
 */
export function locksOf(personKeys: readonly string[]): string {
  const locks = personKeys.map(personKey => hash('sha256', personKey, 'buffer').readBigInt64BE())
  return `'{${[...new Set(locks)].toSorted((a, b) => (a < b ? -1 : 1)).join()}}'::bigint[]`
}

export function textsOf(values: Iterable<string>): string {
  const quoted = Array.from(values, value => `"${value.replaceAll(/["\\]/g, '\\$&')}"`)
  return `${literal(`{${quoted.join()}}`)}::text[]`
}

/** Safe whatever the database's settings say about backslashes. The driver's own goes letter by letter, and takes its time. */
export function literal(text: string): string {
  return ` E'${text.replaceAll(/['\\]/g, '$&$&')}'`
}
