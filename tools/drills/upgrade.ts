/** Upgrades stores made by random use of 0.7.0, and compares whom Call next and the list offered before with whom they offer after. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { progress } from '../../bench/table.ts'
import { DEFAULT_CALLING_HOURS as HOURS } from '../../domain/calling/hours.ts'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { setDatabaseClock } from '../../tests/support/database-clock.ts'
import { CHECKED_AFTER, compareOffers, listed, type Offering, type Upgraded } from '../../tests/support/offered.ts'
import { createDatabase, rowsOf, startPostgres } from '../../tests/support/postgres-server.ts'
import { copyToPostgres } from '../../tests/support/store-of-0.7.0.ts'
import { checkOutOld, fillAtRandom, type OldCode } from './random-use.ts'

const SETTINGS = { callList: true, webhookUrl: 'https://crm.example.org' }

interface Opened extends Upgraded {
  readonly engine: string
  close(): Promise<unknown>
}

/** `keep`: a folder for the stores and whom they offered, which upgrade.test.ts reads. */
export async function runUpgrades(seeds: readonly number[], keep?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'upgrades-'))
  const server = await startPostgres({ settings: { fsync: 'off' } })
  const reports: ({ readonly seed: number; readonly engine: string } & Awaited<ReturnType<typeof compareOffers>>)[] = []
  try {
    const code = await checkOutOld(folder)
    for (const seed of seeds) {
      progress(`store ${seed}`)
      const file = join(folder, `${seed}.sqlite`)
      const { at } = await fillAtRandom(code, file, seed, HOURS)
      const before = await offeredBefore(code, file, at)
      if (keep) {
        writeFileSync(join(keep, `store-0.7.0.used-${seed}.sqlite.gz`), gzipSync(readFileSync(file), { level: 9 }))
        writeFileSync(join(keep, `store-0.7.0.used-${seed}.json.gz`), gzipSync(JSON.stringify({ at, before })))
      }
      for (const open of [onSqlite, onPostgres]) {
        const opened = await open(file, at, server.url)
        reports.push({ seed, engine: opened.engine, ...(await compareOffers(opened, at, before)) })
        await opened.close()
      }
    }
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true })
  }
  return reports
}

/** At each of the times that are checked. */
async function offeredBefore(code: OldCode, file: string, at: number): Promise<readonly (readonly string[])[]> {
  const copy = `${file}.before`
  copyFileSync(file, copy)
  let now = at
  const store = code.open(copy, () => now)
  const database = new DatabaseSync(copy)
  const offered: (readonly string[])[] = []
  for (const after of CHECKED_AFTER) {
    now = at + after
    offered.push(await listed(store as unknown as Offering, async sql => database.prepare(sql).all()))
  }
  database.close()
  await store.close()
  return offered
}

async function onSqlite(file: string, at: number): Promise<Opened> {
  const copy = `${file}.after`
  copyFileSync(file, copy)
  let now = at
  const store = openSqliteStore(copy, { settings: SETTINGS, now: () => now })
  const database = new DatabaseSync(copy)
  return {
    engine: 'SQLite',
    store,
    rows: async sql => database.prepare(sql).all(),
    async setClock(time) {
      now = time
    },
    close() {
      database.close()
      return store.close()
    },
  }
}

async function onPostgres(file: string, at: number, serverUrl: string): Promise<Opened> {
  const { url, remove } = await createDatabase(serverUrl)
  await copyToPostgres(file, url)
  await setDatabaseClock(url, at)
  const store = await openPostgresStore(url, { settings: SETTINGS })
  return {
    engine: 'PostgreSQL',
    store,
    rows: sql => rowsOf(url, sql),
    setClock: time => setDatabaseClock(url, time),
    close: async () => {
      await store.close()
      await remove()
    },
  }
}
