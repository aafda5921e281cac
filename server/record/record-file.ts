/** The facts of a consent record inside of its page, and back: a saved page can be checked years later. */
import { timeZoneCalled } from '../calendar.ts'
import { type ConsentRecord, canonicalJson, FORMAT, hashOfRecord } from './consent-record.ts'

const BLOCK = /<script type="application\/json" id="consent-record">([\s\S]*?)<\/script>/g
const HASH = /<code id="consent-record-hash">([0-9a-f]{64})<\/code>/g

/** For the page: no text in it can end the block early or begin another. */
export function factsBlock(record: ConsentRecord): string {
  return `<script type="application/json" id="consent-record">${canonicalJson(record).replaceAll('<', '\\u003c')}</script>`
}

export function hashBlock(record: ConsentRecord): string {
  return `<code id="consent-record-hash">${hashOfRecord(record)}</code>`
}

export type FileReading =
  | { readonly kind: 'whole'; readonly record: ConsentRecord; readonly hash: string }
  /** There is no record in it, or more than one. */
  | { readonly kind: 'none' }
  /** The facts are not those that the hash was made of. */
  | { readonly kind: 'changed'; readonly record: ConsentRecord; readonly stated: string; readonly computed: string }

export function readRecordFile(html: string): FileReading {
  const [facts, ...moreFacts] = [...html.matchAll(BLOCK)].map(([, json = '']) => json)
  const [stated, ...moreHashes] = [...html.matchAll(HASH)].map(([, hash = '']) => hash)
  if (facts === undefined || stated === undefined || moreFacts.length > 0 || moreHashes.length > 0) {
    return { kind: 'none' }
  }
  const record = parse(facts)
  if (record === null) return { kind: 'none' }
  const computed = hashOfRecord(record)
  return computed === stated ? { kind: 'whole', record, hash: stated } : { kind: 'changed', record, stated, computed }
}

function parse(json: string): ConsentRecord | null {
  try {
    const record = JSON.parse(json) as ConsentRecord
    const isKnown = record?.format === FORMAT && timeZoneCalled(String(record.made?.timeZone)) !== null
    return isKnown && typeof record.lead?.id === 'string' ? record : null
  } catch {
    return null
  }
}
