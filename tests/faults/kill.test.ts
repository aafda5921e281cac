/** kill -9 under load: no acknowledged lead is lost, none is invented, and only interrupted deliveries arrive twice. */
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { newFolder } from '../support/after-test.ts'
import { killServers } from '../support/kill-servers.ts'
import { onDemand } from '../support/on-demand.ts'
import { rowsOf } from '../support/postgres-server.ts'
import { emptyDatabase } from '../support/shared-postgres.ts'

await onDemand('site')

async function postgres() {
  const { url, remove } = await emptyDatabase()
  onTestFinished(remove)
  return { env: { DATABASE_URL: url }, sql: (text: string) => rowsOf(url, text) }
}

function sqlite() {
  const folder = newFolder()
  return {
    env: { DATA_DIR: folder },
    async sql(text: string) {
      const database = new DatabaseSync(storeFile(folder), { timeout: 5000 })
      try {
        return database.prepare(text).all()
      } finally {
        database.close()
      }
    },
  }
}

test.each([
  { name: 'one server on SQLite', servers: 1, kills: 3, open: sqlite },
  { name: 'three servers on PostgreSQL', servers: 3, kills: 3, open: postgres },
])('$name: no lead is lost despite repeated kills', async ({ servers, kills, open }) => {
  const { env, sql } = await open()
  const { mistakes, ...report } = await killServers({
    env,
    sql,
    servers,
    kills,
    random: Math.random,
    expireLeases: true,
  })
  expect(Object.entries(mistakes).filter(([, found]) => found.length > 0)).toEqual([])
  expect(report.repeats, 'every kill interrupts a delivery').toBeGreaterThanOrEqual(kills)
  // A worker has at most this many deliveries in flight.
  expect(report.maxRepeatsPerKill).toBeLessThanOrEqual(16)
})
