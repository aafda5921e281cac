import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { mountOwnDisk } from '../tests/support/disks.ts'
import { createStore, insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { leads } from '../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
let copy: string
beforeEach(async () => {
  store = await createStore()
  copy = join(store.dataDir, 'copy.sqlite')
})
afterEach(() => store.remove())

test('the copy has everything, only its owner may read it, and nothing else is left behind', async () => {
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
  expect(await leads(['backup'], store)).toMatchObject({ code: 2, err: expect.stringContaining('backup FILE') })
})

const disk = mountOwnDisk()
test.runIf(disk)('a full disk is one clear line, and leaves no half copy', async () => {
  const target = join(disk?.folder ?? '', 'copy.sqlite')
  disk?.fill()
  const { code, err } = await leads(['backup', target], store)
  expect({ code, err }).toEqual({ code: 1, err: `Can’t write ${target}: the disk is full.\n` })
  expect([existsSync(target), existsSync(`${target}.part`)]).toEqual([false, false])
  disk?.remove()
})

test('without a store there is nothing to copy', async () => {
  const { code, err } = await leads(['backup', copy], { dataDir: join(store.dataDir, 'none') })
  expect(code).toBe(1)
  expect(err).toMatch(/^There is no store at .*\n$/)
  expect(existsSync(copy)).toBe(false)
})
