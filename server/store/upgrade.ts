/** Upgrades a 0.5.3 store (version 19) to the schema in `schema.ts`. Older stores must be upgraded with 0.5.3 first. */
import { type SchemaDdl, STORE_VERSION, schema } from './schema.ts'
import { StoreUnusable } from './store-errors.ts'

export const VERSION_OF_0_5_3 = 19

/** `subject`: "The store at FILE", for example. */
export function verifyKnown(version: number, subject: string): void {
  if (version > STORE_VERSION) {
    throw new StoreUnusable(
      `${subject} was upgraded by a newer version of this program (store version ${version}; this one supports ${STORE_VERSION}). Install that version.`,
    )
  }
  if (version !== 0 && version !== VERSION_OF_0_5_3 && version < STORE_VERSION) {
    throw new StoreUnusable(
      `${subject} is older than 0.5.3, or from a development version (store version ${version}). Upgrade to 0.5.3 first: start its server once, stop it, and then start this version. Stores from development versions can’t be upgraded.`,
    )
  }
}

/** For programs other than the server, which don't upgrade the store. */
export function verifyCurrent(version: number, subject: string): void {
  if (version === STORE_VERSION) return
  throw new StoreUnusable(`${subject} is from an older version. Start the server once to upgrade it.`)
}

/** SQL to run in one transaction. */
export function upgradeFrom053(ddl: SchemaDdl): string {
  return ddl.engine === 'sqlite' ? upgradeSqlite(ddl) : upgradePostgres(ddl)
}

const digits = `replace(replace(replace(replace(phone, '(', ''), ')', ''), '-', ''), ' ', '')`

/** Leads are copied, not updated in place, because split pages would keep copies of a person's data that an erasure can't find. */
function upgradeSqlite(ddl: SchemaDdl): string {
  const tables = schema(ddl)
  return `
  PRAGMA legacy_alter_table = ON; -- other tables keep referring to "leads"
  DROP TRIGGER lead_changed_late;
  DROP TRIGGER lead_delivered_late;
  ALTER TABLE leads RENAME TO old_leads;
  ${['leads_of_a_person', 'leads_held', 'leads_set_aside', 'leads_sources'].map(name => `DROP INDEX ${name};`).join('')}
  ${tables.leads}
  INSERT INTO leads
  SELECT id, received_at, state, held_reason, rejected_reason, repeat_of,
    CASE WHEN first_name IS NOT NULL THEN json_object('firstName', first_name, 'lastName', last_name, 'dateOfBirth', date_of_birth,
      'email', email, 'phone', phone) END,
    CASE WHEN email IS NOT NULL THEN canonical_email_of(email) END, ${digits}, person_key, client_address, user_agent, page, campaign, campaign_key_of(campaign), variant, certificate_id,
    certificate_other, trusted_form, consent_version, questionnaire_version,
    CASE WHEN first_name IS NOT NULL THEN search_text_of(first_name, last_name, email, phone) END
  FROM old_leads ORDER BY rowid;
  DROP TABLE old_leads;
  ALTER TABLE deliveries RENAME TO old_deliveries;
  ${['deliveries_due', 'deliveries_pending', 'deliveries_dead'].map(name => `DROP INDEX ${name};`).join('')}
  ${tables.deliveries}
  INSERT INTO deliveries SELECT lead_id, state, attempts, next_at, created_at, finished_at, lease_token FROM old_deliveries;
  DROP TABLE old_deliveries;
  DROP TRIGGER page_counted;
  DROP TRIGGER page_counted_again;
  DROP TRIGGER page_asks_otherwise;
  ${tables.lead_search}
  ${otherTables(ddl)}
  DROP TABLE chores;
  PRAGMA legacy_alter_table = OFF;`
}

/** Leaves out search texts, lowercase emails, and campaign keys, which SQL can't compute: see postgres/migrate.ts. */
function upgradePostgres(ddl: SchemaDdl): string {
  const { TEXT, HISTORY_ROWID } = ddl
  return `
  ALTER TABLE leads ADD COLUMN contact ${TEXT}, ADD COLUMN search_text ${TEXT}, ADD COLUMN campaign_key ${TEXT} NOT NULL DEFAULT '';
  ALTER TABLE leads ALTER COLUMN campaign_key DROP DEFAULT;
  UPDATE leads SET phone = ${digits},
    contact = json_build_object('firstName', first_name, 'lastName', last_name, 'dateOfBirth', date_of_birth,
      'email', email, 'phone', phone)::text
  WHERE first_name IS NOT NULL;
  ALTER TABLE leads DROP COLUMN first_name, DROP COLUMN last_name, DROP COLUMN date_of_birth;
  DROP INDEX leads_sources, leads_campaigns;
  CREATE INDEX leads_by_page ON leads (page, id);
  CREATE INDEX leads_by_campaign ON leads (campaign_key, id);
  ALTER TABLE leads VALIDATE CONSTRAINT leads_state_check;
  ALTER TABLE deliveries DROP COLUMN webhook_id;
  ALTER TABLE erased_people ALTER COLUMN erased_at DROP DEFAULT;
  ALTER TABLE history ADD COLUMN ${HISTORY_ROWID.replace(', ', '')};
  DROP FUNCTION lock_and_find_earlier;
  DROP FUNCTION store_leads;
  DROP FUNCTION note_late_change CASCADE;
  DROP FUNCTION sum_page_counts CASCADE;
  ${otherTables(ddl)}`
}

/**
 * Replaces the page view journal, adds a daily rollup of leads and a history of keys and the do-not-call list, and renames the
 * desk's roles and actions.
 */
function otherTables(ddl: SchemaDdl): string {
  const tables = schema(ddl)
  const key = ['day', 'page', 'variant', 'campaign']
  const counts = ['views', 'bots', 'prefetches', 'declined', 'thanked']
  const columns = `${key.join(', ')}, asks, ${counts.join(', ')}`
  const journal =
    ddl.engine === 'sqlite'
      ? `SELECT ${[...key, 'asks', ...counts].map(name => `value ->> '${name}' AS ${name}`).join(', ')}
         FROM view_journal, json_each(view_journal.counts)`
      : `SELECT ${key.join(', ')}, asks::integer AS asks, ${counts.join(', ')} FROM view_journal,
         json_to_recordset(view_journal.counts::json) AS noted (${key.map(name => `${name} text`).join(', ')}, asks boolean,
           ${counts.map(name => `${name} bigint`).join(', ')})`
  return `
  INSERT INTO page_counts (${columns}, submitted, leads, delivered)
  SELECT ${key.join(', ')}, MAX(asks), ${counts.map(name => `SUM(${name})`).join(', ')}, 0, 0, 0 FROM (${journal}) AS journal
  WHERE true GROUP BY ${key.join(', ')}
  ON CONFLICT (${key.join(', ')}) DO UPDATE SET asks = excluded.asks,
    ${counts.map(name => `${name} = page_counts.${name} + excluded.${name}`).join(', ')};
  DELETE FROM page_counts WHERE ${counts.join(' + ')} = 0;
  ${['submitted', 'leads', 'delivered'].map(name => `ALTER TABLE page_counts DROP COLUMN ${name};`).join('')}
  ${tables.question_counts}
  ${tables.lead_counts}
  ${tables.rolled_up_days}
  ${tables.dirty_days}
  ${tables.variant_secret}
  INSERT INTO variant_secret SELECT 1, dealing_secret FROM funnel_state WHERE dealing_secret IS NOT NULL;
  ${['view_journal', 'late_changes', 'day_counts', 'campaign_counts', 'funnel_state'].map(name => `DROP TABLE ${name};`).join('')}
  ${tables.do_not_call_history}
  ALTER TABLE erasure_keys ADD COLUMN signing_since ${ddl.BIGINT};
  ${tables.exports}
  UPDATE desk_people SET role = CASE role WHEN 'act' THEN 'editor' ELSE 'viewer' END;
  UPDATE desk_invitations SET role = CASE role WHEN 'act' THEN 'editor' ELSE 'viewer' END;
  UPDATE desk_jobs SET action = CASE action WHEN 'release' THEN 'approve' WHEN 'redeliver' THEN 'resend' ELSE action END;`
}
