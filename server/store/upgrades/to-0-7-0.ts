/** From 0.6.0 (version 21) to 0.7.0 (version 22). */
import type { SchemaDdl } from '../schema.ts'

/** SQL to run in one transaction. */
export function upgradeTo070({ TEXT, BIGINT }: SchemaDdl): string {
  return `
  ALTER TABLE leads ADD COLUMN language ${TEXT} NOT NULL DEFAULT 'en';
  ALTER TABLE notes ADD COLUMN removed_at ${BIGINT};
  ALTER TABLE notes ADD COLUMN removed_by ${TEXT};`
}
