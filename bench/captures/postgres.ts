/** PostgreSQL: bare single INSERTs and captures, each by one or several processes over one database. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { createDatabase, runOn, startPostgres } from '../../tests/support/postgres-server.ts'
import type { PostgresWork } from './postgres-process.ts'
import { CALLERS, type Calls, type Rate, rateOf } from './rate.ts'

const POOL_SIZE = 16

export const BARE_TABLE = 'bare_leads'

/** A server of its own with PostgreSQL's own settings: every commit waits for the disk. */
export async function withPostgres<T>(work: (serverUrl: string) => Promise<T>): Promise<T> {
  const server = await startPostgres()
  try {
    return await work(server.url)
  } finally {
    await server.remove()
  }
}

/** An empty store in a new database: none is measured on what another has filled. */
export async function withStore<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = await createDatabase(serverUrl)
  try {
    await (await openPostgresStore(database.url)).close()
    await runOn(database.url, `CREATE TABLE ${BARE_TABLE} (LIKE leads INCLUDING DEFAULTS, PRIMARY KEY (id))`)
    return await work(database.url)
  } finally {
    await database.remove()
  }
}

/** The callers and the connections are shared among the processes. */
export async function writeBy(processes: number, what: PostgresWork['what'], url: string): Promise<Rate> {
  const work: PostgresWork = { what, url, callers: CALLERS / processes, poolSize: POOL_SIZE / processes }
  const calls = Array.from({ length: processes }, async () => {
    const child = fork(join(import.meta.dirname, 'postgres-process.ts'), { execArgv: [] })
    child.send(work)
    const [answer] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => {
        throw new Error('A process that writes to PostgreSQL ended without a word.')
      }),
    ])
    return answer as Calls
  })
  return rateOf(await Promise.all(calls))
}
