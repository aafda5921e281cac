/** A PostgreSQL database whose clock a test sets, for stores that ask the database what time it is. */
import { runOn } from './postgres-server.ts'

/** For connections from now on. A function of the same name, in a schema that comes first, hides PostgreSQL's own. */
export const setDatabaseClock = (url: string, at: number) =>
  runOn(
    url,
    `CREATE SCHEMA IF NOT EXISTS clock;
     CREATE OR REPLACE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(${at / 1000})';
     DO $$ BEGIN
       EXECUTE format('ALTER DATABASE %I SET search_path = public, clock, pg_catalog', current_database());
     END $$`,
  )
