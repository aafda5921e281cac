/**
 * The complete schema of a new store, in one text for both engines. A change here needs a step in `migrations/upgrades.ts` that brings
 * existing stores to the same schema; `migrations/upgrades.test.ts` compares the two.
 */
import { countTables, countTriggers } from './migrations/counts.ts'
import type { SchemaWords } from './schema-words.ts'

export function schema(words: SchemaWords): string {
  const { engine, TEXT, BIGINT, STRICT } = words
  return `
  CREATE TABLE consents (
    version ${TEXT} PRIMARY KEY,     -- hash of "presented"
    presented ${TEXT} NOT NULL,      -- the text and the button, exactly as the visitor saw them
    first_seen_at ${BIGINT} NOT NULL -- milliseconds since the epoch, like every "_at"
  ) ${STRICT};
  CREATE TABLE questionnaires (
    version ${TEXT} PRIMARY KEY,     -- hash of "presented"
    presented ${TEXT} NOT NULL,      -- the questions and the answers that a lead implies, as JSON
    first_seen_at ${BIGINT} NOT NULL
  ) ${STRICT};

  ${leadsTable(words)}

  -- What happened to a lead. Kept after an erasure, so never with personal data.
  CREATE TABLE history (
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    at ${BIGINT} NOT NULL,
    event ${TEXT} NOT NULL,
    detail ${TEXT} NOT NULL          -- JSON object
  ) ${STRICT};
  CREATE INDEX history_of_a_lead ON history (lead_id, at);
  CREATE TABLE notes (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    written_at ${BIGINT} NOT NULL,
    written_by ${TEXT} NOT NULL,     -- a desk person's name
    words ${TEXT} NOT NULL           -- about the person: deleted with the contact
  ) ${STRICT};
  CREATE INDEX notes_of_a_lead ON notes (lead_id);

  -- The outbox.
  CREATE TABLE deliveries (
    lead_id ${TEXT} PRIMARY KEY REFERENCES leads (id),
    webhook_id ${TEXT} NOT NULL UNIQUE, -- the same for every attempt, so the receiver can tell a repetition
    state ${TEXT} NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
    attempts INTEGER NOT NULL,       -- made since it was last put into the outbox
    next_at ${BIGINT} NOT NULL,      -- due from then on; a lease pushes it past the time the worker may take
    created_at ${BIGINT} NOT NULL,
    finished_at ${BIGINT},
    lease_token ${TEXT}              -- tells a late failure of an earlier lease from one of the current lease
  ) ${STRICT};
  -- With created_at, the backlog and its age come from the index alone.
  CREATE INDEX deliveries_due ON deliveries (next_at, created_at) WHERE state = 'pending';
  CREATE INDEX deliveries_pending ON deliveries (lead_id) WHERE state = 'pending';
  CREATE INDEX deliveries_dead ON deliveries (lead_id) WHERE state = 'dead';
  ${engine === 'postgres' ? 'ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);' : ''}
  CREATE TABLE attempts (
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    at ${BIGINT} NOT NULL,
    duration_ms ${BIGINT} NOT NULL,
    outcome ${TEXT} NOT NULL,        -- 'delivered', or why not in plain words
    status INTEGER                   -- the HTTP status, if there was an answer
  ) ${STRICT};
  CREATE INDEX attempts_of_a_lead ON attempts (lead_id, at);
  CREATE TABLE delivery_pause (
    id INTEGER PRIMARY KEY,          -- always 1: there is a row while deliveries are paused
    paused_at ${BIGINT} NOT NULL,
    reason ${TEXT} NOT NULL,
    paused_by ${TEXT} NOT NULL
  ) ${STRICT};

  -- What stays of erased people, and the do-not-call list.
  CREATE TABLE erasure_keys (
    id ${TEXT} PRIMARY KEY,          -- tells keys apart; the key itself is never in the store
    first_used_at ${BIGINT} NOT NULL
  ) ${STRICT};
  CREATE TABLE erased_people (
    lead_id ${TEXT} PRIMARY KEY REFERENCES leads (id),
    email_mac ${TEXT} NOT NULL,      -- hashes that only the key can make
    phone_mac ${TEXT} NOT NULL,
    key_id ${TEXT} NOT NULL REFERENCES erasure_keys (id),
    erased_at ${BIGINT}              -- null: before that was recorded
  ) ${STRICT};
  CREATE INDEX erased_people_by_email ON erased_people (email_mac);
  CREATE INDEX erased_people_by_phone ON erased_people (phone_mac);
  CREATE INDEX erased_people_lately ON erased_people (erased_at);
  CREATE TABLE suppressions (
    contact ${TEXT} PRIMARY KEY,     -- ten digits, or an email address in lower case
    added_at ${BIGINT} NOT NULL
  ) ${STRICT};
  ${engine === 'sqlite' ? `CREATE TABLE chores (name ${TEXT} PRIMARY KEY, asked_at ${BIGINT} NOT NULL) ${STRICT};` : ''}

  -- Operations.
  CREATE TABLE alerts (
    id ${TEXT} PRIMARY KEY,
    code ${TEXT} NOT NULL,
    text ${TEXT} NOT NULL,           -- never with personal data
    source ${TEXT} NOT NULL,         -- the process that raised it; empty when it was found in the store
    started_at ${BIGINT} NOT NULL,
    ended_at ${BIGINT},              -- null while it is open
    told INTEGER NOT NULL,           -- how often it was sent
    tell_at ${BIGINT}                -- when it is sent next; null for never
  ) ${STRICT};
  CREATE UNIQUE INDEX alerts_standing ON alerts (code) WHERE source = '' AND ended_at IS NULL;
  CREATE TABLE clock (
    id INTEGER PRIMARY KEY,
    latest_at ${BIGINT} NOT NULL     -- the latest time seen, to notice a clock that was set back
  ) ${STRICT};
  CREATE TABLE readiness (
    id INTEGER PRIMARY KEY,
    written_at ${BIGINT} NOT NULL    -- the last successful health check
  ) ${STRICT};
  CREATE TABLE last_backup (
    id INTEGER PRIMARY KEY,          -- always 1
    made_at ${BIGINT} NOT NULL,
    leads ${BIGINT} NOT NULL
  ) ${STRICT};

  -- The desk: its people, and bulk jobs.
  CREATE TABLE desk_people (
    id ${TEXT} PRIMARY KEY,
    name ${TEXT} NOT NULL,
    name_key ${TEXT} NOT NULL UNIQUE, -- the name without capitals and extra spaces
    role ${TEXT} NOT NULL,
    handle ${TEXT} NOT NULL,         -- the random user id that authenticators see
    invited_at ${BIGINT} NOT NULL,
    dismissed_at ${BIGINT}           -- null: may sign in
  ) ${STRICT};
  CREATE TABLE desk_invitations (
    token_hash ${TEXT} PRIMARY KEY,  -- the token itself is only in the link
    person_id ${TEXT} NOT NULL REFERENCES desk_people (id),
    role ${TEXT} NOT NULL,           -- the person's once it is used
    invited_by ${TEXT} NOT NULL,
    invited_at ${BIGINT} NOT NULL,
    ends_at ${BIGINT} NOT NULL
  ) ${STRICT};
  CREATE TABLE desk_passkeys (
    id ${TEXT} PRIMARY KEY,          -- the authenticator's credential id
    person_id ${TEXT} NOT NULL,
    public_key ${TEXT} NOT NULL,
    counter ${BIGINT} NOT NULL,
    transports ${TEXT} NOT NULL,     -- JSON array
    synced INTEGER NOT NULL,         -- 1: on all devices of an account
    added_at ${BIGINT} NOT NULL,
    last_used_at ${BIGINT}
  ) ${STRICT};
  CREATE INDEX desk_passkeys_of_a_person ON desk_passkeys (person_id);
  CREATE TABLE desk_challenges (
    id ${TEXT} PRIMARY KEY,
    challenge ${TEXT} NOT NULL,
    purpose ${TEXT} NOT NULL,
    person_id ${TEXT},               -- who must answer it; null for anybody
    ends_at ${BIGINT} NOT NULL
  ) ${STRICT};
  CREATE TABLE desk_sessions (
    token_hash ${TEXT} PRIMARY KEY,  -- the token itself is only in the cookie
    person_id ${TEXT} NOT NULL REFERENCES desk_people (id),
    began_at ${BIGINT} NOT NULL,
    ends_at ${BIGINT} NOT NULL
  ) ${STRICT};
  CREATE INDEX desk_sessions_of_a_person ON desk_sessions (person_id);
  CREATE TABLE desk_jobs (
    id ${TEXT} PRIMARY KEY,
    action ${TEXT} NOT NULL,
    started_by ${TEXT} NOT NULL,
    started_at ${BIGINT} NOT NULL,
    finished_at ${BIGINT},
    message ${TEXT},                 -- why it stopped before its end; never with personal data
    total ${BIGINT} NOT NULL,
    changed ${BIGINT} NOT NULL,
    skipped ${BIGINT} NOT NULL,
    failed ${BIGINT} NOT NULL,
    reason ${TEXT},                  -- of a rejection, in the operator's words; cleared when the job is over
    again INTEGER NOT NULL,          -- 1: delivered leads, too
    leased_until ${BIGINT} NOT NULL  -- until then another desk leaves it alone
  ) ${STRICT};
  CREATE TABLE desk_job_leads (
    job_id ${TEXT} NOT NULL REFERENCES desk_jobs (id),
    lead_id ${TEXT} NOT NULL,
    outcome ${TEXT},                 -- null: still to do
    PRIMARY KEY (job_id, lead_id)
  ) ${STRICT};

  ${countTables(words)}
  ${countTriggers(words)}
  `
}

/** Apart, since the upgrade from 0.5.3 makes this table again. */
export function leadsTable({ engine, TEXT, BIGINT, STRICT }: SchemaWords, name = 'leads'): string {
  return `
  CREATE TABLE ${name} (
    id ${TEXT} PRIMARY KEY,          -- UUID version 7: sorts by time
    received_at ${BIGINT} NOT NULL,
    state ${TEXT} NOT NULL CHECK (state IN ('accepted', 'repeat', 'held', 'rejected', 'erased')),
    held_reason ${TEXT},
    rejected_reason ${TEXT},         -- in the operator's words
    repeat_of ${TEXT},
    contact ${TEXT},                 -- JSON object of the contact fields as submitted; null once erased, like the next five
    email ${TEXT},                   -- in lower case, to look people up
    phone ${TEXT},                   -- ten digits, to look people up
    person_key ${TEXT},              -- what makes a repeat: see repeats.ts
    client_address ${TEXT},
    user_agent ${TEXT},
    page ${TEXT} NOT NULL,
    campaign ${TEXT} NOT NULL,       -- JSON object of the page's campaign parameters
    variant ${TEXT} NOT NULL DEFAULT '',
    certificate_id ${TEXT},          -- TrustedForm
    certificate_other ${TEXT},       -- the certificate's address where it has no known id
    trusted_form ${TEXT},            -- whether the form asked for a certificate: off, sandbox or on
    consent_version ${TEXT} NOT NULL REFERENCES consents (version),
    questionnaire_version ${TEXT} REFERENCES questionnaires (version) -- null: not known
  ) ${STRICT};
  ${name === 'leads' ? leadIndexes(engine) : ''}`
}

export function leadIndexes(engine: SchemaWords['engine']): string {
  return `
  CREATE INDEX leads_of_a_person ON leads (person_key, received_at);
  CREATE INDEX leads_held ON leads (id) WHERE state = 'held';
  CREATE INDEX leads_set_aside ON leads (id, state) WHERE state <> 'accepted';
  ${
    // PostgreSQL refuses index entries over 2,704 bytes, and with them the capture.
    engine === 'postgres'
      ? `CREATE INDEX leads_sources ON leads (id, page);
  CREATE INDEX leads_campaigns ON leads USING gin ((campaign::jsonb) jsonb_path_ops) WHERE campaign <> '{}';`
      : 'CREATE INDEX leads_sources ON leads (id, page, campaign);'
  }`
}
