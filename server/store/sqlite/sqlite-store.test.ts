/** Opening and writing to the embedded store when files, disks, and other programs get in the way. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { asOrdinaryUser, lockStore, mountOwnDisk } from '../../../tests/support/disks.ts'
import { rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { STORE_VERSION } from '../schema.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { markRunning, wasKilled } from './files.ts'
import { openChecked } from './open-file.ts'
import { openSqliteStore, type SqliteOptions } from './sqlite-store.ts'
import { createTransactions } from './transactions.ts'

let folder: string
let file: string
const opened: Store[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'data', 'leads.db')
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(options?: SqliteOptions): Store {
  const store = openSqliteStore(file, options)
  opened.push(store)
  return store
}

/** The error line an operator sees at startup. */
function startupError(options?: SqliteOptions): string {
  try {
    open(options)
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnusable)
    const { message } = error as Error
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('The store opened without an error.')
}

const addConsent = (store: Store, text: string) => store.saveConsentText(`${text} ${'text '.repeat(20)}`.trim())

/** Reads through a separate connection, which sees only what's been committed to the file. */
function consents(): unknown[] {
  return rowsOf(file, 'SELECT presented FROM consents ORDER BY presented').map(row =>
    String(row['presented']).replace(/( text)+$/, ''),
  )
}

async function storeWith(count: number): Promise<void> {
  const store = openSqliteStore(file)
  await Promise.all(Array.from({ length: count }, (_, index) => addConsent(store, `version ${index}`)))
  await store.close()
}

function overwrite(path: string, start: number, length: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, start, start + length)
  writeFileSync(path, bytes)
}

describe('at startup', () => {
  test('missing folders are created, and the store is durable and strict', () => {
    const database = openChecked(file, 'owner', 0)
    const pragma = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name]
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1])
    const ours = `schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`
    const tables = database.prepare(`SELECT name, strict FROM pragma_table_list WHERE ${ours}`).all()
    database.close()
    expect(tables.length).toBeGreaterThan(0)
    expect(tables.filter(table => table['strict'] !== 1)).toEqual([])
  })

  test('the error names a folder on a disk that isn’t mounted, or a file where the folder should be', () => {
    symlinkSync(join(folder, 'unmounted'), dirname(file))
    expect(startupError()).toMatch(/^The folder .* is a broken link\./)
    rmSync(dirname(file))
    writeFileSync(dirname(file), '')
    expect(startupError()).toContain('there is a file where the folder should be')
  })

  test('the error says the folder isn’t writable', async () => {
    await storeWith(1)
    chmodSync(folder, 0o755)
    chmodSync(file, 0o444)
    chmodSync(dirname(file), 0o555)
    try {
      const words = /Can’t use the store .*(permission denied|read-only|can’t open)/
      expect(asOrdinaryUser(() => startupError())).toMatch(words)
    } finally {
      chmodSync(dirname(file), 0o755)
    }
  })

  const disk = mountOwnDisk()
  afterAll(() => disk?.remove())
  test.runIf(disk)('the error says the disk is full', async () => {
    file = join(disk?.folder ?? '', 'leads.db')
    await storeWith(1)
    disk?.fill()
    expect(startupError()).toMatch(/Can’t use the store .*: the disk (is full|has a read or write error)/)
    disk?.empty()
    open()
    expect(consents()).toHaveLength(1)
    await opened.pop()?.close()
  })

  test.each([
    ['with other tables', 'CREATE TABLE notes (text)'],
    ['with a table name we use', 'CREATE TABLE leads (text)'],
    ['with a different version', 'CREATE TABLE notes (text); PRAGMA user_version = 1'],
    ['with an unknown version', 'CREATE TABLE notes (text); PRAGMA user_version = 99'],
  ])('another program’s database %s is refused and left unchanged', (_, sql) => {
    mkdirSync(dirname(file))
    const theirs = new DatabaseSync(file)
    theirs.exec(sql)
    theirs.close()
    const before = readFileSync(file)
    for (const access of ['owner', 'write'] as const) {
      expect(startupError({ access })).toContain(`The database at ${file} belongs to another program.`)
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a store that a newer version upgrades during startup is refused and keeps its schema version', async () => {
    await storeWith(0)
    const newer = new DatabaseSync(file)
    newer.exec('BEGIN IMMEDIATE')
    const { exec } = DatabaseSync.prototype
    // Commits just before our own transaction, which would otherwise wait for it and block this thread.
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
      if (newer.isTransaction && text.includes('BEGIN IMMEDIATE'))
        exec.call(newer, `PRAGMA user_version = ${STORE_VERSION + 1}; COMMIT`)
      exec.call(this, text)
    })
    expect(startupError()).toContain('newer version')
    expect(newer.isTransaction).toBe(false)
    newer.close()
    expect(rowsOf(file, 'PRAGMA user_version')).toEqual([{ user_version: STORE_VERSION + 1 }])
  })

  test.each<[string, () => void]>([
    ['is not a database', () => writeFileSync(file, 'Dear diary, '.repeat(1000))],
    ['has a garbage page', () => overwrite(file, 4096 * 2, 4096)],
    ['is truncated', () => truncateSync(file, 4096 * 4)],
  ])('after a kill, a store that %s is reported as damaged and left unchanged', async (_, damage) => {
    await storeWith(500)
    damage()
    markRunning(file)
    const before = readFileSync(file)
    expect(startupError()).toMatch(/damaged/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('the whole file is checked after a kill, but not after a clean stop', async () => {
    await storeWith(500)
    expect(wasKilled(file)).toBe(false)
    overwrite(file, statSync(file).size - 4096, 4096)
    await openSqliteStore(file).close()
    markRunning(file)
    expect(startupError()).toMatch(/damaged/)
    // The file is still damaged, so the next start must check again.
    expect(wasKilled(file)).toBe(true)
  })

  test('no new store is created if the old one is missing or empty but its log is still there', async () => {
    await addConsent(open(), 'in the log only')
    // Simulates a crash: the WAL hasn't been checkpointed.
    const wal = `${file}-wal`
    file = join(folder, 'crashed.db')
    copyFileSync(wal, `${file}-wal`)
    const log = readFileSync(wal)
    for (const prepare of [() => {}, () => writeFileSync(file, '')]) {
      prepare()
      expect(startupError()).toMatch(/is missing, but its log .* is still there/)
      expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
    }
  })

  test.each<[string, () => void, string]>([
    ['the store, its log, or its folder', () => {}, '700 600 600 600'],
    ['a new store in a folder they have access to', () => mkdirSync(dirname(file), { mode: 0o755 }), '755 600 600 600'],
  ])('other users can’t read %s', async (_, prepare, expected) => {
    // Don't let the umask hide permission bugs.
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    prepare()
    await addConsent(open(), 'one')
    const modes = [dirname(file), file, `${file}-wal`, `${file}-shm`].map(path => statSync(path).mode & 0o777)
    expect(modes.map(mode => mode.toString(8)).join(' ')).toBe(expected)
  })
})

describe('writes', () => {
  test('leads that arrive at the same time share one commit', async () => {
    const store = open()
    const consentVersion = await addConsent(store, 'one')
    let notified = 0
    store.onDue(() => notified++)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => store.capture(submissionOf(`n${index}`, consentVersion))),
    )
    await expect.poll(() => notified).toBe(1)
  })

  test('a damaged store refuses writes and tells the operator what to do', async () => {
    await storeWith(1)
    const damaged = `SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN ('leads', 'outbox')`
    for (const { rootpage } of rowsOf(file, damaged)) overwrite(file, (Number(rootpage) - 1) * 4096, 4096)
    const store = open({ access: 'write' })
    const reason = new StoreUnavailable('the store is damaged or not a database. Restore a backup.')
    await expect(store.capture(submissionOf('ada', 'version'))).rejects.toEqual(reason)
    await expect(store.backlog()).rejects.toEqual(reason)
  })

  test('a write resolves only after its commit, is atomic, and doesn’t affect other writes if it fails', async () => {
    const writer = openChecked(file, 'owner', 0)
    const { write } = createTransactions(writer, file, 0)
    const insert = 'INSERT INTO consents VALUES ($1, $2, $3)'
    const add = (version: string) => write(run => run(insert, [version, version, 0]))
    const failing = write(async run => {
      run(insert, ['half', 'half', 0])
      throw new Error('changed my mind')
    })
    const before = add('before').then(consents)
    const results = await Promise.allSettled([failing, before, add('before'), add('after')])
    await write(() => Promise.reject(new Error('changed my mind'))).catch(() => {})
    // The failed write released its lock.
    const other = new DatabaseSync(file)
    other.exec('BEGIN IMMEDIATE')
    other.close()
    writer.close()
    expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await before).toEqual(['before'])
    expect(consents()).toEqual(['after', 'before'])
  })

  test('while another program has it locked, the store can’t be opened, and writes fail without blocking the thread', async () => {
    const store = open({ busyTimeoutMs: 100 })
    const lock = await lockStore(file)
    let ticks = 0
    const ticking = setInterval(() => ticks++, 5)
    try {
      await expect(addConsent(store, 'one')).rejects.toThrow(StoreUnavailable)
      expect(ticks).toBeGreaterThan(0)
      expect(startupError({ busyTimeoutMs: 50 })).toContain('locked by another program')
    } finally {
      clearInterval(ticking)
      await lock.release()
    }
    await addConsent(store, 'two')
    open()
    expect(consents()).toEqual(['two'])
  })

  test('a write is refused if the file is moved while the write waits for another program', async () => {
    const store = open()
    const lock = await lockStore(file)
    const added = addConsent(store, 'one')
    added.catch(() => {})
    // By then, it has found the store locked.
    await new Promise(setImmediate)
    renameSync(file, `${file}.moved`)
    await lock.release()
    await expect(added).rejects.toThrow('moved or replaced')
    renameSync(`${file}.moved`, file)
    expect(consents()).toEqual([])
  })
})
