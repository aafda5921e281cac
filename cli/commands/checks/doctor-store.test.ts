/** What the doctor says about the store: whether it can be used, and who else can get at it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { storeFile } from '../../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { mountOwnDisk } from '../../../tests/support/disks.ts'
import { createStore, insertLeads } from '../../../tests/support/lead-fixtures.ts'
import { leads } from '../../../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

describe('the store', () => {
  test('that is not there yet is a warning, and is not made', async () => {
    const dataDir = `${store.dataDir}/none`
    const { code, out } = await leads(['doctor'], { dataDir })
    expect(code).toBe(0)
    expect(out).toContain(`warning  Store     There is no store at ${dataDir}/leads.sqlite yet.`)
    expect((await leads(['doctor'], { dataDir })).out).toBe(out)
  })

  test('that is damaged is a fault', async () => {
    insertLeads(
      store.file,
      Array.from({ length: 500 }, () => ({})),
    )
    truncateSync(store.file, 60_000)
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*damaged.*/m)
  })

  test('that is no database is a fault', async () => {
    writeFileSync(store.file, 'not a database, however long it may be'.repeat(100))
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*is not a database/m)
  })

  test('without a write-ahead log is a warning, and stays as it is', async () => {
    const database = new DatabaseSync(store.file)
    database.exec('PRAGMA journal_mode = DELETE')
    database.close()
    for (const _ of ['first', 'second']) {
      expect((await leads(['doctor'], store)).out).toMatch(/^warning {2}Store .*its journal is delete/m)
    }
  })

  const disk = mountOwnDisk()
  test.runIf(disk)('on a full disk is a fault: the write is really made', async () => {
    const dataDir = disk?.folder ?? ''
    onTestFinished(() => disk?.remove())
    await openSqliteStore(storeFile(dataDir)).close()
    expect((await leads(['doctor'], { dataDir })).out).toContain('ok       Store     It takes writes.')
    disk?.fill()
    const { code, out } = await leads(['doctor'], { dataDir })
    expect(code).toBe(1)
    expect(out).toContain('fault    Store     It takes no writes: the disk is full.')
  })

  test('that is locked is a warning', async () => {
    const other = new DatabaseSync(store.file)
    other.exec('BEGIN IMMEDIATE')
    const { code, out } = await leads(['doctor'], store)
    other.close()
    expect(code).toBe(0)
    expect(out).toContain('warning  Store     Another program has held it locked')
  })
})

describe('other users of the machine', () => {
  test('who are kept out are a line that is ok', async () => {
    expect((await leads(['doctor'], store)).out).toContain('ok       Store     It is closed to other users')
  })

  test('who can get at the store, its log or its folder are a warning, and what it says mends it', async () => {
    const dataDir = join(store.dataDir, "the operator's data")
    const file = join(dataDir, 'leads.sqlite')
    const server = openSqliteStore(file)
    chmodSync(dataDir, 0o755)
    chmodSync(file, 0o640)
    chmodSync(`${file}-wal`, 0o604)
    const { code, out } = await leads(['doctor'], { dataDir })
    const [, modes, command] = /open to other users of this machine: (.*)\. Close it with: (.*)/.exec(out) ?? []
    expect(code).toBe(0)
    expect(modes).toBe(`${dataDir} (mode 755), ${file} (mode 640), ${file}-wal (mode 604)`)
    execFileSync('sh', ['-c', command ?? ''])
    expect((await leads(['doctor'], { dataDir })).out).toContain('ok       Store     It is closed to other users')
    await server.close()
  })

  test('who can get at nothing but the folder are a warning about that', async () => {
    const { dataDir } = store
    for (const mode of ['711', '701', '750']) {
      chmodSync(dataDir, mode)
      const words = `open to other users of this machine: ${dataDir} (mode ${mode}). Close it with: chmod go-rwx ${dataDir}\n`
      expect((await leads(['doctor'], store)).out).toContain(words)
    }
  })
})
