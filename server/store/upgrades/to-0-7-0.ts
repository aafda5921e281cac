/** From 0.6.0 (version 21) to 0.7.0 (version 22). */
import type { SchemaDdl } from '../schema.ts'

/** SQL to run in one transaction. */
export function upgradeTo070({ TEXT, BIGINT }: SchemaDdl): string {
  return `
  ALTER TABLE leads ADD COLUMN language ${TEXT} NOT NULL DEFAULT 'en';
  ALTER TABLE notes ADD COLUMN removed_at ${BIGINT};
  ALTER TABLE notes ADD COLUMN removed_by ${TEXT};
  ALTER TABLE do_not_call_history ADD COLUMN asked_by ${TEXT};
  ALTER TABLE do_not_call_history ADD COLUMN asked_on ${TEXT};
  ALTER TABLE deliveries ADD COLUMN interrupted INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE desk_job_leads ADD COLUMN seen_state ${TEXT};
  -- Through 0.6.0, a delivery that succeeded after its lead had been rejected left the lead rejected.
  UPDATE leads SET state = 'accepted', held_reason = NULL, rejected_reason = NULL
    WHERE state = 'rejected' AND id IN (SELECT lead_id FROM deliveries);`
}
