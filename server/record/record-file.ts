/** Embeds a consent record's facts in its page and reads them back, so that a saved page can be verified years later. */
import { canonicalTimeZone } from '../calendar.ts'
import type { Signature } from './consent-record.ts'
import { type ConsentRecord, canonicalJson, FORMAT, hashOfRecord, UNSIGNED_FORMAT } from './consent-record.ts'

const BLOCK = /<script type="application\/json" id="consent-record">([\s\S]*?)<\/script>/g
const HASH = /<code id="consent-record-hash">([0-9a-f]{64})<\/code>/g
const SIGNATURE = /<code id="consent-record-signature">([\w-]{12}):([0-9a-f]{64})<\/code>/g

/** Escaped, so that no text in it can close the script element or open another. */
export function factsBlock(record: ConsentRecord): string {
  return `<script type="application/json" id="consent-record">${canonicalJson(record).replaceAll('<', '\\u003c')}</script>`
}

export function hashBlock(record: ConsentRecord): string {
  return `<code id="consent-record-hash">${hashOfRecord(record)}</code>`
}

export function signatureBlock({ keyId, mac }: Signature): string {
  return `<code id="consent-record-signature">${keyId}:${mac}</code>`
}

export type ParsedRecordFile =
  | {
      readonly kind: 'intact'
      readonly record: ConsentRecord
      readonly hash: string
      /** Null for a record from before 0.6.0, which is unsigned. */
      readonly signature: Signature | null
    }
  /** The page has no record, or more than one. */
  | { readonly kind: 'none' }
  /** The facts don't match the stated hash. */
  | { readonly kind: 'changed'; readonly record: ConsentRecord; readonly stated: string; readonly computed: string }

export function readRecordFile(html: string): ParsedRecordFile {
  const [facts, ...moreFacts] = [...html.matchAll(BLOCK)].map(([, json = '']) => json)
  const [stated, ...moreHashes] = [...html.matchAll(HASH)].map(([, hash = '']) => hash)
  const signatures = [...html.matchAll(SIGNATURE)].map(([, keyId = '', mac = '']) => ({ keyId, mac }))
  if (facts === undefined || stated === undefined || moreFacts.length > 0 || moreHashes.length > 0) {
    return { kind: 'none' }
  }
  const record = parse(facts)
  if (record === null || signatures.length !== (record.format === FORMAT ? 1 : 0)) return { kind: 'none' }
  const computed = hashOfRecord(record)
  if (computed !== stated) return { kind: 'changed', record, stated, computed }
  return { kind: 'intact', record, hash: stated, signature: signatures[0] ?? null }
}

function parse(json: string): ConsentRecord | null {
  try {
    const record = JSON.parse(json) as ConsentRecord
    const isKnown = record?.format === FORMAT || record?.format === UNSIGNED_FORMAT
    const hasTime =
      canonicalTimeZone(String(record.made?.timeZone)) !== null && !Number.isNaN(Date.parse(record.made.at))
    return isKnown && hasTime && typeof record.lead?.id === 'string' && Array.isArray(record.deliveries) ? record : null
  } catch {
    return null
  }
}
