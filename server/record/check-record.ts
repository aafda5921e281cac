/** Whether a saved record is what this installation's desk created. The terminal and the desk say so in their own words. */
import { keyIdOf } from '../store/facts/leads/hashes.ts'
import { isOldSignatureValid, type OldRecord, readOldRecord } from './old-records.ts'
import { isSignedWith, readSignedPage } from './signature.ts'

export interface RecordCheck {
  /** `unsigned`: from 0.5.3 or earlier. */
  readonly kind: 'genuine' | 'altered' | 'other key' | 'unsigned' | 'no record'
  readonly keyId: string | null
  /** Only this data was signed, if anything was, not the page around it. */
  readonly old: OldRecord | null
}

/** `key`: the installation's; null if it has none. */
export function checkRecord(html: string, key: string | null): RecordCheck {
  const kindOf = (keyId: string, isSigned: (key: string) => boolean) => {
    if (key === null || keyIdOf(key) !== keyId) return 'other key'
    return isSigned(key) ? 'genuine' : 'altered'
  }
  const signed = readSignedPage(html)
  if (signed) {
    const { keyId } = signed
    return { kind: kindOf(keyId, found => isSignedWith(signed, found)), keyId, old: null }
  }
  const file = readOldRecord(html)
  if (!file) return { kind: 'no record', keyId: null, old: null }
  const { record: old, signature, isIntact } = file
  if (!isIntact) return { kind: 'altered', keyId: null, old: null }
  if (!signature) return { kind: 'unsigned', keyId: null, old }
  const { keyId, mac } = signature
  return { kind: kindOf(keyId, found => isOldSignatureValid(old, mac, found)), keyId, old }
}
