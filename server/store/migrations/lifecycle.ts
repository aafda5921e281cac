/** When a key began to sign consent records, and who changed the do-not-call list. */
import { doNotCallHistory } from '../schema.ts'
import type { SchemaWords } from '../schema-words.ts'

export function lifecycle(words: SchemaWords): string {
  return `
  ALTER TABLE erasure_keys ADD COLUMN signing_since ${words.BIGINT};
  ${doNotCallHistory(words)}
  ${words.engine === 'sqlite' ? 'DROP TABLE chores;' : ''}`
}
