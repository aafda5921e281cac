/** The tables of what the desk adds to leads: notes, and changes of many leads at once. */
import type { Migration } from './steps.ts'

export const deskLeads: Migration = {
  sql: `
  CREATE TABLE notes (
    id TEXT PRIMARY KEY,
    lead_id TEXT NOT NULL REFERENCES leads (id),
    written_at BIGINT NOT NULL,
    written_by TEXT NOT NULL,      -- a person of the desk
    words TEXT NOT NULL            -- about the person: deleted with the lead's data
  );
  CREATE INDEX notes_of_a_lead ON notes (lead_id);
  CREATE TABLE desk_jobs (
    id TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    started_by TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    message TEXT,                  -- why it stopped before its end; never with personal data
    total BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    reason TEXT,                   -- of a rejection: the operator's own words, until the job is over
    again INTEGER NOT NULL,        -- 1: those that were delivered, too
    leased_until BIGINT NOT NULL   -- until then another desk leaves it alone
  );
  CREATE TABLE desk_job_leads (
    job_id TEXT NOT NULL REFERENCES desk_jobs (id),
    lead_id TEXT NOT NULL,
    outcome TEXT,                  -- null: still to be done
    PRIMARY KEY (job_id, lead_id)
  );
  `,
}
