/**
 * Calls of 0.7.0, which belonged to leads, become the stories of their numbers. Only what happened is carried over: the server plans
 * from that before it accepts leads, because SQL would have to know what a plan is. Runs after leads that a request not to be called had put on hold are
 * accepted again.
 */
import { createTables, type SchemaDdl } from '../schema.ts'
import type { UsedSettings } from './used-settings.ts'

/** SQL to run in one transaction. */
export function callsToStories(ddl: SchemaDdl, settings: UsedSettings): string {
  const { tables, indexes } = createTables(ddl, [
    'stories',
    'story_events',
    'calls',
    'call_leads',
    'promises',
    'standings',
    'call_claims',
  ])
  return `
  CREATE TABLE old_calls AS SELECT * FROM calls;
  CREATE INDEX old_calls_by_lead ON old_calls (lead_id);
  DROP TABLE calls;
  CREATE TABLE old_call_claims AS SELECT * FROM call_claims;
  DROP TABLE call_claims;
  ${tables}
  ${storyLeads}
  ${oldEvents(ddl, settings)}
  ${stories}
  DROP TABLE old_calls;
  DROP TABLE old_call_claims;
  DROP TABLE call_starts;
  DROP TABLE call_attempts;
  DROP TABLE call_places;
  DROP TABLE story_leads;
  DROP TABLE numbered_events;
  ${indexes}`
}

/**
 * Which story each accepted or called lead belongs to: that of its number, which has the ID of its first lead. An erased lead has
 * its own.
 */
const storyLeads = `
  CREATE TABLE called_leads AS SELECT lead_id FROM call_attempts UNION SELECT lead_id FROM call_starts
    UNION SELECT lead_id FROM old_call_claims;
  CREATE TABLE story_leads AS
    SELECT id AS lead_id, CASE WHEN phone IS NULL THEN id ELSE MIN(id) OVER (PARTITION BY phone) END AS story_id, phone,
      substr(person_key, 9, 5) AS mark, state, received_at, language
    FROM leads WHERE state = 'accepted' OR id IN (SELECT lead_id FROM called_leads) ORDER BY id;
  CREATE INDEX story_leads_by_lead ON story_leads (lead_id);
  DROP TABLE called_leads;`

/**
 * In the order of their times. `own` and `refers` tie an outcome to its dial, and a correction to what it corrects. Undoing an outcome
 * made a second start with the old time, so dials are merged by lead, person, and time.
 */
function oldEvents({ engine }: SchemaDdl, { callList }: UsedSettings): string {
  const values =
    'story_id, lead_id, kind, at, placed_at, own, refers, person_id, person_name, id, outcome, callback_at, place, reason, detail'
  const nothing = (columns: string) =>
    columns
      .split(' ')
      .map(column => `NULL AS ${column}`)
      .join(', ')
  const dialOf = (table: string) =>
    `'dial ' || ${table}.lead_id || ${table}.person_id || CAST(${table}.started_at AS TEXT)`
  // 0.7.0 kept rows even if the list was off.
  const isOnList = callList ? 'EXISTS (SELECT 1 FROM old_calls WHERE old_calls.lead_id = story_leads.lead_id)' : '1 = 0'
  const submitted = `'{"desk":' || CASE WHEN ${isOnList} THEN 'true' ELSE 'false' END || ',"language":"' || story_leads.language || '"}'`
  // Taking back a call's stop released the lead, too, and put its old call back.
  const isApproval = `history.event = 'released' AND NOT EXISTS (SELECT 1 FROM call_attempts
    WHERE call_attempts.lead_id = history.lead_id AND outcome = 'undone' AND saved_at = history.at)`
  // The person has been waiting since they asked, perhaps to be called again.
  const removedAt = `(SELECT MAX(removed.at) FROM leads JOIN do_not_call_history AS removed ON removed.contact IN (leads.phone, leads.email)
    WHERE leads.id = story_leads.lead_id AND removed.event = 'removed' AND removed.at <= history.at)`
  const askedAt = `CASE WHEN history.detail LIKE '%"heldReason":"asked not to be called"%'
    THEN COALESCE(${removedAt}, story_leads.received_at) ELSE story_leads.received_at END`
  const approved = `replace(${submitted}, '}', ',"askedAt":' || CAST(${askedAt} AS TEXT) || '}')`
  const skippers =
    engine === 'sqlite'
      ? `json_each('["' || replace(old_calls.skipped_by, ' ', '","') || '"]') AS skipper`
      : `unnest(string_to_array(old_calls.skipped_by, ' ')) AS skipper (value)`
  return `
  CREATE TABLE old_events AS
    SELECT story_id, lead_id, 'submitted' AS kind, received_at AS at, received_at AS placed_at,
      ${nothing('own refers person_id person_name id outcome')}, CAST(NULL AS BIGINT) AS callback_at,
      ${nothing('place reason')}, ${submitted} AS detail
    FROM story_leads WHERE state IN ('accepted', 'erased')
      AND NOT EXISTS (SELECT 1 FROM history WHERE history.lead_id = story_leads.lead_id AND event = 'received'
        AND detail LIKE '%"state":"held"%');
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at, detail)
    SELECT story_id, story_leads.lead_id, 'submitted', history.at, history.at, ${approved}
    FROM story_leads JOIN history ON history.lead_id = story_leads.lead_id
    WHERE state IN ('accepted', 'erased') AND ${isApproval};
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at, detail)
    SELECT story_id, story_leads.lead_id, 'submitted', leads.received_at, leads.received_at, ${submitted}
    FROM leads JOIN story_leads ON story_leads.lead_id = leads.repeat_of
    WHERE leads.state = 'repeat' AND story_leads.state = 'accepted' AND leads.received_at > story_leads.received_at
      -- One that looked like spam didn't put its lead back at the top: whatever does makes it due no earlier than that.
      AND NOT EXISTS (SELECT 1 FROM old_calls WHERE old_calls.lead_id = story_leads.lead_id
        AND (ended_at < leads.received_at OR due_at < leads.received_at));
  INSERT INTO old_events (${values})
    SELECT story_id, dial.lead_id, 'dialed', dial.started_at, dial.started_at, ${dialOf('dial')}, NULL,
      person_id, person_name, id || '-dial', NULL, NULL, place, reason, NULL
    FROM (SELECT lead_id, person_id, started_at, MIN(id) AS id, MIN(person_name) AS person_name, MIN(place) AS place,
        MIN(override_reason) AS reason
      FROM (SELECT lead_id, person_id, started_at, id, person_name, place, override_reason FROM call_attempts WHERE dialed = 1
        UNION ALL SELECT lead_id, person_id, started_at, id, person_name, place, override_reason FROM call_starts) AS dials
      GROUP BY lead_id, person_id, started_at) AS dial
    JOIN story_leads ON story_leads.lead_id = dial.lead_id;
  INSERT INTO old_events (${values})
    SELECT story_id, call_attempts.lead_id, 'said', saved_at, saved_at, 'said ' || call_attempts.id,
      CASE WHEN dialed = 1 THEN ${dialOf('call_attempts')} END,
      person_id, person_name, call_attempts.id, outcome, callback_at, place, NULL,
      CASE WHEN note_id IS NULL THEN NULL ELSE '{"noteId":"' || note_id || '"}' END
    FROM call_attempts JOIN story_leads ON story_leads.lead_id = call_attempts.lead_id WHERE corrects IS NULL;
  INSERT INTO old_events (${values})
    SELECT story_id, call_attempts.lead_id, 'corrected', saved_at, saved_at, NULL,
      CASE WHEN outcome = 'not called' THEN ${dialOf('call_attempts')} ELSE 'said ' || corrects END,
      person_id, person_name, CASE WHEN outcome = 'not called' THEN call_attempts.id || '-dial' ELSE call_attempts.id END,
      NULL, NULL, NULL, NULL, NULL
    FROM call_attempts JOIN story_leads ON story_leads.lead_id = call_attempts.lead_id WHERE corrects IS NOT NULL;
  INSERT INTO old_events (story_id, kind, at, placed_at, person_name, place)
    SELECT DISTINCT story_id, 'place', set_at, set_at, set_by, place
    FROM story_leads JOIN call_places ON call_places.phone = story_leads.phone;
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at, person_id)
    SELECT story_id, old_calls.lead_id, 'skipped', skipped_until - 900000, skipped_until - 900000, skipper.value
    FROM old_calls JOIN story_leads ON story_leads.lead_id = old_calls.lead_id, ${skippers}
    WHERE skipped_by IS NOT NULL AND skipped_until IS NOT NULL AND ended_at IS NULL;
  -- Also those that were left on the list. Nobody has their number.
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at)
    SELECT story_id, lead_id, 'erased', COALESCE((SELECT MAX(at) FROM history
        WHERE history.lead_id = story_leads.lead_id AND event = 'erased'), received_at), 8000000000000000
    FROM story_leads WHERE state = 'erased';
  -- Nobody calls these until they're approved.
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at)
    SELECT story_id, lead_id, 'set aside', COALESCE((SELECT MAX(at) FROM history
        WHERE history.lead_id = story_leads.lead_id AND event IN ('held', 'rejected', 'replaced')), received_at), 8000000000000000
    FROM story_leads WHERE state NOT IN ('accepted', 'erased');
  -- Last, because it holds until something happens.
  INSERT INTO old_events (story_id, lead_id, kind, at, placed_at, detail)
    SELECT story_id, old_calls.lead_id, 'planned', due_at, 9000000000000000, '{"dueAt":' || due_at || '}'
    FROM old_calls JOIN story_leads ON story_leads.lead_id = old_calls.lead_id
    WHERE old_calls.kind = 'retry' AND ended_at IS NULL AND tries > 0 AND state = 'accepted';
  CREATE TABLE numbered_events AS
    SELECT *, ROW_NUMBER() OVER (PARTITION BY story_id
      ORDER BY placed_at, CASE kind WHEN 'submitted' THEN 0 WHEN 'dialed' THEN 1 ELSE 2 END, id, lead_id) AS n
    FROM old_events;
  CREATE INDEX numbered_events_by_key ON numbered_events (own);
  CREATE INDEX numbered_events_of_a_story ON numbered_events (story_id, n);
  DROP TABLE old_events;`
}

const stories = `
  INSERT INTO stories (id, mark, phone, counter, stale)
    SELECT lead_id, mark, phone, COALESCE((SELECT MAX(n) FROM numbered_events WHERE story_id = lead_id), 0), 1
    FROM story_leads WHERE lead_id = story_id;
  INSERT INTO story_events (story_id, n, kind, at, lead_id, person_id, person_name, id, refers_to, outcome, callback_at, place, reason, detail)
    SELECT event.story_id, event.n, event.kind, event.at, event.lead_id, event.person_id, event.person_name, event.id, target.n,
      event.outcome, event.callback_at, event.place, event.reason, event.detail
    FROM numbered_events AS event LEFT JOIN numbered_events AS target ON target.own = event.refers;
  INSERT INTO call_claims
    SELECT story_id, MIN(old_call_claims.lead_id), MIN(person_id), MIN(person_name), MIN(since),
      MAX(COALESCE((SELECT MAX(started_at) + 14400000 FROM call_starts
        WHERE call_starts.lead_id = old_call_claims.lead_id AND call_starts.person_id = old_call_claims.person_id), expires_at)),
      MAX(CASE WHEN EXISTS (SELECT 1 FROM call_starts WHERE call_starts.lead_id = old_call_claims.lead_id
        AND call_starts.person_id = old_call_claims.person_id) THEN 1 ELSE 0 END)
    FROM old_call_claims JOIN story_leads ON story_leads.lead_id = old_call_claims.lead_id GROUP BY story_id;
  -- So that the record of an erased lead finds its calls.
  INSERT INTO standings (lead_id, story_id, campaign_key, due_at, tries, called, reached, going_ahead, wrong_number, never_call)
    SELECT lead_id, story_id, '', 0, 0, 0, 0, 0, 0, 0 FROM story_leads WHERE phone IS NULL;`
