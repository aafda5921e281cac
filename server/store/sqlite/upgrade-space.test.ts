/** Upgrades on disks with little free space. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { mountOwnDisk } from '../../../tests/support/disks.ts'
import { rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { STORE_VERSION } from '../schema.ts'
import { storeFile } from './files.ts'
import { WORKING_SPACE } from './open-file.ts'
import { openSqliteStore } from './sqlite-store.ts'

const disk = mountOwnDisk(64 * 1024 * 1024)
const folder = disk?.folder ?? ''
const file = storeFile(folder)
const LEADS = 4000

afterEach(() => {
  for (const ending of ['', '-wal', '-shm', '-running']) rmSync(`${file}${ending}`, { force: true })
})
afterAll(() => disk?.remove())

/** A store with many leads that wait to be sent, and little else. Returns its size. */
function createStore(): number {
  disk?.leaveFree(40_000_000)
  writeFileSync(
    file,
    gunzipSync(readFileSync(new URL(`../../../tests/fixtures/store-0.7.0.sqlite.gz`, import.meta.url))),
  )
  const database = new DatabaseSync(file)
  const columns = database
    .prepare(`SELECT name FROM pragma_table_info('leads')`)
    .all()
    .map(({ name }) => `${name}`)
  const values = columns.map(name => (name === 'id' ? `substr(id, 1, 24) || printf('%012d', i)` : name))
  database.exec(
    `WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${LEADS})
     INSERT INTO leads (${columns}) SELECT ${values} FROM numbers,
       (SELECT * FROM leads WHERE state = 'accepted' AND email IS NOT NULL ORDER BY id LIMIT 1)`,
  )
  database.exec(
    `INSERT INTO deliveries (lead_id, state, attempts, next_at, created_at)
     SELECT id, 'pending', 0, 0, 0 FROM leads WHERE id NOT IN (SELECT lead_id FROM deliveries) AND state = 'accepted';
     INSERT INTO calls (lead_id, kind, due_at, tries)
     SELECT id, 'new', 0, 0 FROM leads WHERE id NOT IN (SELECT lead_id FROM calls) AND state = 'accepted'`,
  )
  database.close()
  return statSync(file).size
}

const versionAndLeads = () =>
  rowsOf(file, 'SELECT user_version AS version, (SELECT COUNT(*) FROM leads) AS leads FROM pragma_user_version')[0]

/** Takes a lead and indexes the old ones, as a server does. */
async function upgradeAndServe(): Promise<void> {
  const store = openSqliteStore(file)
  try {
    expect(statSync(`${file}-wal`).size).toBeLessThan(200_000)
    await store.capture(submissionOf('new', await store.saveConsentText('I agree')))
    while ((await store.indexLeads({ limit: 500 })) > 0);
  } finally {
    await store.close()
  }
}

describe.runIf(disk)('upgrading from', () => {
  test.each([
    [1.4, 'refused'],
    [1.6, 'upgraded'],
  ] as const)('0.7.0 with %d times the store’s size free is %s', async (free, outcome) => {
    const size = createStore()
    const before = versionAndLeads()
    disk?.leaveFree(free * size + WORKING_SPACE)
    if (outcome === 'upgraded') {
      await upgradeAndServe()
      expect(versionAndLeads()).toEqual({ version: STORE_VERSION, leads: Number(before?.['leads']) + 1 })
      return
    }
    expect(() => openSqliteStore(file)).toThrow(/needs about \d+ MB of free disk space, but only \d+ MB is free\./)
    expect(versionAndLeads()).toEqual(before)
  })
})
