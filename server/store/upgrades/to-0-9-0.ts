/** From 0.7.0 (version 22) to 0.9.0 (version 24). */
import { createTables, type SchemaDdl } from '../schema.ts'
import { callsToStories } from './calls-to-stories.ts'
import type { UsedSettings } from './used-settings.ts'

/** Empty at first, except for the store's identity. */
const newTables = [
  'desk_people_history',
  'crm_messages',
  'to_log',
  'unknown_callers',
  'unqueued_decision',
  'sent_leads',
  'corrections',
  'ad_spend',
  'served_sites',
  'store_identity',
  'reviewed_translations',
  'reviewed_texts',
] as const

/** SQL to run in one transaction. */
export function upgradeTo090(ddl: SchemaDdl, settings: UsedSettings): string {
  const { tables, indexes } = createTables(ddl, newTables)
  return `${outbox(ddl, settings)}${doNotCall(ddl)}${untoldStops(ddl)}${deskPeople(ddl)}${callsToStories(ddl, settings)}${leads(ddl)}${jobs}${pageCounts}${lastBackup(ddl)}${tables}${indexes}`
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

const lastBackup = ({ TEXT }: SchemaDdl) => `
  ALTER TABLE last_backup ADD COLUMN file ${TEXT};
  ALTER TABLE last_backup ADD COLUMN because ${TEXT};`

/** Someone who submits thousands of times is found as fast as anyone else. */
const leads = (ddl: SchemaDdl) => `
  ${leadColumns(ddl)}
  UPDATE leads SET came_in = 'repeat' WHERE state <> 'accepted' AND state = 'repeat';
  DROP INDEX leads_of_a_person;
  CREATE INDEX leads_of_a_person ON leads (person_key, state, received_at DESC);
  DROP INDEX leads_by_campaign;
  CREATE INDEX leads_by_campaign ON leads (campaign_key, id, state, came_in);
  CREATE INDEX leads_apart ON leads (id, came_in) WHERE came_in <> 'form';
  CREATE INDEX leads_replaced ON leads (replaced_by) WHERE replaced_by IS NOT NULL;
  CREATE INDEX leads_clients ON leads (id, campaign_key) WHERE client_on IS NOT NULL;`

/**
 * At the end of the table, so no row changes. For each column, SQLite's ALTER TABLE would read all leads, so their table's description is
 * replaced by today's: https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes.
 */
function leadColumns(ddl: SchemaDdl): string {
  const { TEXT } = ddl
  const added = [
    `consent_taken_by ${TEXT}`,
    `replaced_by ${TEXT}`,
    `client_on ${TEXT}`,
    `came_in ${TEXT} NOT NULL DEFAULT 'form'`,
  ]
  if (ddl.engine === 'postgres') return `ALTER TABLE leads ${added.map(column => `ADD COLUMN ${column}`)};`
  const today = createTables(ddl, ['leads']).tables.trim().replace(/;$/, '')
  return `PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET sql = '${today.replaceAll("'", "''")}' WHERE name = 'leads';
  PRAGMA writable_schema = RESET;`
}

/**
 * One outbox for leads and events. If nothing was ever sent, there never was a webhook, and the leads that wait were never meant to be
 * sent. A lead whose delivery a request not to be called had canceled gets it back, put off, and is accepted again: the do-not-call
 * list closes it.
 */
function outbox(ddl: SchemaDdl, { webhookUrl }: UsedSettings): string {
  const { tables, indexes } = createTables(ddl, ['outbox', 'unqueued_leads'])
  const closed = `leads.state = 'held' AND leads.held_reason = 'asked not to be called'
    AND EXISTS (SELECT 1 FROM suppressions WHERE suppressions.contact IN (leads.email, leads.phone))`
  const mayBeSent = `EXISTS (SELECT 1 FROM history WHERE history.lead_id = leads.id AND event = 'held'
    AND (detail LIKE '%"cancelledDelivery":"under way"%' OR detail LIKE '%"cancelledDelivery":"interrupted"%'))`
  // Deliveries may have been paused before the first one.
  const isPaused = webhookUrl === null ? '' : 'OR EXISTS (SELECT 1 FROM delivery_pause)'
  const hadWebhook = `(EXISTS (SELECT 1 FROM attempts) OR EXISTS (SELECT 1 FROM deliveries
    WHERE state <> 'pending' OR lease_token IS NOT NULL OR interrupted = 1) ${isPaused})`
  return `
  ${tables}
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
  ${indexes}`
}

/** An email on the list stops the numbers of its leads. The history's rows are numbered by time, which is all that's known. */
function doNotCall(ddl: SchemaDdl): string {
  const { tables, indexes } = createTables(ddl, ['do_not_call_history', 'do_not_call', 'stopped_numbers'])
  const lastAdded = `(SELECT MAX(n) FROM do_not_call_history AS added WHERE added.contact = suppressions.contact AND added.event = 'added')`
  return `
  CREATE TABLE unnumbered_history AS SELECT * FROM do_not_call_history;
  DROP TABLE do_not_call_history;
  ${tables}
  INSERT INTO do_not_call_history (contact, n, at, event, done_by, asked_by, asked_on)
    SELECT contact, ROW_NUMBER() OVER (PARTITION BY contact ORDER BY at), at, event, done_by, asked_by, asked_on
    FROM unnumbered_history;
  DROP TABLE unnumbered_history;
  INSERT INTO do_not_call (contact, added_at, n) SELECT contact, added_at, COALESCE(${lastAdded}, 0) FROM suppressions;
  INSERT INTO do_not_call_history (contact, n, at, event) SELECT contact, 0, added_at, 'added' FROM do_not_call WHERE n = 0;
  DROP TABLE suppressions;
  INSERT INTO stopped_numbers
    SELECT DISTINCT leads.phone, leads.email FROM leads JOIN do_not_call ON do_not_call.contact = leads.email
    WHERE leads.phone IS NOT NULL;
  ${indexes}`
}

/**
 * 0.7.0 told the CRM only about the lead that a stop was recorded for. It hears of the others that it has or may have with the number.
 * `told`: someone tells it if the stop is taken back.
 */
function untoldStops({ engine }: SchemaDdl): string {
  const now =
    engine === 'sqlite'
      ? `CAST(unixepoch('subsec') * 1000 AS INTEGER)`
      : 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)'
  const wasTold = `EXISTS (SELECT 1 FROM history WHERE history.lead_id = leads.id AND event = 'suppressed' AND at >= stop.added_at)`
  return `
  CREATE TABLE stops AS SELECT phone, MAX(kind) AS kind, MIN(added_at) AS added_at
    FROM (SELECT contact AS phone, 'phone' AS kind, added_at FROM do_not_call
      UNION ALL SELECT phone, 'email', added_at FROM stopped_numbers JOIN do_not_call ON contact = email) AS stopped
    GROUP BY phone;
  CREATE INDEX stops_by_phone ON stops (phone);
  INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at)
    SELECT 'stop ' || leads.id, leads.id, 'stops', 'lead.do_not_call', '{"contact":"' || stop.kind || '"}',
      CASE WHEN ${wasTold} THEN 'told' ELSE 'pending' END, 0, stop.added_at, ${now}
    FROM leads JOIN stops AS stop ON stop.phone = leads.phone
    -- With the condition of its index: otherwise, SQLite would read the whole outbox for each lead.
    WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.lead_id = leads.id AND lane <> 'leads' AND lane = 'stops')
      AND (EXISTS (SELECT 1 FROM attempts WHERE attempts.lead_id = leads.id)
        OR EXISTS (SELECT 1 FROM outbox WHERE outbox.id = leads.id
          AND (state = 'delivered' OR attempts > 0 OR lease_token IS NOT NULL OR interrupted = 1)));
  DROP TABLE stops;`
}

function deskPeople({ BIGINT }: SchemaDdl): string {
  return `
  ALTER TABLE desk_people ADD COLUMN last_active_at ${BIGINT};
  UPDATE desk_people SET role = 'agent' WHERE role = 'caller';
  UPDATE desk_invitations SET role = 'agent' WHERE role = 'caller';
  UPDATE desk_people SET last_active_at = (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id);`
}
