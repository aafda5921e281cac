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

/** A store of an earlier version with many leads and little else, which needs the most space. Returns its size. */
function createStore(version: string): number {
  disk?.leaveFree(40_000_000)
  writeFileSync(
    file,
    gunzipSync(readFileSync(new URL(`../../../tests/fixtures/store-${version}.sqlite.gz`, import.meta.url))),
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
    ...[0.5, 1, 1.3, 1.7, 2, 2.5, 2.9].map(free => ['0.5.3', free, 'refused'] as const),
    ['0.5.3', 3.1, 'upgraded'],
    ['0.6.0', 0.2, 'refused'],
    ...[0.6, 1, 2, 3].map(free => ['0.6.0', free, 'upgraded'] as const),
  ] as const)('%s with %d times the store’s size free is %s', async (version, free, outcome) => {
    const size = createStore(version)
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
