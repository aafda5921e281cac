/** One PostgreSQL server for all unit tests in a run. Each test gets its own database: empty, or a copy of a new store. */
import type { TestProject } from 'vitest/node'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { createDatabase, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** A database with a new store, to copy. Creating the tables for each test would take longer. */
    storeTemplate: string
  }
}

/** The log is small, because the data may be in memory, and nothing has to survive a crash. */
const SETTINGS = { max_wal_size: '256MB', fsync: 'off', full_page_writes: 'off' }

export default async function setup(project: TestProject) {
  const existingUrl = process.env['TEST_DATABASE_URL']
  const server = existingUrl ? null : await startPostgres({ settings: SETTINGS })
  const url = existingUrl ?? server?.url ?? ''
  const template = await createDatabase(url)
  await (await openPostgresStore(template.url)).close()
  project.provide('postgresUrl', url)
  project.provide('storeTemplate', new URL(template.url).pathname.slice(1))
  return () => (server ? server.remove() : template.remove())
}
