/** Compares a saved record with the store: every fact must be what the store had at the record's time, and no other. */
import { type ContactField, contactFields } from '../../domain/contact-fields.ts'
import {
  type ConsentRecord,
  canonicalJson,
  FORMAT,
  type RecordedDelivery,
  type RecordedPerson,
} from './consent-record.ts'

export interface Comparison {
  /** Facts that do not match the store. */
  readonly contradictions: readonly string[]
  /** What happened since and contradicts nothing. */
  readonly since: readonly string[]
}

/** Clocks of several machines differ a little. */
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
 * Both have their times in the zone of the saved one. `wasThatPerson`: whether the erased person had the email and phone of the
 * record; null when that cannot be told.
 */
export function compareRecords(saved: ConsentRecord, now: ConsentRecord, wasThatPerson: boolean | null): Comparison {
  const since: string[] = []
  const madeAt = Date.parse(saved.made.at)
  const { at, by, timeZone } = saved.made
  const expected = { ...now, format: saved.format, made: { at, by, timeZone } }
  const wasErasedSince = now.erasedAt !== null && Date.parse(now.erasedAt) > madeAt - TOLERANCE_MS
  // The signature vouches for a person whose hashes cannot be compared.
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
  // What ended before the record was made must be in it.
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

/** A fact beyond these makes the record differ. */
function onlyKnownFacts(person: RecordedPerson): RecordedPerson {
  const fields: readonly (ContactField | 'clientAddress' | 'userAgent')[] = [
    ...contactFields,
    'clientAddress',
    'userAgent',
  ]
  const known = fields.filter(field => field in person).map(field => [field, person[field]])
  return Object.fromEntries(known) as unknown as RecordedPerson
}
