/** The database's structure, step by step. Steps are only ever added: a store in the field has taken the earlier ones. */

import { captures } from './captures.ts'
import { deskLeads } from './desk-leads.ts'
import { deskPeople } from './desk-people.ts'
import { funnelSums, funnelSumsByDifference } from './funnel-sums.ts'
import { pageCounts, viewJournal } from './page-counts.ts'

export interface Migration {
  /** In the words that both engines know; each adapts the types of the columns. */
  readonly sql: string
  /** Where PostgreSQL needs other words. */
  readonly postgres?: string
  /** A program that does not know this step must not write to the store any more. */
  readonly breaking?: true
}

export const migrations: readonly Migration[] = [
  // 1: leads, what they agreed to, what happened to them, and the outbox with its attempts.
  {
    sql: `
  CREATE TABLE consents (
    version TEXT PRIMARY KEY,      -- hash of "presented"
    presented TEXT NOT NULL,       -- the text and the button, exactly as the visitor saw them
    first_seen_at BIGINT NOT NULL
  );
  CREATE TABLE leads (
    id TEXT PRIMARY KEY,           -- UUID version 7: sorts by time
    received_at BIGINT NOT NULL,   -- milliseconds since the epoch, as every "_at" here
    state TEXT NOT NULL CHECK (state IN ('accepted', 'repeat', 'held', 'erased')),
    held_reason TEXT,
    repeat_of TEXT,
    first_name TEXT,               -- the person's data is null once erased
    last_name TEXT,
    date_of_birth TEXT,
    email TEXT,
    phone TEXT,
    person_key TEXT,               -- e-mail and phone in their canonical form: what makes a repeat
    client_address TEXT,
    user_agent TEXT,
    page TEXT NOT NULL,
    campaign TEXT NOT NULL,        -- JSON object of the page's campaign parameters
    certificate_id TEXT,           -- TrustedForm
    consent_version TEXT NOT NULL REFERENCES consents (version)
  );
  CREATE INDEX leads_of_a_person ON leads (person_key, received_at);
  CREATE INDEX leads_held ON leads (id) WHERE state = 'held';
  CREATE INDEX leads_set_aside ON leads (id, state) WHERE state <> 'accepted';
  CREATE TABLE history (
    lead_id TEXT NOT NULL REFERENCES leads (id),
    at BIGINT NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL           -- JSON object, never with personal data
  );
  CREATE INDEX history_of_a_lead ON history (lead_id, at);
  CREATE TABLE deliveries (
    lead_id TEXT PRIMARY KEY REFERENCES leads (id),
    webhook_id TEXT NOT NULL UNIQUE, -- the same for every attempt, so that the receiver can tell a repetition
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
    attempts INTEGER NOT NULL,     -- made since it was last put into the outbox
    next_at BIGINT NOT NULL,       -- due from then on; a lease pushes it past the time the worker may take
    created_at BIGINT NOT NULL,
    finished_at BIGINT
  );
  -- With created_at, the backlog and its age are read from the index alone: a million rows would else hold up captures.
  CREATE INDEX deliveries_due ON deliveries (next_at, created_at) WHERE state = 'pending';
  CREATE INDEX deliveries_pending ON deliveries (lead_id) WHERE state = 'pending';
  CREATE INDEX deliveries_dead ON deliveries (lead_id) WHERE state = 'dead';
  CREATE TABLE attempts (
    lead_id TEXT NOT NULL REFERENCES leads (id),
    at BIGINT NOT NULL,
    duration_ms BIGINT NOT NULL,
    outcome TEXT NOT NULL,         -- 'delivered', or why not in plain words
    status INTEGER                 -- the HTTP status, if there was an answer
  );
  CREATE INDEX attempts_of_a_lead ON attempts (lead_id, at);
  CREATE TABLE readiness (
    id INTEGER PRIMARY KEY,
    written_at BIGINT NOT NULL     -- the last time that a probe saw the store take a write
  );
  `,
  },
  // 2: where leads came from, to be read through without the leads themselves: most filters of the operator that find little.
  {
    sql: `
  CREATE INDEX leads_sources ON leads (id, page, campaign);
  `,
    // There an entry of an index has at most 2,704 bytes: with a longer campaign the capture would fail.
    postgres: `
  CREATE INDEX leads_sources ON leads (id, page);
  -- The outbox changes all the time and is small: it is tidied up by the number of changes, not by its share of the table.
  ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
  `,
  },
  // 3: which lease a delivery is under, so that a late failure of an earlier lease is told from one of the present.
  {
    sql: `
  ALTER TABLE deliveries ADD COLUMN lease_token TEXT;
  `,
  },
  // 4: who a lead is of is told by name and date of birth as well, and by a hash: see repeats.ts, whose personKeyOf the
  // embedded engine lends to this step. Without the old index nothing of its keys, which were in the clear, stays behind.
  {
    sql: `
  DROP INDEX leads_of_a_person;
  UPDATE leads SET person_key = person_key_of(first_name, last_name, date_of_birth, email, phone)
    WHERE person_key IS NOT NULL;
  CREATE INDEX leads_of_a_person ON leads (person_key, received_at);
  `,
    // Servers of the version before go on beside this one: their leads get new keys at every start (rekey.ts).
    postgres: `
  SELECT 1;
  `,
  },
  // 5: the questions as asked, kept like consents, and certificates of any form with how they came.
  {
    sql: `
  CREATE TABLE questionnaires (
    version TEXT PRIMARY KEY,      -- hash of "presented"
    presented TEXT NOT NULL,       -- the questions and the answers that a lead implies, as JSON
    first_seen_at BIGINT NOT NULL
  );
  ALTER TABLE leads ADD COLUMN questionnaire_version TEXT REFERENCES questionnaires (version); -- null: not known
  ALTER TABLE leads ADD COLUMN certificate_other TEXT; -- the address at TrustedForm where it is not of the form that has an id
  ALTER TABLE leads ADD COLUMN trusted_form TEXT;      -- whether the form asked for a certificate: off, sandbox or on
  `,
  },
  // 6: alerts, so that several replicas tell each of them once; and the latest time seen, so that a clock set back is noticed.
  {
    sql: `
  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    code TEXT NOT NULL,
    text TEXT NOT NULL,            -- in plain words, never with personal data
    source TEXT NOT NULL,          -- the process that met with it; empty when it was found in the store
    started_at BIGINT NOT NULL,
    ended_at BIGINT,               -- null while it stands
    told INTEGER NOT NULL,         -- how often
    tell_at BIGINT                 -- when it is to be told next; null for never
  );
  CREATE UNIQUE INDEX alerts_standing ON alerts (code) WHERE source = '' AND ended_at IS NULL;
  CREATE TABLE clock (
    id INTEGER PRIMARY KEY,
    latest_at BIGINT NOT NULL
  );
  `,
  },
  // 7: page views and what became of them, and which variant a lead saw.
  pageCounts,
  // 8: leads that the operator rejected, with the operator's reason. SQLite cannot change a CHECK, but the rows are the same
  // under the wider one: its documentation has this way for it.
  {
    sql: `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = replace(sql, '''held'', ''erased''', '''held'', ''rejected'', ''erased''')
    WHERE type = 'table' AND name = 'leads';
  PRAGMA writable_schema = RESET;
  ALTER TABLE leads ADD COLUMN rejected_reason TEXT;
  `,
    postgres: `
  ALTER TABLE leads DROP CONSTRAINT leads_state_check,
    ADD CONSTRAINT leads_state_check CHECK (state IN ('accepted', 'repeat', 'held', 'rejected', 'erased')) NOT VALID,
    ADD COLUMN rejected_reason TEXT;
  `,
  },
  // 9: which leads came with a campaign parameter. The embedded engine reads them from the index of sources.
  {
    sql: `
  SELECT 1;
  `,
    // jsonb takes neither a NUL nor half a character, which an early version may have let in.
    postgres: `
  UPDATE leads SET campaign = regexp_replace(campaign, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\ufffd', 'g')
    WHERE campaign ~ '\\\\u(0000|d[89a-f][0-9a-f]{2})';
  CREATE INDEX leads_campaigns ON leads USING gin ((campaign::jsonb) jsonb_path_ops);
  `,
  },
  // 10: what stays of erased people, and who asked not to be called.
  {
    sql: `
  CREATE TABLE erasure_keys (
    id TEXT PRIMARY KEY,           -- tells keys apart; the key itself is never in the store
    first_used_at BIGINT NOT NULL
  );
  CREATE TABLE erased_people (
    lead_id TEXT PRIMARY KEY REFERENCES leads (id),
    email_mac TEXT NOT NULL,       -- hashes that only the key can make
    phone_mac TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES erasure_keys (id)
  );
  CREATE INDEX erased_people_by_email ON erased_people (email_mac);
  CREATE INDEX erased_people_by_phone ON erased_people (phone_mac);
  CREATE TABLE suppressions (
    contact TEXT PRIMARY KEY,      -- ten digits, or an e-mail address in small letters
    added_at BIGINT NOT NULL
  );
  -- What the server does when it starts next, while nobody waits.
  CREATE TABLE chores (
    name TEXT PRIMARY KEY,
    asked_at BIGINT NOT NULL
  );
  `,
    postgres: `
  CREATE TABLE erasure_keys (
    id TEXT PRIMARY KEY,           -- tells keys apart; the key itself is never in the store
    first_used_at BIGINT NOT NULL
  );
  CREATE TABLE erased_people (
    lead_id TEXT PRIMARY KEY REFERENCES leads (id),
    email_mac TEXT NOT NULL,       -- hashes that only the key can make
    phone_mac TEXT NOT NULL,
    key_id TEXT NOT NULL REFERENCES erasure_keys (id)
  );
  CREATE INDEX erased_people_by_email ON erased_people (email_mac);
  CREATE INDEX erased_people_by_phone ON erased_people (phone_mac);
  CREATE TABLE suppressions (
    contact TEXT PRIMARY KEY,      -- ten digits, or an e-mail address in small letters
    added_at BIGINT NOT NULL
  );
  `,
  },
  // 11: whether deliveries are paused, which all servers of the store hold to.
  {
    sql: `
  CREATE TABLE delivery_pause (
    id INTEGER PRIMARY KEY,        -- always 1: there is a row while deliveries are paused
    paused_at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    paused_by TEXT NOT NULL
  );
  `,
  },
  // 12: the desk's people, their passkeys and sessions.
  deskPeople,
  // 13: what the desk adds to leads: notes, and changes of many at once.
  deskLeads,
  // 14: captures on PostgreSQL at less cost.
  captures,
  // 15: sums of the page counts, by which a year's funnel is read at once.
  funnelSums,
  // 16: when the last backup was made, for the operator to see.
  {
    sql: `
  CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY,        -- always 1
    made_at BIGINT NOT NULL,
    leads BIGINT NOT NULL
  );
  `,
  },
  // 17: when a lead was erased, so that whoever has its text in memory drops it.
  {
    sql: `
  ALTER TABLE erased_people ADD COLUMN erased_at BIGINT; -- null: long ago
  CREATE INDEX erased_people_lately ON erased_people (erased_at);
  `,
    // Servers of the version before go on beside this one, and say nothing of the time.
    postgres: `
  ALTER TABLE erased_people ADD COLUMN erased_at BIGINT; -- null: long ago
  ALTER TABLE erased_people ALTER COLUMN erased_at
    SET DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  CREATE INDEX erased_people_lately ON erased_people (erased_at);
  `,
  },
  // 18: the sums of the page counts on SQLite at less cost.
  funnelSumsByDifference,
  // 19: page views are written down each second as one row, and summed up now and then.
  viewJournal,
]
