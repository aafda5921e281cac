/** From 0.7.0 (version 22) to 0.9.0 (version 24). */
import type { SchemaDdl } from '../schema.ts'
import { callsToStories } from './calls-to-stories.ts'
import type { UsedSettings } from './used-settings.ts'

/** SQL to run in one transaction. */
export function upgradeTo090(ddl: SchemaDdl, settings: UsedSettings): string {
  return `${outbox(ddl, settings)}${doNotCall(ddl)}${deskPeople(ddl)}${crmMessages(ddl)}${spokenConsent(ddl)}${sentLeads(ddl)}${callsToStories(ddl, settings)}${corrections(ddl)}${leads(ddl)}${adSpend(ddl)}${servedSites(ddl)}${jobs}${pageCounts}`
}

/** Bulk actions aren't stored. One that was interrupted is left as it was. */
const jobs = `
  DROP TABLE desk_job_leads;
  DROP TABLE desk_jobs;`

/** Nobody was shown how often bots and prefetching browsers came. */
const pageCounts = `
  DELETE FROM page_counts WHERE views + declined + thanked = 0;
  ALTER TABLE page_counts DROP COLUMN bots;
  ALTER TABLE page_counts DROP COLUMN prefetches;`

/** Someone who submits thousands of times is found as fast as anyone else. */
const leads = ({ TEXT }: SchemaDdl) => `
  DROP INDEX leads_of_a_person;
  CREATE INDEX leads_of_a_person ON leads (person_key, state, received_at DESC);
  ALTER TABLE leads ADD COLUMN client_on ${TEXT};
  DROP INDEX leads_by_campaign;
  CREATE INDEX leads_by_campaign ON leads (campaign_key, id, state);
  CREATE INDEX leads_clients ON leads (id, campaign_key) WHERE client_on IS NOT NULL;`

/**
 * One outbox for leads and events. If nothing was ever sent, there never was a webhook, and the leads that wait were never meant to be
 * sent. A lead whose delivery a request not to be called had canceled gets it back, put off, and is accepted again: the do-not-call
 * list closes it.
 */
function outbox({ engine, TEXT, BIGINT, KEYED }: SchemaDdl, { webhookUrl }: UsedSettings): string {
  const vacuumOften =
    engine === 'postgres'
      ? 'ALTER TABLE outbox SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);'
      : ''
  const closed = `leads.state = 'held' AND leads.held_reason = 'asked not to be called'
    AND EXISTS (SELECT 1 FROM suppressions WHERE suppressions.contact IN (leads.email, leads.phone))`
  const mayBeSent = `EXISTS (SELECT 1 FROM history WHERE history.lead_id = leads.id AND event = 'held'
    AND (detail LIKE '%"cancelledDelivery":"under way"%' OR detail LIKE '%"cancelledDelivery":"interrupted"%'))`
  // Deliveries may have been paused before the first one.
  const isPaused = webhookUrl === null ? '' : 'OR EXISTS (SELECT 1 FROM delivery_pause)'
  const hadWebhook = `(EXISTS (SELECT 1 FROM attempts) OR EXISTS (SELECT 1 FROM deliveries
    WHERE state <> 'pending' OR lease_token IS NOT NULL OR interrupted = 1) ${isPaused})`
  return `
  CREATE TABLE outbox (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    lane ${TEXT} NOT NULL CHECK (lane IN ('leads', 'stops', 'calls', 'mail')),
    type ${TEXT} NOT NULL,
    detail ${TEXT} NOT NULL,
    state ${TEXT} NOT NULL CHECK (state IN ('pending', 'delivered', 'dead', 'withdrawn', 'told', 'by hand')),
    attempts INTEGER NOT NULL,
    next_at ${BIGINT} NOT NULL,
    created_at ${BIGINT} NOT NULL,
    finished_at ${BIGINT},
    lease_token ${TEXT},
    interrupted INTEGER NOT NULL DEFAULT 0,
    put_off INTEGER NOT NULL DEFAULT 0
  ) ${KEYED};
  CREATE TABLE unqueued_leads (
    lead_id ${TEXT} PRIMARY KEY REFERENCES leads (id)
  ) ${KEYED};
  INSERT INTO unqueued_leads SELECT lead_id FROM deliveries WHERE NOT ${hadWebhook};
  INSERT INTO unqueued_leads SELECT id FROM leads WHERE ${closed} AND NOT ${hadWebhook} AND NOT ${mayBeSent};
  INSERT INTO outbox
    SELECT lead_id, lead_id, 'leads', CASE WHEN leads.repeat_of IS NULL THEN 'lead.created' ELSE 'lead.repeated' END, '{}',
      deliveries.state, attempts, next_at, created_at, finished_at, lease_token, interrupted, 0
    FROM deliveries JOIN leads ON leads.id = deliveries.lead_id WHERE ${hadWebhook};
  INSERT INTO outbox
    SELECT id, id, 'leads', 'lead.created', '{}', 'pending', 0, received_at, received_at, NULL, NULL,
      CASE WHEN ${mayBeSent} THEN 1 ELSE 0 END, 1
    FROM leads WHERE ${closed} AND (${hadWebhook} OR ${mayBeSent});
  INSERT INTO outbox
    SELECT id, lead_id, CASE type WHEN 'lead.do_not_call' THEN 'stops' ELSE 'calls' END, type, detail, 'pending', attempts,
      next_at, created_at, NULL, NULL, 0, 0
    FROM webhook_events;
  -- Two contacts of one lead made two events. The webhook hears of a stop once.
  DELETE FROM outbox WHERE lane = 'stops' AND EXISTS (SELECT 1 FROM outbox AS other
    WHERE other.lane = 'stops' AND other.lead_id = outbox.lead_id AND other.id < outbox.id);
  UPDATE leads SET state = 'accepted', held_reason = NULL WHERE ${closed};
  DROP TABLE deliveries;
  DROP TABLE webhook_events;
  CREATE INDEX outbox_due ON outbox (lane, put_off, next_at, created_at) WHERE state = 'pending';
  CREATE INDEX outbox_pending ON outbox (lane, id) WHERE state = 'pending';
  CREATE INDEX outbox_dead ON outbox (lane, id) WHERE state = 'dead';
  CREATE INDEX outbox_events ON outbox (lead_id) WHERE lane <> 'leads';
  ${vacuumOften}`
}

/** An email on the list stops the numbers of its leads. The history's rows are numbered by time, which is all that's known. */
function doNotCall({ TEXT, BIGINT, STRICT, KEYED }: SchemaDdl): string {
  const lastAdded = `(SELECT MAX(n) FROM do_not_call_history AS added WHERE added.contact = suppressions.contact AND added.event = 'added')`
  return `
  CREATE TABLE unnumbered_history AS SELECT * FROM do_not_call_history;
  DROP TABLE do_not_call_history;
  CREATE TABLE do_not_call_history (
    contact ${TEXT} NOT NULL,
    n INTEGER NOT NULL,
    at ${BIGINT} NOT NULL,
    event ${TEXT} NOT NULL,
    done_by ${TEXT} NOT NULL,
    asked_by ${TEXT},
    asked_on ${TEXT},
    source ${TEXT},
    call_id ${TEXT},
    undoes INTEGER,
    reason ${TEXT},
    PRIMARY KEY (contact, n)
  ) ${KEYED};
  INSERT INTO do_not_call_history (contact, n, at, event, done_by, asked_by, asked_on)
    SELECT contact, ROW_NUMBER() OVER (PARTITION BY contact ORDER BY at), at, event, done_by, asked_by, asked_on
    FROM unnumbered_history;
  DROP TABLE unnumbered_history;
  CREATE INDEX do_not_call_history_of_a_call ON do_not_call_history (call_id) WHERE call_id IS NOT NULL;
  CREATE TABLE do_not_call (
    contact ${TEXT} PRIMARY KEY,
    added_at ${BIGINT} NOT NULL,
    n INTEGER NOT NULL,
    source ${TEXT}
  ) ${STRICT};
  INSERT INTO do_not_call (contact, added_at, n) SELECT contact, added_at, COALESCE(${lastAdded}, 0) FROM suppressions;
  CREATE INDEX do_not_call_newest ON do_not_call (added_at, contact);
  CREATE INDEX do_not_call_by_source ON do_not_call (source, added_at, contact);
  DROP TABLE suppressions;
  CREATE TABLE stopped_numbers (
    phone ${TEXT} NOT NULL,
    email ${TEXT} NOT NULL,
    PRIMARY KEY (phone, email)
  ) ${KEYED};
  INSERT INTO stopped_numbers
    SELECT DISTINCT leads.phone, leads.email FROM leads JOIN do_not_call ON do_not_call.contact = leads.email
    WHERE leads.phone IS NOT NULL;
  CREATE INDEX stopped_numbers_of_an_email ON stopped_numbers (email);
  `
}

function deskPeople({ TEXT, BIGINT, STRICT }: SchemaDdl): string {
  return `
  ALTER TABLE desk_people ADD COLUMN last_active_at ${BIGINT};
  UPDATE desk_people SET role = 'agent' WHERE role = 'caller';
  UPDATE desk_invitations SET role = 'agent' WHERE role = 'caller';
  UPDATE desk_people SET last_active_at = (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id);
  CREATE TABLE desk_people_history (
    person_id ${TEXT} NOT NULL REFERENCES desk_people (id),
    at ${BIGINT} NOT NULL,
    event ${TEXT} NOT NULL,
    done_by ${TEXT} NOT NULL,
    role ${TEXT}
  ) ${STRICT};`
}

const adSpend = ({ TEXT, BIGINT, KEYED }: SchemaDdl) => `
  CREATE TABLE ad_spend (
    campaign ${TEXT} NOT NULL,
    month ${TEXT} NOT NULL,
    n INTEGER NOT NULL,
    cents ${BIGINT} NOT NULL,
    entered_by ${TEXT} NOT NULL,
    entered_at ${BIGINT} NOT NULL,
    PRIMARY KEY (campaign, month, n)
  ) ${KEYED};`

const servedSites = ({ TEXT, BIGINT, KEYED }: SchemaDdl) => `
  CREATE TABLE served_sites (
    source ${TEXT} PRIMARY KEY,
    site ${TEXT} NOT NULL,
    published_at ${BIGINT} NOT NULL,
    seen_at ${BIGINT} NOT NULL
  ) ${KEYED};`

function crmMessages({ TEXT, BIGINT, KEYED }: SchemaDdl): string {
  return `
  CREATE TABLE crm_messages (
    webhook_id ${TEXT} PRIMARY KEY,
    received_at ${BIGINT} NOT NULL
  ) ${KEYED};
  CREATE INDEX crm_messages_by_time ON crm_messages (received_at);`
}

function spokenConsent({ TEXT }: SchemaDdl): string {
  return `
  ALTER TABLE leads ADD COLUMN consent_taken_by ${TEXT};
  ALTER TABLE leads ADD COLUMN replaced_by ${TEXT};
  CREATE INDEX leads_replaced ON leads (replaced_by) WHERE replaced_by IS NOT NULL;`
}

function sentLeads({ TEXT, BIGINT, KEYED, STRICT }: SchemaDdl): string {
  return `
  CREATE TABLE unknown_callers (at ${BIGINT} NOT NULL, person_id ${TEXT} NOT NULL, person_name ${TEXT} NOT NULL) ${STRICT};
  CREATE INDEX unknown_callers_by_time ON unknown_callers (at);
  CREATE TABLE sent_leads (
    token_hash ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    sent_at ${BIGINT} NOT NULL,
    corrected INTEGER NOT NULL
  ) ${KEYED};
  CREATE INDEX sent_leads_by_time ON sent_leads (sent_at);
  CREATE INDEX sent_leads_of_a_lead ON sent_leads (lead_id);`
}

function corrections({ TEXT, BIGINT, STRICT }: SchemaDdl): string {
  return `
  CREATE TABLE corrections (
    id ${TEXT} PRIMARY KEY,
    lead_id ${TEXT} NOT NULL REFERENCES leads (id),
    at ${BIGINT} NOT NULL,
    person_id ${TEXT} NOT NULL,
    person_name ${TEXT} NOT NULL,
    reason ${TEXT},
    old_values ${TEXT},
    new_values ${TEXT},
    person_key ${TEXT},
    email ${TEXT},
    email_mac ${TEXT}
  ) ${STRICT};
  CREATE INDEX corrections_of_a_lead ON corrections (lead_id);
  CREATE INDEX corrections_of_a_person ON corrections (person_key);
  CREATE INDEX corrections_by_email ON corrections (email_mac);`
}
