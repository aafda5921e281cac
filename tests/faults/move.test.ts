/** `leads move` beside a server that starts, and killed at each step. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { killAfterTest } from '../support/after-test.ts'
import { createStore, insertLeads } from '../support/lead-fixtures.ts'
import { leads } from '../support/leads-command.ts'
import { onDemand } from '../support/on-demand.ts'
import { rowsOf } from '../support/postgres-server.ts'
import { runModule, spawnServer } from '../support/processes.ts'
import { emptyDatabase } from '../support/shared-postgres.ts'

await onDemand('site')

/** Moves the store, and kills itself before the query with this number. */
const MOVE = `
  const [module, pgModule, dataDir, url, dieAt] = process.argv.slice(1)
  const { default: pg } = await import(pgModule)
  const { query } = pg.Client.prototype
  let queries = 0
  pg.Client.prototype.query = function (...args) {
    if (++queries === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
    return query.apply(this, args)
  }
  const { moveStore } = await import(module)
  await moveStore(dataDir, url)
  console.log(queries)`

const MODULE = join(import.meta.dirname, '../../server/store/open-store.ts')
const PG = import.meta.resolve('pg')

async function prepare() {
  const store = await createStore()
  onTestFinished(store.remove)
  insertLeads(store.file, [{}, {}, {}])
  const database = await emptyDatabase()
  onTestFinished(database.remove)
  const run = async (dieAt: string) => {
    const { code, out } = await runModule(MOVE, MODULE, PG, store.dataDir, database.url, dieAt)
    return { code, queries: Number(out) }
  }
  const countMoved = async () =>
    Number((await rowsOf(database.url, 'SELECT COUNT(*) AS total FROM leads'))[0]?.['total'])
  return { ...store, url: database.url, run, countMoved, move: () => leads(['move', '--to', database.url], store) }
}

test('killed at any step before the commit, the next move starts over, and no lead is lost or doubled', async () => {
  const whole = await prepare()
  const { code, queries } = await whole.run('never')
  expect({ code, moved: await whole.countMoved() }).toEqual({ code: 0, moved: 3 })
  // The last ones are the commit and, once the store is renamed, the statistics.
  for (const step of [Math.round(queries / 2), queries - 1]) {
    const { run, move, countMoved, dataDir, file } = await prepare()
    expect(await run(String(step)), `killed at ${step}`).toMatchObject({ code: null })
    expect(existsSync(file), `killed at ${step}`).toBe(true)
    expect(await move(), `after a kill at ${step}`).toMatchObject({ code: 0 })
    expect(await countMoved()).toBe(3)
    expect(readdirSync(dataDir)).toEqual(['leads.sqlite.moved'])
  }
})

test('a server that starts while a move runs neither takes leads nor creates a new store', async () => {
  const { move, countMoved, dataDir, url } = await prepare()
  // The move stops at this lock, the one for migrations, with the store locked.
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query('SELECT pg_advisory_lock(833243, 2965)')
  const moving = move()
  const waiting = `SELECT COUNT(*)::integer AS waiting FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`
  await expect.poll(() => rowsOf(url, waiting)).toEqual([{ waiting: 1 }])
  const server = killAfterTest(spawnServer({ DATA_DIR: dataDir }))
  await expect.poll(server.output).toMatch(/store_unopened.*(locked|has the store open)/)
  await other.end()
  expect(await moving).toMatchObject({ code: 0 })
  await expect.poll(server.output).toMatch(/store_unopened.*was moved to PostgreSQL/)
  expect(server.output()).not.toContain('store_open"')
  expect(await countMoved()).toBe(3)
  expect(readdirSync(dataDir)).toEqual(['leads.sqlite.moved'])
})
