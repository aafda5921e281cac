/**
 * Consent records saved by earlier versions. Their data is embedded as JSON: 0.6.0 signed that data but not the page around it, and
 * 0.5.3 signed nothing. So rely on the data, not on what the page shows.
 */
import { createHash } from 'node:crypto'
import { canonicalTimeZone } from '../settings/calendar.ts'
import type { ConsentRecord } from './consent-record.ts'
import { isEqual, macOf } from './signature.ts'

const SIGNED = 'ssdi-advocate consent record, version 2'
const UNSIGNED = 'ssdi-advocate consent record, version 1'

export interface OldRecord extends ConsentRecord {
  readonly format: typeof SIGNED | typeof UNSIGNED
}

export interface OldRecordFile {
  readonly record: OldRecord
  /** The data still matches the hash that the page states. */
  readonly isIntact: boolean
  /** Null for a record from 0.5.3 or earlier. */
  readonly signature: { readonly keyId: string; readonly mac: string } | null
}

const FACTS = /<script type="application\/json" id="consent-record">([\s\S]*?)<\/script>/g
const HASH = /<code id="consent-record-hash">([0-9a-f]{64})<\/code>/g
const SIGNATURE = /<code id="consent-record-signature">([\w-]{12}):([0-9a-f]{64})<\/code>/g

/** Null if the text has no record, or more than one. */
export function readOldRecord(html: string): OldRecordFile | null {
  const [facts, ...moreFacts] = [...html.matchAll(FACTS)].map(([, json = '']) => json)
  const [stated, ...moreHashes] = [...html.matchAll(HASH)].map(([, hash = '']) => hash)
  if (facts === undefined || stated === undefined || moreFacts.length > 0 || moreHashes.length > 0) return null
  const record = parse(facts)
  const [signature, ...more] = [...html.matchAll(SIGNATURE)].map(([, keyId = '', mac = '']) => ({ keyId, mac }))
  if (record === null || more.length > 0 || (signature === undefined) !== (record.format === UNSIGNED)) return null
  const isIntact = createHash('sha256').update(canonicalJson(record)).digest('hex') === stated
  return { record, isIntact, signature: signature ?? null }
}

function parse(json: string): OldRecord | null {
  try {
    const record = JSON.parse(json) as OldRecord
    const isKnown = record?.format === SIGNED || record?.format === UNSIGNED
    const hasTime =
      canonicalTimeZone(String(record.made?.timeZone)) !== null && !Number.isNaN(Date.parse(record.made.at))
    return isKnown && hasTime && typeof record.lead?.id === 'string' && Array.isArray(record.deliveries) ? record : null
  } catch {
    return null
  }
}

export const isOldSignatureValid = (record: OldRecord, mac: string, key: string): boolean =>
  isEqual(macOf(canonicalJson(record), key), mac)

/** The same data always produces the same text: sorted names, no spaces. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(',')}}`
}

export interface Comparison {
  /** Facts that don't match the store. */
  readonly contradictions: readonly string[]
  /** Facts the store can't confirm, because the person was erased. */
  readonly unconfirmed: readonly string[]
  /** Later events that are consistent with the record. */
  readonly since: readonly string[]
}

/** Clocks on different machines differ slightly. */
const TOLERANCE_MS = 60_000

const names = {
  lead: 'the time received or the page',
  person: 'the person, IP address, or browser',
  erasedAt: 'the time of erasure',
  consent: 'the consent as presented',
  questionnaire: 'the questions as asked',
  certificate: 'the certificate',
  deliveries: 'the deliveries',
} as const

type Fact = keyof typeof names

/**
 * Compares an unsigned record with the store. `now` must use the record's time zone. `wasThatPerson`: whether the erased person had
 * this email and phone number; null if unknown.
 */
export function compareWithStore(saved: OldRecord, now: ConsentRecord, wasThatPerson: boolean | null): Comparison {
  const [since, unconfirmed]: [string[], string[]] = [[], []]
  const contradictions = new Set<string>()
  const madeAt = Date.parse(saved.made.at)
  const matches = new Map<Fact, boolean>(
    (Object.keys(names) as Fact[]).map(fact => [fact, canonicalJson(saved[fact]) === canonicalJson(now[fact])]),
  )
  const wasErasedSince = now.erasedAt !== null && Date.parse(now.erasedAt) > madeAt - TOLERANCE_MS
  if (saved.person !== null && now.person === null && wasErasedSince && wasThatPerson !== false) {
    matches.set('person', true).set('erasedAt', true)
    const facts = ['first and last name', 'date of birth', 'IP address', 'browser']
    unconfirmed.push(...(wasThatPerson ? [] : ['email', 'phone']), ...facts)
    since.push('the person was erased')
  }
  // A delivery that finished before the record was created must be in it. Later ones, even if they started before, don't have to.
  const missing = now.deliveries.filter(each => !saved.deliveries.some(other => isSame(each, other)))
  const isMissing = missing.some(({ at, durationMs }) => Date.parse(at) + durationMs < madeAt - TOLERANCE_MS)
  const isMadeUp = saved.deliveries.some(each => !now.deliveries.some(other => isSame(each, other)))
  matches.set('deliveries', !isMissing && !isMadeUp)
  if (!isMissing && missing.length > 0) {
    since.push(`${missing.length} more ${missing.length === 1 ? 'delivery was' : 'deliveries were'} attempted`)
  }
  for (const [fact, isMatch] of matches) if (!isMatch) contradictions.add(names[fact])
  if (madeAt < Date.parse(now.lead.receivedAt) - TOLERANCE_MS) contradictions.add('the time created')
  const known = new Set(['format', 'made', ...Object.keys(names)])
  for (const fact of Object.keys(saved)) if (!known.has(fact)) contradictions.add(`an unknown field (${fact})`)
  return { contradictions: [...contradictions], unconfirmed, since }
}

const isSame = (one: unknown, other: unknown) => canonicalJson(one) === canonicalJson(other)
