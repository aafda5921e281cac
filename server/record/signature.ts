/** Signs consent records with the installation's key, so that a record made up elsewhere is told from one of ours. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { keyIdOf } from '../store/erasure.ts'
import { type ConsentRecord, canonicalJson } from './consent-record.ts'

export interface Signature {
  readonly keyId: string
  /** HMAC-SHA-256 over the record's canonical JSON, in hex. */
  readonly mac: string
}

export function signRecord(record: ConsentRecord, key: string): Signature {
  // Derived for this purpose alone, so that a signature can't double as the hash of an erased person.
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'sign consent records', 32))
  return { keyId: keyIdOf(key), mac: createHmac('sha256', derived).update(canonicalJson(record)).digest('hex') }
}

export function isSignedBy(record: ConsentRecord, { mac }: Signature, key: string): boolean {
  const [expected, stated] = [Buffer.from(signRecord(record, key).mac), Buffer.from(mac)]
  return expected.length === stated.length && timingSafeEqual(expected, stated)
}
