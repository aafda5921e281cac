/** From 0.6.0 (version 21) to 0.7.0 (version 22). */
import type { SchemaDdl } from '../schema.ts'

/** SQL to run in one transaction. */
export function upgradeTo070({ TEXT, BIGINT, STRICT }: SchemaDdl): string {
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
    WHERE state = 'rejected' AND id IN (SELECT lead_id FROM deliveries);

  ALTER TABLE leads ADD COLUMN held_at ${BIGINT};
  UPDATE leads SET held_at = COALESCE((SELECT MAX(at) FROM history WHERE lead_id = leads.id AND event = 'held'), received_at)
  WHERE state = 'held';
  CREATE INDEX leads_held_since ON leads (held_at) WHERE state = 'held';
  ALTER TABLE last_backup ADD COLUMN same_disk INTEGER NOT NULL DEFAULT 0;

  -- Open alerts of one process are dropped; if the problem is still there, it is raised again.
  CREATE TABLE old_alerts AS SELECT * FROM alerts;
  DROP TABLE alerts;
  CREATE TABLE alerts (
    id ${TEXT} PRIMARY KEY,
    code ${TEXT} NOT NULL,
    source ${TEXT} NOT NULL,
    text ${TEXT} NOT NULL,
    size ${BIGINT} NOT NULL,
    started_at ${BIGINT} NOT NULL,
    seen_at ${BIGINT} NOT NULL,
    lasts_ms ${BIGINT} NOT NULL,
    ended_at ${BIGINT},
    times_sent INTEGER NOT NULL,
    send_at ${BIGINT}
  ) ${STRICT};
  INSERT INTO alerts
  SELECT id, code, source, text, 0, started_at, started_at, 180000, ended_at, told, tell_at FROM old_alerts
  WHERE ended_at IS NOT NULL OR source = '';
  DROP TABLE old_alerts;
  CREATE UNIQUE INDEX alerts_open ON alerts (code, source) WHERE ended_at IS NULL;`
}
