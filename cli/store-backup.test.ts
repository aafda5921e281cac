import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { mountOwnDisk } from '../tests/support/disks.ts'
import { insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let copy: string
beforeEach(() => {
  copy = join(store.dataDir, 'copy.sqlite')
})

test('the copy has everything, only its owner can read it, and nothing else is left behind', async () => {
  insertLeads(store.file, [{}, { delivery: 'dead' }])
  const { code, out, err } = await leads(['backup', copy], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^2 leads copied to .*copy\.sqlite \(\d+\.\d MB\)\.\n$/)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readdirSync(store.dataDir).filter(name => name.startsWith('copy'))).toEqual(['copy.sqlite'])
  for (const table of ['leads', 'deliveries', 'history', 'consents']) {
    const select = `SELECT * FROM ${table}`
    expect(rowsOf(copy, select)).toEqual(rowsOf(store.file, select))
  }
})

test('includes leads that are still in the write-ahead log, and none that arrive later', async () => {
  const server = openSqliteStore(store.file)
  insertLeads(store.file, [{}, {}, {}])
  expect((await leads(['backup', copy], store)).code).toBe(0)
  insertLeads(store.file, [{}])
  expect(rowsOf(copy, 'SELECT id FROM leads')).toHaveLength(3)
  await server.close()
})

test('an existing file is not overwritten', async () => {
  writeFileSync(copy, 'precious')
  const { code, err } = await leads(['backup', copy], store)
  expect({ code, err }).toEqual({ code: 1, err: `${copy} already exists. Remove it or choose another name.\n` })
})

test('a missing folder is one clear line', async () => {
  const nowhere = join(store.dataDir, 'no', 'copy.sqlite')
  expect(await leads(['backup', nowhere], store)).toEqual({
    code: 1,
    out: '',
    err: `Can’t write ${nowhere}: there is no such folder.\n`,
  })
})

const disk = mountOwnDisk()
test.runIf(disk)('a full disk is one clear line, and doesn’t leave a partial copy', async () => {
  const target = join(disk?.folder ?? '', 'copy.sqlite')
  disk?.fill()
  const { code, err } = await leads(['backup', target], store)
  expect({ code, err }).toEqual({ code: 1, err: `Can’t write ${target}: the disk is full.\n` })
  expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false])
  disk?.remove()
})
