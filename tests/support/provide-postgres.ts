/** One PostgreSQL server for all unit tests in a run. Each test has a database to itself: empty, or with a new store. */
import type { TestProject } from 'vitest/node'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { createDatabase, PASSWORD, rowsOf, runOn, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** A database with a new store, to copy. Creating the tables for each test would take longer. */
    storeTemplate: string
  }
}

/** The log is small, because the data may be in memory, and nothing has to survive a crash. */
const SETTINGS = { max_wal_size: '256MB', fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }
/** Tests connect thousands of times, and by default, each password check hashes 4096 times. */
const QUICK_PASSWORD = `SET scram_iterations = 1; ALTER ROLE postgres PASSWORD '${PASSWORD}'`

export default async function setup(project: TestProject) {
  const existingUrl = process.env['TEST_DATABASE_URL']
  const server = existingUrl ? null : await startPostgres({ settings: SETTINGS })
  if (server) await runOn(server.url, QUICK_PASSWORD)
  const url = existingUrl ?? server?.url ?? ''
  const template = await createDatabase(url)
  await (await openPostgresStore(template.url)).close()
  project.provide('postgresUrl', url)
  project.provide('storeTemplate', template.name)
  return () => (server ? server.remove() : removeCopies(url, template.name))
}

/** Drops the template and the copies that tests left for other tests. */
async function removeCopies(url: string, template: string): Promise<void> {
  const left = await rowsOf(url, 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [template])
  for (const { name } of left) await runOn(url, `DROP DATABASE ${name} WITH (FORCE)`)
}
