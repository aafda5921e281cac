import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { STORE_VERSION } from '../schema.ts'
import { StoreUnusable } from '../store-errors.ts'
import { openChecked } from './open-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'open-'))
  file = join(folder, 'data', 'leads.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true }))

const open = () => openChecked(file, 'owner', 5000)

test('a store that a newer version upgrades during startup is refused and keeps its schema version', async () => {
  open().close()
  const newer = await migrateSlowly(STORE_VERSION + 1)
  expect(open).toThrow(StoreUnusable)
  await newer.done
  expect(rowsOf(file, 'PRAGMA user_version')).toEqual([{ user_version: STORE_VERSION + 1 }])
})

/** Another process that is upgrading the store and finishes after a while. */
async function migrateSlowly(version: number): Promise<{ done: Promise<unknown> }> {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('BEGIN IMMEDIATE; PRAGMA user_version = ${version}')
    console.log('started')
    setTimeout(() => database.exec('COMMIT'), 300)`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const done = once(child, 'exit')
  await once(child.stdout, 'data')
  return { done }
}

describe('another program’s database', () => {
  test.each([
    ['with other tables', 'CREATE TABLE notes (text)'],
    ['with a table name we use', 'CREATE TABLE leads (text)'],
    ['with a different version', 'CREATE TABLE notes (text); PRAGMA user_version = 1'],
    ['with an unknown version', 'CREATE TABLE notes (text); PRAGMA user_version = 99'],
  ])('%s is refused and left alone', (_, making) => {
    mkdirSync(dirname(file))
    const theirs = new DatabaseSync(file)
    theirs.exec(making)
    theirs.close()
    const before = readFileSync(file)
    for (const access of ['owner', 'write'] as const) {
      const opening = () => openChecked(file, access, 0)
      expect(opening).toThrow(`The database at ${file} belongs to another program.`)
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  })
})

describe('a data folder that is a symlink', () => {
  test('is reported if its target is missing: the disk may not be mounted', () => {
    symlinkSync(join(folder, 'unmounted'), dirname(file))
    expect(open).toThrow(`The store’s folder ${dirname(file)} is a broken link.`)
  })

  test('is reported if it points to itself', () => {
    symlinkSync(dirname(file), dirname(file))
    expect(open).toThrow('is a broken link')
    file = join(dirname(file), 'deeper', 'leads.sqlite')
    expect(open).toThrow('is a symbolic link that points back to itself')
  })
})

describe('other users on the machine', () => {
  const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8)
  let umask: number

  beforeEach(() => {
    // Don't let the umask hide permission bugs.
    umask = process.umask(0)
  })

  afterEach(() => void process.umask(umask))

  test('can’t read the store, its log, or its folder', () => {
    const database = open()
    database.exec(`INSERT INTO consents VALUES ('version', 'I agree', 0)`)
    const modes = [dirname(file), file, `${file}-wal`, `${file}-shm`].map(permissions)
    database.close()
    expect(modes).toEqual(['700', '600', '600', '600'])
  })

  test('can’t read a new store in a folder they have access to', () => {
    mkdirSync(dirname(file), { mode: 0o755 })
    open().close()
    expect([dirname(file), file].map(permissions)).toEqual(['755', '600'])
  })
})
