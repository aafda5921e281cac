/** PostgreSQL's part of a capture, as functions: it plans each once a connection, not once a group of leads. */
import type { Migration } from './steps.ts'

/** Those of a lead that are text, under the names by which `postgres/lead-rows.ts` sends them. */
const columns = `id, state, held_reason, repeat_of, first_name, last_name, date_of_birth, email, phone, person_key,
  client_address, user_agent, page, campaign, variant, certificate_id, certificate_other, trusted_form, consent_version,
  questionnaire_version`

export const captures: Migration = {
  sql: `
  SELECT 1;
  `,
  // Servers of another version may call these during an upgrade: a later step gives a function that takes other columns
  // another name. A lead without a campaign has nothing to be found by, and an entry would cost it what its rows cost.
  postgres: `
  DROP INDEX leads_campaigns;
  CREATE INDEX leads_campaigns ON leads USING gin ((campaign::jsonb) jsonb_path_ops) WHERE campaign <> '{}';

  -- Each statement sees what was committed before it began, so the second sees what came while the first waited. The rows are
  -- locked, too: an operator who releases a held lead at this moment comes before us or after us. A plan that was made while
  -- the tables were empty is kept for a while: it must use the indexes all the same.
  CREATE FUNCTION lock_and_find_earlier(locks bigint[], keys text[], since bigint, contacts text[])
    RETURNS TABLE (key text, id text, state text, delivery text) LANGUAGE plpgsql SET enable_seqscan = off AS $$
  #variable_conflict use_column
  BEGIN
    PERFORM pg_advisory_xact_lock(lock) FROM unnest(locks) AS lock;
    RETURN QUERY
      (SELECT person.key, earlier.id, earlier.state, earlier.delivery FROM unnest(keys) AS person (key)
       CROSS JOIN LATERAL (
         SELECT id, state, (SELECT state FROM deliveries WHERE lead_id = leads.id) AS delivery FROM leads
         WHERE person_key = person.key AND received_at > since AND state IN ('accepted', 'held')
         ORDER BY received_at LIMIT 1 FOR NO KEY UPDATE
       ) AS earlier)
      UNION ALL SELECT contact, NULL, 'suppressed', NULL FROM suppressions WHERE contact = ANY (contacts);
  END $$;

  CREATE FUNCTION store_leads(submitted json) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    now bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
  BEGIN
    WITH lead AS MATERIALIZED (
      SELECT * FROM json_to_recordset(submitted)
        AS lead (${columns.replaceAll(/\w+/g, '$& text')}, received_at bigint, detail text, delivered boolean)
    ), stored AS (
      INSERT INTO leads (${columns}, received_at) SELECT ${columns}, received_at FROM lead
    ), told AS (
      INSERT INTO history (lead_id, at, event, detail) SELECT id, received_at, 'received', detail FROM lead
    )
    INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at)
    SELECT id, 'lead_' || id, 'pending', 0, now, now FROM lead WHERE delivered;
  END $$;
  `,
}
