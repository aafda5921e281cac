/** Search by the database. The server indexes the leads that are there already in the background; see `search.ts`. */
import { missingTextIndex, trigramTable } from '../schema.ts'
import type { SchemaWords } from '../schema-words.ts'

/** On SQLite, step 20 has copied the leads together with their texts. */
export function search({ engine, TEXT }: SchemaWords): string {
  return engine === 'sqlite' ? trigramTable : `ALTER TABLE leads ADD COLUMN search_text ${TEXT};${missingTextIndex}`
}
