import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { partOf } from '../server/store/files.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { joinDesk } from '../tests/support/desk-accounts.ts'
import { mountOwnDisk } from '../tests/support/disks.ts'
import { insertLeads, rowsOf, someLead } from '../tests/support/lead-fixtures.ts'
import { type CommandOptions, leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let copy: string
let list: string
beforeEach(() => {
  mkdirSync(join(store.dataDir, 'backups'))
  copy = join(store.dataDir, 'backups', 'copy.sqlite')
  list = join(store.dataDir, 'backups', 'erasures.txt')
})

const run = (argv: readonly string[], more: CommandOptions = {}) =>
  leads(argv, { ...store, ...more, env: { ERASURE_LIST: list, ...more.env } })
const erase = (id: string) => run(['erase', '--id', id, '--yes', '--under-five-years'])
const states = () => rowsOf(store.file, 'SELECT id, state, email FROM leads ORDER BY received_at')
const replacedStores = () => readdirSync(store.dataDir).filter(name => name.includes('.replaced-'))
const access = 'SELECT token_hash FROM desk_sessions UNION SELECT id FROM desk_passkeys'
const damage = () => writeFileSync(store.file, 'not a database, but long enough to be one'.repeat(100))

async function signIn(name: string): Promise<void> {
  const server = openSqliteStore(store.file)
  await joinDesk(server, name)
  await server.close()
}

const bob = { firstName: 'Bob', email: 'bob@example.org', receivedAt: someLead.receivedAt + 1 }

test('the copy has everything, including data still in the log, and only its owner can read it', async () => {
  const server = openSqliteStore(store.file)
  insertLeads(store.file, [{}, { delivery: 'dead' }])
  const { code, out, err } = await run(['backup', copy])
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toMatch(/^2 leads copied to .*copy\.sqlite \(\d+\.\d MB\)\.\n$/)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(store.dataDir, 'backups'))).toEqual(['copy.sqlite'])
  for (const table of ['leads', 'outbox', 'history', 'consents']) {
    const select = `SELECT * FROM ${table}`
    expect(rowsOf(copy, select)).toEqual(rowsOf(store.file, select))
  }
  await server.close()
})

test('after a restore, calls are known until the backup’s newest lead or call, and the desk says so for three days', async () => {
  insertLeads(store.file, [{}, bob])
  await run(['backup', copy])
  const now = bob.receivedAt + 3_600_000
  await run(['restore', copy, '--yes'], { now })
  const restoredTo = async (later: number) => {
    const opened = openSqliteStore(store.file, { now: () => now + later })
    return opened.restoredTo().finally(() => opened.close())
  }
  expect(await restoredTo(71 * 3_600_000)).toBe(bob.receivedAt)
  expect(await restoredTo(73 * 3_600_000)).toBeNull()
})

test('an existing file is not overwritten; a missing folder prints one clear line', async () => {
  writeFileSync(copy, 'precious')
  const exists = `${copy} already exists. Remove it or choose another name.\n`
  expect(await run(['backup', copy])).toEqual({ code: 1, out: '', err: exists })
  const nowhere = join(store.dataDir, 'no', 'copy.sqlite')
  const missing = `Can’t write ${nowhere}: there is no such folder.\n`
  expect(await run(['backup', nowhere])).toEqual({ code: 1, out: '', err: missing })
})

const disk = mountOwnDisk()
test.runIf(disk)('a full disk prints one clear line and leaves no partial copy', async () => {
  const target = join(disk?.folder ?? '', 'copy.sqlite')
  disk?.fill()
  expect(await run(['backup', target])).toMatchObject({ code: 1, err: `Can’t write ${target}: the disk is full.\n` })
  expect([existsSync(target), existsSync(partOf(target))]).toEqual([false, false])
  disk?.remove()
})

test('restore replaces the store, reapplies erasures, and keeps deliveries paused', async () => {
  const [ada = '', bobs = ''] = insertLeads(store.file, [{}, bob])
  await run(['backup', copy])
  await erase(ada)
  await run(['pause', '--reason', 'the CRM is being moved'])
  insertLeads(store.file, [{ firstName: 'Carl', receivedAt: someLead.receivedAt + 2 }])
  const { code, err } = await run(['restore', copy], { typed: 'yes\n' })
  expect(code).toBe(0)
  expect(err).toContain('copy.sqlite has 2 leads, the newest from 2030-01-15 12:00:00 UTC.\n')
  expect(err).toContain('The store has 3 leads')
  expect(err).toContain('2 leads restored. Reapplied: 1 erasure, 0 do-not-call changes, 0 removals from the desk.')
  expect(states()).toEqual([
    { id: ada, state: 'erased', email: null },
    { id: bobs, state: 'accepted', email: 'bob@example.org' },
  ])
  expect(rowsOf(store.file, `SELECT detail FROM history WHERE event = 'erased'`)).toEqual([
    { detail: expect.stringContaining('"because":"restored backup"') },
  ])
  expect(rowsOf(store.file, 'SELECT reason FROM delivery_pause')).toEqual([{ reason: 'the CRM is being moved' }])
  expect(statSync(store.file).mode & 0o777).toBe(0o600)
  expect(readFileSync(store.file).includes(someLead.email)).toBe(false)
  expect((await run(['export', '--phone', someLead.phone])).out).toContain(ada)
  // The previous store is kept until doctor removes it.
  const [file = ''] = replacedStores()
  expect(rowsOf(join(store.dataDir, file), 'SELECT id FROM leads')).toHaveLength(3)
  expect((await run(['doctor'])).out).toMatch(new RegExp(`warning +Store .*${file} is left over`))
  expect((await run(['doctor', '--remove-old-stores'], { typed: 'no\n' })).code).toBe(1)
  expect(replacedStores()).toContain(file)
  expect((await run(['doctor', '--remove-old-stores', '--yes'])).err).toMatch(/\d files? deleted\./)
  expect(replacedStores()).toEqual([])
  expect(states()).toHaveLength(2)
})

test('a role that was changed since the backup stays changed', async () => {
  const server = openSqliteStore(store.file)
  for (const name of ['Ann', 'Bob']) await joinDesk(server, name, 'editor')
  await run(['backup', copy])
  await server.changeRole({ name: 'Bob', role: 'viewer', seen: 'editor', by: 'Ann' })
  await server.close()
  await run(['restore', copy, '--yes'])
  const roles = 'SELECT name, role FROM desk_people ORDER BY name'
  expect(rowsOf(store.file, roles)).toEqual([
    { name: 'Ann', role: 'editor' },
    { name: 'Bob', role: 'viewer' },
  ])
})

test('someone erased while restore waits for an answer stays erased', async () => {
  const [ada = ''] = insertLeads(store.file, [{}, bob])
  await run(['backup', copy])
  await run(['restore', copy], { typed: 'yes\n', onPrompt: () => erase(ada) })
  expect(states()).toMatchObject([{ state: 'erased', email: null }, { state: 'accepted' }])
})

test('after an interrupted restore, nothing starts with an empty store instead', async () => {
  insertLeads(store.file, [{}])
  await run(['backup', copy])
  // Killed between the two renames.
  renameSync(store.file, `${store.file}.restoring`)
  expect(() => openSqliteStore(store.file)).toThrow('A restore was interrupted.')
  expect(existsSync(store.file)).toBe(false)
  const kept = { code: 1, err: expect.stringContaining('Nothing was deleted: there is no store at') }
  expect(await run(['doctor', '--remove-old-stores', '--yes'])).toMatchObject(kept)
  expect(existsSync(`${store.file}.restoring`)).toBe(true)
  expect(await run(['restore', copy, '--yes'])).toMatchObject({ code: 0 })
  expect(states()).toHaveLength(1)
})

test('without a readable store, restore uses ERASURE_LIST and keeps the damaged store with its log', async () => {
  const [, bobs = ''] = insertLeads(store.file, [{}, bob])
  await signIn('Joe')
  await signIn('Ann')
  await run(['backup', copy])
  const later = { now: Date.now() + 60_000 }
  await run(['do-not-call', '--phone', someLead.phone], later)
  await run(['remove', 'Joe'], later)
  await erase(bobs)
  damage()
  writeFileSync(`${store.file}-wal`, 'log')
  const { err } = await run(['restore', copy, '--yes'])
  expect(err).toContain('1 erasure, 1 do-not-call change, 1 removal')
  const log = replacedStores().find(name => name.endsWith('-wal')) ?? ''
  expect(readFileSync(join(store.dataDir, log), 'utf8')).toBe('log')
  // Ann wasn't removed, but her passkey may have been replaced since the backup.
  expect(rowsOf(store.file, access)).toEqual([])
  for (const ending of ['', '-wal', '-shm']) rmSync(`${store.file}${ending}`, { force: true })
  const missing = { code: 0, err: expect.stringContaining('There is no readable store to replace.') }
  expect(await run(['restore', copy, '--yes'])).toMatchObject(missing)
  expect(states()).toMatchObject([{ state: 'accepted' }, { id: bobs, state: 'erased', email: null }])
})

test.each(['missing', 'empty'])('if the store is %s, its log is kept, not replayed into the backup', async state => {
  await run(['backup', copy])
  const server = openSqliteStore(store.file)
  insertLeads(store.file, [bob])
  const log = readFileSync(`${store.file}-wal`)
  await server.close()
  if (state === 'missing') rmSync(store.file)
  else writeFileSync(store.file, '')
  writeFileSync(`${store.file}-wal`, log)
  const { err } = await run(['restore', copy, '--yes'])
  expect(states()).toEqual([])
  expect(err).toContain('The previous store was kept as')
  expect(readFileSync(join(store.dataDir, replacedStores().at(-1) ?? ''))).toEqual(log)
})

describe('restore changes nothing', () => {
  beforeEach(async () => {
    insertLeads(store.file, [{}])
    await run(['backup', copy])
    insertLeads(store.file, [bob])
  })
  afterEach(() => {
    expect(states()).toHaveLength(2)
    expect(replacedStores()).toEqual([])
    expect(existsSync(`${store.file}.restoring`)).toBe(false)
  })

  test('while a server has the store open, or without confirmation', async () => {
    const servers = [openSqliteStore(store.file)]
    const onPrompt = async () => servers.push(openSqliteStore(store.file))
    const refused = { code: 1, err: expect.stringContaining('Stop it first.') }
    expect(await run(['restore', copy, '--yes'])).toMatchObject(refused)
    await servers.pop()?.close()
    expect(await run(['restore', copy], { typed: 'yes\n', onPrompt })).toMatchObject(refused)
    await servers.pop()?.close()
    expect((await run(['restore', copy], { typed: 'no\n' })).code).toBe(1)
    expect((await run(['restore', copy])).code).toBe(2)
  })

  test.each([
    ['missing', null],
    ['text', () => 'some text'],
    ['empty', () => ''],
    ['truncated', () => readFileSync(copy).subarray(0, 20_000)],
  ])('if the file is not a backup: %s', async (name, content) => {
    const file = join(store.dataDir, 'backups', name)
    if (content) writeFileSync(file, content())
    const { code, err } = await run(['restore', file, '--yes'])
    expect(code).toBe(1)
    expect(err).toMatch(/^(.* doesn’t exist|Can’t use the backup|The backup|.* is not a backup).*\n$/)
  })
})

test.each(['', 'x'.repeat(40)])('with the key %j, restore erases no one again, unless --new-key is set', async key => {
  const [ada = '', bobs = ''] = insertLeads(store.file, [{}, bob])
  await erase(ada)
  await run(['backup', copy])
  writeFileSync(list, `2030-01-16T12:00:00.000Z ${bobs}\n`)
  for (const file of [[], [copy]]) {
    const restore = (...more: string[]) => run(['restore', ...file, '--yes', ...more], { env: { ERASURE_KEY: key } })
    expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('restore with --new-key') })
    expect(replacedStores()).toEqual([])
    expect(await restore('--new-key')).toMatchObject({ code: 0, err: expect.stringContaining('1 erasure,') })
  }
})

test('without FILE, reapplies the changes in all logs to a manually restored store, and revokes everyone’s access, if no server has it open', async () => {
  const [ada = '', bobs = ''] = insertLeads(store.file, [{}, bob])
  const other = join(store.dataDir, 'other.txt')
  await signIn('Ann')
  writeFileSync(list, `2030-01-16T12:00:00.000Z ${ada}\n`)
  writeFileSync(other, `2030-01-16T12:00:00.000Z ${bobs}\n`)
  const server = openSqliteStore(store.file)
  expect(await run(['restore', '--yes'])).toMatchObject({ code: 1, err: expect.stringContaining('has the store open') })
  await server.close()
  expect(rowsOf(store.file, access)).toHaveLength(2)
  const finish = ['restore', '--erasures', other]
  expect((await run(finish, { typed: 'no\n' })).code).toBe(1)
  const { err } = await run(finish, { typed: 'yes\n' })
  expect(err).toContain('everyone is signed out of the desk')
  expect(err).toContain(
    'Checked 2 logged changes against the store. Reapplied: 2 erasures, 0 do-not-call changes, 0 removals from the desk.\n' +
      'Everyone signs in to the desk by a new link. Check their roles (npm run leads -- people), then: npm run leads -- invite NAME\n',
  )
  expect(rowsOf(store.file, access)).toEqual([])
})
