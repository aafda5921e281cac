/** One PostgreSQL server for all unit tests in a run. Each test has a database to itself: empty, or with a new store. */
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { onDemand } from './on-demand.ts'
import { createDatabase, PASSWORD, rowsOf, runOn, startPostgres } from './postgres-server.ts'

/** The log is small, because the data may be in memory, and nothing has to survive a crash. */
const SETTINGS = { max_wal_size: '256MB', fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }
/** Tests connect thousands of times, and by default, each password check hashes 4096 times. */
const QUICK_PASSWORD = `SET scram_iterations = 1; ALTER ROLE postgres PASSWORD '${PASSWORD}'`

export async function startSharedPostgres() {
  const existingUrl = process.env['TEST_DATABASE_URL']
  const server = existingUrl ? null : await startPostgres({ settings: SETTINGS })
  if (server) await runOn(server.url, QUICK_PASSWORD)
  const url = existingUrl ?? server?.url ?? ''
  const template = await createDatabase(url)
  await (await openPostgresStore(template.url)).close()
  const stop = () => (server ? server.remove() : removeCopies(url, template.name))
  return { url, storeTemplate: template.name, stop }
}

/** Drops the template and the copies that tests left for other tests. */
async function removeCopies(url: string, template: string): Promise<void> {
  const left = await rowsOf(url, 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [template])
  for (const { name } of left) await runOn(url, `DROP DATABASE ${name} WITH (FORCE)`)
}

export const postgresUrl = async () => (await onDemand('postgres')).url

/** An empty database, or a copy of another one. */
export const emptyDatabase = async (template?: string) => createDatabase(await postgresUrl(), template)

export async function databaseWithStore() {
  const { url, storeTemplate } = await onDemand('postgres')
  return createDatabase(url, storeTemplate)
}
