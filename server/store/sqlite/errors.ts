/** Classifies SQLite errors: which ones are temporary, and what to tell the operator. */
import { explainFileError, StoreUnavailable } from '../store-errors.ts'

/**
 * SQLite's result codes for temporary conditions, such as a full disk or another writer, and for damage that needs a restore.
 * Visitors see "try again or call" in both cases.
 */
const unavailable: Readonly<Record<number, string>> = {
  5: 'the store is locked by another program.',
  6: 'the store is locked by another program.',
  8: 'the store is read-only.',
  10: 'the disk has a read or write error.',
  11: 'the store is damaged or not a database. Restore a backup.',
  13: 'the disk is full.',
  14: 'can’t open the file.',
  26: 'the store is damaged or not a database. Restore a backup.',
}

function errorCode(error: unknown): number {
  // The low byte is the primary code; the higher bits add detail.
  return Number((error as { errcode?: number }).errcode ?? 0) & 0xff
}

export function isBusy(error: unknown): boolean {
  return errorCode(error) === 5
}

export function asUnavailable(error: unknown): unknown {
  return errorCode(error) in unavailable ? new StoreUnavailable(explain(error), { cause: error }) : error
}

export function explain(error: unknown): string {
  return explainFileError(error) ?? unavailable[errorCode(error)] ?? 'an unexpected error.'
}
