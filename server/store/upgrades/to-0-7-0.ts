/** From 0.6.0 (version 21) to 0.7.0 (version 22). */
import type { SchemaDdl } from '../schema.ts'

/** SQL to run in one transaction. */
export function upgradeTo070(ddl: SchemaDdl): string {
  const { TEXT, BIGINT, STRICT, KEYED } = ddl
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
  CREATE INDEX leads_of_a_number ON leads (substr(person_key, 9, 5));

  -- The campaigns of earlier counts aren't known.
  CREATE TABLE old_question_counts AS SELECT * FROM question_counts;
  DROP TABLE question_counts;
  CREATE TABLE question_counts (
    day ${TEXT} NOT NULL,
    page ${TEXT} NOT NULL,
    variant ${TEXT} NOT NULL,
    campaign ${TEXT} NOT NULL,
    question ${BIGINT} NOT NULL,
    reached ${BIGINT} NOT NULL,
    PRIMARY KEY (day, page, variant, campaign, question)
  ) ${KEYED};
  INSERT INTO question_counts SELECT day, page, variant, 'other', question, reached FROM old_question_counts;
  DROP TABLE old_question_counts;
  DROP TABLE dirty_days;
  ALTER TABLE rolled_up_days ADD COLUMN counted_at ${BIGINT} NOT NULL DEFAULT 0;
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
  CREATE UNIQUE INDEX alerts_open ON alerts (code, source) WHERE ended_at IS NULL;

  CREATE TABLE webhook_events (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    type ${TEXT} NOT NULL,
    detail ${TEXT} NOT NULL,
    created_at ${BIGINT} NOT NULL,
    attempts INTEGER NOT NULL,
    next_at ${BIGINT} NOT NULL
  ) ${STRICT};
  CREATE INDEX webhook_events_due ON webhook_events (next_at);
  ALTER TABLE desk_people ADD COLUMN languages ${TEXT} NOT NULL DEFAULT 'en';
  ${callTables(ddl)}
  ${openCalls(ddl)}`
}

function callTables({ TEXT, BIGINT, STRICT, KEYED }: SchemaDdl): string {
  return `
  CREATE TABLE calls (
    lead_id ${TEXT} PRIMARY KEY REFERENCES leads (id),
    kind ${TEXT} NOT NULL CHECK (kind IN ('new', 'retry', 'callback')),
    due_at ${BIGINT} NOT NULL,
    tries INTEGER NOT NULL,
    callback_at ${BIGINT},
    callback_place ${TEXT},
    callback_for ${TEXT},
    skipped_by ${TEXT},
    skipped_until ${BIGINT},
    ended_at ${BIGINT},
    ended ${TEXT}
  ) ${KEYED};
  CREATE INDEX calls_open ON calls (due_at) WHERE ended_at IS NULL;
  CREATE TABLE call_claims (
    phone ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    person_id ${TEXT} NOT NULL,
    person_name ${TEXT} NOT NULL,
    since ${BIGINT} NOT NULL,
    expires_at ${BIGINT} NOT NULL
  ) ${KEYED};
  CREATE TABLE call_starts (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    phone ${TEXT},
    person_id ${TEXT} NOT NULL,
    person_name ${TEXT} NOT NULL,
    started_at ${BIGINT} NOT NULL,
    place ${TEXT},
    override_reason ${TEXT}
  ) ${STRICT};
  CREATE INDEX call_starts_of_a_number ON call_starts (phone, started_at);
  CREATE INDEX call_starts_of_a_lead ON call_starts (lead_id);
  CREATE TABLE call_attempts (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    phone ${TEXT},
    person_id ${TEXT} NOT NULL,
    person_name ${TEXT} NOT NULL,
    started_at ${BIGINT} NOT NULL,
    saved_at ${BIGINT} NOT NULL,
    dialed INTEGER NOT NULL DEFAULT 0,
    place ${TEXT},
    outcome ${TEXT} NOT NULL,
    callback_at ${BIGINT},
    waited_ms ${BIGINT},
    override_reason ${TEXT},
    corrects ${TEXT},
    note_id ${TEXT},
    call_before ${TEXT}
  ) ${STRICT};
  CREATE INDEX call_attempts_of_a_lead ON call_attempts (lead_id, saved_at);
  CREATE INDEX call_attempts_of_a_number ON call_attempts (phone, started_at);
  CREATE INDEX call_attempts_by_time ON call_attempts (started_at);
  CREATE INDEX call_attempts_latest ON call_attempts (saved_at);
  CREATE INDEX call_attempts_callbacks ON call_attempts (callback_at) WHERE callback_at IS NOT NULL;
  CREATE INDEX call_attempts_corrections ON call_attempts (corrects) WHERE corrects IS NOT NULL;
  CREATE TABLE call_places (
    phone ${TEXT} PRIMARY KEY,
    place ${TEXT} NOT NULL,
    set_by ${TEXT} NOT NULL,
    set_at ${BIGINT} NOT NULL
  ) ${KEYED};`
}

/** Puts the last 30 days' open leads on the call list, except those with a note: someone already worked on them. */
function openCalls({ engine }: SchemaDdl): string {
  const now = engine === 'sqlite' ? 'unixepoch() * 1000' : '(floor(extract(epoch FROM now())) * 1000)::bigint'
  return `
  INSERT INTO calls (lead_id, kind, due_at, tries)
  SELECT id, 'new', received_at, 0 FROM leads
  WHERE state = 'accepted' AND received_at > ${now} - 2592000000
    AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.lead_id = leads.id);`
}
