/**
 * The consent record, for complaints such as "I never agreed": what a person saw and agreed to, hashed and signed. The record
 * page shows this data, and `leads verify` compares it with the store.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { readQuestionnaire } from '../../domain/as-presented.ts'
import { contactFields, describeField } from '../../domain/contact-fields.ts'
import type { Contact } from '../../domain/lead.ts'
import type { Calendar } from '../calendar.ts'
import { keyIdOf } from '../store/erasure.ts'
import type { LeadDetails } from '../store/lead-records.ts'

export const FORMAT = 'ssdi-advocate consent record, version 2'
/** Through 0.5.3, records were unsigned. */
export const UNSIGNED_FORMAT = 'ssdi-advocate consent record, version 1'

/** Times are ISO 8601 in the operator's time zone, with the UTC offset at that time. */
export interface ConsentRecord {
  readonly format: typeof FORMAT | typeof UNSIGNED_FORMAT
  readonly made: { readonly at: string; readonly by: string; readonly timeZone: string }
  readonly lead: { readonly id: string; readonly receivedAt: string; readonly page: string }
  /** Null once erased. */
  readonly person: RecordedPerson | null
  readonly erasedAt: string | null
  readonly consent: { readonly version: string; readonly text: string; readonly button: string }
  /** Null if unknown. */
  readonly questionnaire: {
    readonly version: string
    readonly questions: readonly { readonly question: string; readonly answer: string }[]
  } | null
  readonly certificate: { readonly url: string; readonly formKnown: boolean; readonly mode: string | null } | null
  readonly deliveries: readonly RecordedDelivery[]
}

export interface RecordedPerson extends Contact {
  readonly clientAddress: string
  readonly userAgent: string
}

export interface RecordedDelivery {
  readonly at: string
  readonly durationMs: number
  readonly status: number | null
  readonly outcome: string
}

export function consentRecordOf(
  lead: LeadDetails,
  { at, by, calendar }: { readonly at: number; readonly by: string; readonly calendar: Calendar },
): ConsentRecord {
  const { text, button } = JSON.parse(lead.consentPresented) as { readonly text: string; readonly button: string }
  const erased = lead.history.find(({ event }) => event === 'erased')
  return {
    format: FORMAT,
    made: { at: calendar.iso(at), by, timeZone: calendar.zone },
    lead: { id: lead.id, receivedAt: calendar.iso(lead.receivedAt), page: lead.page },
    person: personOf(lead),
    erasedAt: erased ? calendar.iso(erased.at) : null,
    consent: { version: lead.consentVersion, text, button },
    questionnaire: questionnaireOf(lead),
    certificate: lead.certificate && { ...lead.certificate, mode: lead.trustedForm },
    deliveries: lead.deliveryAttempts.map(({ at, durationMs, status, outcome }) => ({
      at: calendar.iso(at),
      durationMs,
      status,
      outcome,
    })),
  }
}

function personOf(lead: LeadDetails): RecordedPerson | null {
  const { firstName, clientAddress, userAgent } = lead
  if (lead.state === 'erased' || firstName === null) return null
  // Leave out empty optional fields, so a record saved before a field was added still matches.
  const recorded = contactFields.filter(field => lead[field] || describeField(field).required)
  const contact = Object.fromEntries(recorded.map(field => [field, lead[field] ?? '']))
  return { ...(contact as unknown as Contact), clientAddress: clientAddress ?? '', userAgent: userAgent ?? '' }
}

function questionnaireOf({
  questionnaireVersion,
  questionnairePresented,
}: LeadDetails): ConsentRecord['questionnaire'] {
  if (questionnaireVersion === null || questionnairePresented === null) return null
  const { questions, ...labels } = readQuestionnaire(questionnairePresented)
  return {
    version: questionnaireVersion,
    questions: questions.map(({ question, answer }) => ({ question, answer: labels[answer] })),
  }
}

/** The same data always produces the same text: sorted names, no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`
}

export function hashOfRecord(record: ConsentRecord): string {
  return createHash('sha256').update(canonicalJson(record)).digest('hex')
}

export interface Signature {
  readonly keyId: string
  readonly mac: string
}

export function signRecord(record: ConsentRecord, key: string): Signature {
  // Derived for this purpose only, so a signature can't double as an erased person's hash.
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'sign consent records', 32))
  return { keyId: keyIdOf(key), mac: createHmac('sha256', derived).update(canonicalJson(record)).digest('hex') }
}

export function isSignedBy(record: ConsentRecord, { mac }: Signature, key: string): boolean {
  const [expected, stated] = [Buffer.from(signRecord(record, key).mac), Buffer.from(mac)]
  return expected.length === stated.length && timingSafeEqual(expected, stated)
}

export interface Comparison {
  /** Facts that don't match the store. */
  readonly contradictions: readonly string[]
  /** Later events that are consistent with the record. */
  readonly since: readonly string[]
}

/** Clocks on different machines differ slightly. */
const TOLERANCE_MS = 60_000

const names: Readonly<Record<string, string>> = {
  made: 'the author or the time created',
  lead: 'the time received or the page',
  person: 'the person, IP address, or browser',
  erasedAt: 'the time of erasure',
  consent: 'the consent as presented',
  questionnaire: 'the questions as asked',
  certificate: 'the certificate',
  deliveries: 'the deliveries',
}

/**
 * Both records use the saved record's time zone. `wasThatPerson`: whether the erased person had this email and phone number;
 * null if unknown.
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
  const isMissing = later.some(({ at, durationMs }) => Date.parse(at) + durationMs < madeAt - TOLERANCE_MS)
  const isTooNew = saved.deliveries.some(delivery => Date.parse(delivery.at) > madeAt + TOLERANCE_MS)
  if (!isMissing) expected.deliveries = now.deliveries.slice(0, saved.deliveries.length)
  if (!isMissing && later.length > 0) {
    since.push(`${later.length} more ${later.length === 1 ? 'delivery was' : 'deliveries were'} attempted`)
  }
  const facts = new Set([...Object.keys(saved), ...Object.keys(expected)]) as Set<keyof ConsentRecord>
  const contradictions = [...facts].filter(
    fact => !(fact in saved && fact in expected && canonicalJson(saved[fact]) === canonicalJson(expected[fact])),
  )
  if (isTooNew && !contradictions.includes('deliveries')) contradictions.push('deliveries')
  if (madeAt < Date.parse(now.lead.receivedAt) - TOLERANCE_MS && !contradictions.includes('made'))
    contradictions.push('made')
  return { contradictions: contradictions.map(fact => names[fact] ?? `an unknown field (${fact})`), since }
}

/** Drops unknown fields, so a saved record with extra fields doesn't match. */
function onlyKnownFacts(person: RecordedPerson): RecordedPerson {
  const fields = [...contactFields, 'clientAddress', 'userAgent'] as const
  const known = fields.filter(field => field in person).map(field => [field, person[field]])
  return Object.fromEntries(known) as unknown as RecordedPerson
}
