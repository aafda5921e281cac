/** Stores of 0.7.0 in tests and drills: kept as files, on both engines. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { rowsOf, runOn } from './postgres-server.ts'

export const fixtureOf070 = (name: string) =>
  gunzipSync(readFileSync(new URL(`../fixtures/store-0.7.0.${name}.gz`, import.meta.url)))

/** Fills an empty database with the rows of a SQLite store of 0.7.0. */
export async function copyToPostgres(file: string, url: string): Promise<void> {
  const [tables = ''] = fixtureOf070('postgres.sql').toString().split('INSERT INTO migrations')
  await runOn(url, `${tables} INSERT INTO migrations VALUES (22, true, now());`)
  const columns = await rowsOf(
    url,
    `SELECT table_name AS "table", string_agg(column_name, ',') AS names FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'migrations' GROUP BY 1`,
  )
  const store = new DatabaseSync(file, { readOnly: true })
  let inserts = 'SET session_replication_role = replica;'
  for (const { table, names } of columns) {
    const rows = store.prepare(`SELECT ${names} FROM ${table}`).all()
    const json = JSON.stringify(rows).replaceAll("'", "''")
    inserts += `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, '${json}');`
  }
  store.close()
  await runOn(url, inserts)
}
