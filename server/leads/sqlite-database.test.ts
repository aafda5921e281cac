import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asOrdinaryUser, fullDisk, lockStore } from '../../tests/support/failing-disk.ts'
import { migrations } from '../store/migrations/steps.ts'
import { type Database, DatabaseUnavailable, DatabaseUnusable } from './database.ts'
import { openSqliteDatabase, type SqliteOptions } from './sqlite-database.ts'

let folder: string
let file: string
const opened: Database[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'leads.db')
})
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

function open(options?: SqliteOptions): Database {
  const database = openSqliteDatabase(file, options)
  opened.push(database)
  return database
}

/** The one line that an operator sees at start-up. */
function faultOf(options?: SqliteOptions): string {
  try {
    open(options)
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUnusable)
    const { message } = error as Error
    expect(message).not.toContain('\n')
    return message
  }
  throw new Error('The store opened.')
}

const addConsent = (database: Database, version: string) =>
  database.write(sql => sql('INSERT INTO consents VALUES ($1, $2, $3)', [version, 'text '.repeat(20), 0]))

async function consents(database: Database): Promise<unknown[]> {
  const rows = await database.read(sql => sql('SELECT version FROM consents ORDER BY version'))
  return rows.map(row => row['version'])
}

async function storeWith(count: number): Promise<void> {
  const database = openSqliteDatabase(file)
  await Promise.all(Array.from({ length: count }, (_, index) => addConsent(database, `version ${index}`)))
  await database.close()
}

describe('at start', () => {
  test('a missing folder is created, and the store is durable and strict', async () => {
    file = join(folder, 'a', 'b', 'leads.db')
    const database = open()
    expect(await database.write(sql => sql('PRAGMA journal_mode'))).toEqual([{ journal_mode: 'wal' }])
    expect(await database.write(sql => sql('PRAGMA synchronous'))).toEqual([{ synchronous: 2 }])
    expect(await database.write(sql => sql('PRAGMA foreign_keys'))).toEqual([{ foreign_keys: 1 }])
    const tables = await database.read(sql =>
      sql("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'"),
    )
    expect(tables.length).toBeGreaterThan(0)
    expect(tables.filter(table => table['strict'] !== 1)).toEqual([])
  })

  test('a store opens again with what is in it', async () => {
    await storeWith(3)
    expect(await consents(open())).toHaveLength(3)
  })

  test('a folder that this user may not write to is named', async () => {
    await storeWith(1)
    chmodSync(file, 0o444)
    chmodSync(folder, 0o555)
    try {
      expect(asOrdinaryUser(() => faultOf())).toMatch(/cannot be used: .*(may not write|read-only|cannot be opened)/)
    } finally {
      chmodSync(folder, 0o755)
    }
  })

  test('a file in the place of the folder is named', () => {
    writeFileSync(join(folder, 'data'), '')
    file = join(folder, 'data', 'leads.db')
    expect(faultOf()).toContain('a file is where its folder should be')
  })

  test('a full disk is named', async () => {
    const disk = fullDisk(folder)
    try {
      await storeWith(1)
      disk.fail()
      expect(faultOf()).toMatch(/cannot be used: the disk (is full|failed to read or write)/)
      disk.recover()
      expect(await consents(open())).toHaveLength(1)
      await opened.pop()?.close()
    } finally {
      disk.remove()
    }
  })

  test('a store that another program holds is named', async () => {
    await storeWith(1)
    const lock = await lockStore(file)
    try {
      expect(faultOf({ busyTimeoutMs: 50 })).toContain('locked by another program')
    } finally {
      await lock.release()
    }
    expect(await consents(open())).toHaveLength(1)
  })

  test.each<[string, () => void]>([
    ['is not a database', () => writeFileSync(file, 'Dear diary, '.repeat(1000))],
    ['has a page of rubbish', () => overwrite(file, 4096 * 2, 4096)],
    ['has lost its end', () => truncateSync(file, 4096 * 4)],
  ])('a store that %s is named, and left as it is', async (_, damage) => {
    await storeWith(500)
    damage()
    const before = readFileSync(file)
    expect(faultOf()).toMatch(/damaged/)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('a store of a newer version is refused, and left as it is', async () => {
    await storeWith(1)
    const newer = new DatabaseSync(file)
    newer.exec(`PRAGMA user_version = ${migrations.length + 1}`)
    newer.close()
    const before = readFileSync(file)
    expect(faultOf()).toContain('written by a newer version')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test.each<[string, (copy: string) => void]>([
    ['gone', () => {}],
    ['empty', copy => writeFileSync(copy, '')],
  ])('no new store is made when the old one is %s and its log is there', async (_, prepare) => {
    const database = open()
    await addConsent(database, 'in the log only')
    // As after a crash: the log has not been brought into the file.
    const crashed = join(folder, 'crashed')
    mkdirSync(crashed)
    copyFileSync(`${file}-wal`, join(crashed, 'leads.db-wal'))
    file = join(crashed, 'leads.db')
    prepare(file)
    const log = readFileSync(`${file}-wal`)
    expect(faultOf()).toMatch(/is gone, but its log .* is there/)
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
  })

  test('a store whose log was not brought in before a crash opens with all of it', async () => {
    const database = open()
    await addConsent(database, 'in the log only')
    const crashed = join(folder, 'crashed')
    mkdirSync(crashed)
    for (const part of ['leads.db', 'leads.db-wal']) copyFileSync(join(folder, part), join(crashed, part))
    file = join(crashed, 'leads.db')
    expect(await consents(open())).toEqual(['in the log only'])
  })

  test('a reader does not create a store', () => {
    expect(faultOf({ readOnly: true })).toContain('There is no store')
    expect(existsSync(file)).toBe(false)
  })
})

describe('writes', () => {
  test('that wait at the same time share a trip to the disk', async () => {
    const groups: number[] = []
    const database = open({ onCommit: works => groups.push(works) })
    await Promise.all(Array.from({ length: 200 }, (_, index) => addConsent(database, `version ${index}`)))
    expect(groups.reduce((sum, works) => sum + works, 0)).toBe(200)
    expect(groups.length).toBeLessThanOrEqual(3)
    expect(await consents(database)).toHaveLength(200)
  })

  test('resolve only after their commit', async () => {
    const events: string[] = []
    const database = open({ onCommit: () => events.push('commit') })
    await addConsent(database, 'one').then(() => events.push('resolved'))
    expect(events).toEqual(['commit', 'resolved'])
  })

  test('are done wholly or not at all, and one that fails does not hurt the others', async () => {
    const groups: number[] = []
    const database = open({ onCommit: works => groups.push(works) })
    const failing = database.write(async sql => {
      await sql('INSERT INTO consents VALUES ($1, $2, $3)', ['half', 'text', 0])
      throw new Error('changed my mind')
    })
    const results = await Promise.allSettled([
      addConsent(database, 'before'),
      failing,
      addConsent(database, 'before'),
      addConsent(database, 'after'),
    ])
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(groups).toEqual([4])
    expect(await consents(database)).toEqual(['after', 'before'])
  })

  test('are refused while another program holds the store, without stopping this one, and work again after', async () => {
    const database = open({ busyTimeoutMs: 100 })
    const lock = await lockStore(file)
    let turns = 0
    const turning = setInterval(() => turns++, 5)
    try {
      await expect(addConsent(database, 'one')).rejects.toThrow(DatabaseUnavailable)
      expect(turns).toBeGreaterThan(5)
    } finally {
      clearInterval(turning)
      await lock.release()
    }
    await addConsent(database, 'two')
    expect(await consents(database)).toEqual(['two'])
  })

  test('wait for another program that is soon done', async () => {
    const database = open()
    const lock = await lockStore(file)
    const added = addConsent(database, 'one')
    await lock.release()
    await added
    expect(await consents(database)).toEqual(['one'])
  })
})

function overwrite(path: string, start: number, length: number): void {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, start, start + length)
  writeFileSync(path, bytes)
}
