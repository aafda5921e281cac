import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { damagedLogs } from './files.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder: string
/** The files after a crash: the WAL was never checkpointed. */
let crashed: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wal-'))
  const live = join(folder, 'live.sqlite')
  mkdirSync(join(folder, 'crashed'))
  crashed = join(folder, 'crashed', 'leads.sqlite')
  const store = openSqliteStore(live)
  const version = await store.saveConsentText('I agree')
  for (let person = 0; person < 20; person++) await store.capture(submissionOf(`p${person}`, version))
  copyFileSync(live, crashed)
  copyFileSync(`${live}-wal`, `${crashed}-wal`)
  await store.close()
})
afterEach(() => rmSync(folder, { recursive: true }))

async function leadsAfterStart(access: 'owner' | 'write' = 'owner'): Promise<number> {
  const store = openSqliteStore(crashed, { access })
  const leads = await store.count({})
  await store.close()
  return leads
}

function flipByte(at: number): void {
  const wal = readFileSync(`${crashed}-wal`)
  wal.writeUInt8(wal.readUInt8(at) ^ 0xff, at)
  writeFileSync(`${crashed}-wal`, wal)
}

const FRAME = 24 + 4096

test.each([
  ['the header', 20],
  ['a page in the first frame', 32 + 24 + 100],
  ['a checksum in the middle', 32 + 20 * FRAME + 16],
])('damage to %s hides leads, so a copy of the log is kept', async (_, at) => {
  flipByte(at)
  const damaged = readFileSync(`${crashed}-wal`)
  expect(await leadsAfterStart()).toBeLessThan(20)
  const [copy = '', ...more] = damagedLogs(dirname(crashed))
  expect(more).toEqual([])
  expect(readFileSync(copy)).toEqual(damaged)
})

test('a copy is also kept if a command opens the store before the server does', async () => {
  // Damage only the second half of the log: the tables must still be readable.
  flipByte(readFileSync(`${crashed}-wal`).length - 10 * FRAME)
  expect(await leadsAfterStart('write')).toBeLessThan(20)
  expect(damagedLogs(dirname(crashed))).toHaveLength(1)
})

test('a half-written last transaction isn’t reported as damage', async () => {
  const wal = `${crashed}-wal`
  truncateSync(wal, readFileSync(wal).length - 100)
  expect(await leadsAfterStart()).toBe(19)
  expect(damagedLogs(dirname(crashed))).toEqual([])
})

test('leftovers from an earlier log aren’t reported as damage', async () => {
  const store = openSqliteStore(crashed)
  const database = new DatabaseSync(crashed)
  database.exec('PRAGMA wal_checkpoint(RESTART)')
  await store.saveConsentText('I agree again')
  const wal = readFileSync(`${crashed}-wal`)
  database.close()
  await store.close()
  writeFileSync(`${crashed}-wal`, wal)
  expect(await leadsAfterStart()).toBe(20)
  expect(damagedLogs(dirname(crashed))).toEqual([])
})
