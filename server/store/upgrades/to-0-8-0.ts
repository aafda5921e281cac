/** From 0.7.0 (version 22) to 0.8.0 (version 23). */
import type { SchemaDdl } from '../schema.ts'

/** SQL to run in one transaction. */
export function upgradeTo080(ddl: SchemaDdl): string {
  return `${deskPeople(ddl)}${crmStops(ddl)}`
}

function deskPeople({ TEXT, BIGINT, STRICT }: SchemaDdl): string {
  return `
  ALTER TABLE desk_people ADD COLUMN last_active_at ${BIGINT};
  UPDATE desk_people SET last_active_at = (SELECT max(last_used_at) FROM desk_passkeys WHERE person_id = desk_people.id);
  CREATE TABLE desk_people_history (
    person_id ${TEXT} NOT NULL REFERENCES desk_people (id),
    at ${BIGINT} NOT NULL,
    event ${TEXT} NOT NULL,
    done_by ${TEXT} NOT NULL,
    role ${TEXT}
  ) ${STRICT};`
}

function crmStops({ TEXT, BIGINT, KEYED }: SchemaDdl): string {
  return `
  CREATE TABLE crm_stops (
    webhook_id ${TEXT} PRIMARY KEY,
    received_at ${BIGINT} NOT NULL
  ) ${KEYED};
  CREATE INDEX crm_stops_by_time ON crm_stops (received_at);`
}
