/**
 * Compares a saved record with the store: every fact must match what the store held when the record was created, with
 * nothing added.
 */
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import {
  type ConsentRecord,
  canonicalJson,
  FORMAT,
  type RecordedDelivery,
  type RecordedPerson,
} from './consent-record.ts'

export interface Comparison {
  /** Facts that don't match the store. */
  readonly contradictions: readonly string[]
  /** Later events that are consistent with the record. */
  readonly since: readonly string[]
}

/** Machines' clocks differ a little. */
const TOLERANCE_MS = 60_000

const names: Readonly<Record<string, string>> = {
  made: 'who created it, or when',
  lead: 'when the lead was received, or on which page',
  person: 'the person, their IP address, or their browser',
  erasedAt: 'when the person was erased',
  consent: 'the consent as presented',
  questionnaire: 'the questions as asked',
  certificate: 'the certificate',
  deliveries: 'the deliveries',
}

/**
 * Both records use the saved record's time zone. `wasThatPerson`: whether the erased person had this email and phone; null if
 * unknown.
 */
export function compareRecords(saved: ConsentRecord, now: ConsentRecord, wasThatPerson: boolean | null): Comparison {
  const since: string[] = []
  const madeAt = Date.parse(saved.made.at)
  const { at, by, timeZone } = saved.made
  const expected = { ...now, format: saved.format, made: { at, by, timeZone } }
  const wasErasedSince = now.erasedAt !== null && Date.parse(now.erasedAt) > madeAt - TOLERANCE_MS
  // If the hashes can't be compared, a signed record is trusted.
  const isProven = wasThatPerson ?? saved.format === FORMAT
  if (saved.person !== null && now.person === null && wasErasedSince && isProven) {
    expected.person = onlyKnownFacts(saved.person)
    expected.erasedAt = null
    since.push(
      wasThatPerson
        ? 'the person was erased; email and phone match the stored hashes'
        : 'the person was erased with a different key, so their data can’t be compared',
    )
  }
  const later = now.deliveries.slice(saved.deliveries.length)
  // Deliveries that finished before the record was created must be in it.
  const isMissing = later.some(delivery => endOf(delivery) < madeAt - TOLERANCE_MS)
  const isTooNew = saved.deliveries.some(delivery => Date.parse(delivery.at) > madeAt + TOLERANCE_MS)
  if (!isMissing) expected.deliveries = now.deliveries.slice(0, saved.deliveries.length)
  if (!isMissing && later.length > 0) {
    since.push(`${later.length} more ${later.length === 1 ? 'delivery was' : 'deliveries were'} attempted`)
  }
  const facts = new Set([...Object.keys(saved), ...Object.keys(expected)])
  const contradictions = [...facts].filter(fact => !isSame(saved, expected, fact as keyof ConsentRecord))
  if (isTooNew && !contradictions.includes('deliveries')) contradictions.push('deliveries')
  if (madeAt < Date.parse(now.lead.receivedAt) - TOLERANCE_MS && !contradictions.includes('made'))
    contradictions.push('made')
  return { contradictions: contradictions.map(fact => names[fact] ?? `an unknown field (${fact})`), since }
}

function isSame(saved: ConsentRecord, expected: ConsentRecord, fact: keyof ConsentRecord): boolean {
  return fact in saved && fact in expected && canonicalJson(saved[fact]) === canonicalJson(expected[fact])
}

function endOf({ at, durationMs }: RecordedDelivery): number {
  return Date.parse(at) + durationMs
}

/** Drops unknown fields, so a saved record with extra fields doesn't match. */
function onlyKnownFacts(person: RecordedPerson): RecordedPerson {
  const fields: readonly (ContactField | 'clientAddress' | 'userAgent')[] = [
    ...contactFields,
    'clientAddress',
    'userAgent',
  ]
  const known = fields.filter(field => field in person).map(field => [field, person[field]])
  return Object.fromEntries(known) as unknown as RecordedPerson
}
