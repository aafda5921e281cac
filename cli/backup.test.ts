/** Backups on a schedule: the copy that's made every 15 minutes, and the nightly ones. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { partOf } from '../server/store/files.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { mountOwnDisk } from '../tests/support/disks.ts'
import { createStore, insertLeads, rowsOf, someLead } from '../tests/support/lead-fixtures.ts'
import { type CommandOptions, leads, NOW } from '../tests/support/leads-command.ts'
import { PROGRAM_ENV } from '../tests/support/processes.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let folder: string
let copy: string
beforeEach(() => {
  folder = join(store.dataDir, 'backups')
  mkdirSync(folder)
  copy = join(folder, 'latest.backup')
})

const run = (argv: readonly string[], more: CommandOptions = {}) =>
  leads(argv, { ...store, ...more, env: { ERASURE_LIST: join(folder, 'erasures.txt'), ...more.env } })
const latest = (dataDir = store.dataDir) => run(['backup', '--latest', copy], { dataDir })
const restore = (file: string) => run(['restore', file, '--yes'])
const leadsIn = (name: string) => rowsOf(join(folder, name), 'SELECT COUNT(*) AS leads FROM leads')[0]?.['leads']
const names = () => readdirSync(folder).toSorted()

let received = 0
const submit = (file = store.file) => insertLeads(file, [{ receivedAt: someLead.receivedAt + ++received }])[0] ?? ''

/** With a store that was created there. */
async function newMachine() {
  const machine = await createStore()
  const database = new DatabaseSync(machine.file)
  database.exec(`UPDATE store_identity SET id = 'another'`)
  database.close()
  return machine
}

async function status(file = store.file) {
  const opened = openSqliteStore(file)
  return opened.backupStatus().finally(() => opened.close())
}

const disk = mountOwnDisk(3 * 1024 ** 3)
afterAll(() => disk?.remove())

test.runIf(disk)('a backup says if its disk is nearly full, and the next one that there’s room again', async () => {
  const backups = disk?.folder ?? ''
  const nightly = () => run(['backup', '--nightly', backups])
  const copied = () => run(['backup', '--latest', join(backups, 'latest.backup')])
  submit()
  for (const backUp of [nightly, copied]) {
    disk?.leaveFree(1024 ** 3)
    await backUp()
    expect((await status()).nearlyFull).toBe(backups)
    disk?.empty()
    for (const name of readdirSync(backups).filter(each => each.startsWith('leads-'))) rmSync(join(backups, name))
    await backUp()
    expect((await status()).nearlyFull).toBeNull()
  }
})

describe('the copy that’s made every 15 minutes', () => {
  test('is replaced whole if anything was recorded since, and then has it; otherwise, it stays', async () => {
    submit()
    expect(await latest()).toMatchObject({ code: 0 })
    const { ino } = statSync(copy)
    // Probes and page views change all the time.
    const server = openSqliteStore(store.file)
    await server.probe()
    expect(await latest()).toEqual({ code: 0, out: '', err: '' })
    expect(statSync(copy).ino).toBe(ino)
    const { latestAgeMs, ageMs } = await server.backupStatus()
    expect([latestAgeMs, ageMs]).toEqual([expect.any(Number), null])
    await server.close()
    const ada = submit()
    expect(await latest()).toMatchObject({ code: 0 })
    expect([leadsIn('latest.backup'), statSync(copy).mode & 0o777]).toEqual([2, 0o600])
    await run(['erase', '--id', ada, '--yes', '--under-five-years'])
    // A copy that fails leaves the one before.
    mkdirSync(partOf(copy))
    expect(await latest()).toMatchObject({ code: 1 })
    rmSync(partOf(copy), { recursive: true })
    expect(leadsIn('latest.backup')).toBe(2)
    // One that another process makes at the same time isn't touched; one that it left when it was killed is removed.
    const [others, left] = [`${copy}.1.part`, `${copy}.2.part`]
    for (const part of [others, left]) writeFileSync(part, 'half')
    utimesSync(left, 1, 1)
    expect(await latest()).toMatchObject({ code: 0 })
    expect([existsSync(others), existsSync(left)]).toEqual([true, false])
    expect(rowsOf(copy, `SELECT id FROM leads WHERE state = 'erased'`)).toContainEqual({ id: ada })
  })

  test('of a lost machine isn’t replaced by a new, empty store’s, but restored, and replaced from then on', async () => {
    for (const _ of 'ab') submit()
    await latest()
    const machine = await newMachine()
    expect(await latest(machine.dataDir)).toMatchObject({
      code: 0,
      err: `0 leads copied to ${folder}/latest-2.backup.\n`,
    })
    expect([leadsIn('latest.backup'), leadsIn('latest-2.backup')]).toEqual([2, 0])
    const notReplaced = { file: copy, because: 'another store' }
    expect(await status(machine.file)).toMatchObject({ notReplaced, sameDisk: true })
    // Both go on where they began.
    submit(machine.file)
    await latest(machine.dataDir)
    submit()
    await latest()
    expect([leadsIn('latest.backup'), leadsIn('latest-2.backup'), names()]).toEqual([
      3,
      1,
      ['latest-2.backup', 'latest.backup'],
    ])
    await run(['restore', copy, '--yes'], { dataDir: machine.dataDir })
    submit(machine.file)
    expect(await latest(machine.dataDir)).toMatchObject({ err: `4 leads copied to ${copy}.\n` })
    expect((await status(machine.file)).notReplaced).toBeNull()
    machine.remove()
  })

  test('isn’t replaced after an older backup was restored, also if that has as many leads by then', async () => {
    submit()
    const older = join(folder, 'leads-2030-01-01-0315.backup')
    await run(['backup', older])
    for (const _ of 'ab') submit()
    await latest()
    await restore(older)
    for (const _ of 'abc') submit()
    expect(await latest()).toMatchObject({ err: `4 leads copied to ${folder}/latest-2.backup.\n` })
    expect(leadsIn('latest.backup')).toBe(3)
    expect((await status()).notReplaced).toEqual({ file: copy, because: 'has more' })
    // A second older one has leads of its own, and the second file's are only there.
    await restore(older)
    submit()
    await latest()
    expect([leadsIn('latest.backup'), leadsIn('latest-2.backup'), leadsIn('latest-3.backup')]).toEqual([3, 4, 2])
    await restore(join(folder, 'latest-2.backup'))
    submit()
    await latest()
    expect([leadsIn('latest.backup'), leadsIn('latest-2.backup'), leadsIn('latest-3.backup')]).toEqual([3, 5, 2])
  })

  test('isn’t replaced if only calls or stops are missing', async () => {
    submit()
    const older = join(folder, 'older')
    await run(['backup', older])
    await run(['do-not-call', '--phone', '5550109999'])
    await latest()
    // By hand, so nothing is reapplied.
    for (const ending of ['', '-wal', '-shm']) rmSync(`${store.file}${ending}`, { force: true })
    copyFileSync(older, store.file)
    await latest()
    expect((await status()).notReplaced).toEqual({ file: copy, because: 'has more' })
  })

  test('isn’t replaced if it can’t be read', async () => {
    writeFileSync(copy, 'damaged')
    submit()
    await latest()
    expect([leadsIn('latest-2.backup'), (await status()).notReplaced?.because]).toEqual([1, 'unreadable'])
  })

  test('can be accepted: what was there is kept, and nothing is lost if that’s interrupted', async () => {
    for (const _ of 'ab') submit()
    await latest()
    const machine = await newMachine()
    const accept = (more: CommandOptions = { typed: 'yes\n' }) =>
      run(['backup', '--latest', copy, '--accept'], { ...more, dataDir: machine.dataDir })
    submit(machine.file)
    await latest(machine.dataDir)
    expect((await accept({ typed: 'no\n' })).code).toBe(1)
    expect(leadsIn('latest.backup')).toBe(2)
    const made = new Date('2030-01-31T03:15:00Z')
    utimesSync(copy, made, made)
    expect(await accept()).toMatchObject({
      code: 0,
      err: expect.stringContaining('What was there is now leads-2030-01-31-0315.backup.'),
    })
    expect(names()).toEqual(['latest.backup', 'leads-2030-01-31-0315.backup'])
    expect([leadsIn('latest.backup'), leadsIn('leads-2030-01-31-0315.backup')]).toEqual([1, 2])
    expect((await status(machine.file)).notReplaced).toBeNull()
    // Killed between the two renames.
    renameSync(copy, join(folder, 'leads-2030-02-01-0315.backup'))
    expect(await latest(machine.dataDir)).toMatchObject({ err: `1 lead copied to ${copy}.\n` })
    machine.remove()
  })

  test('is whole, and has everything, if two are made at once', async () => {
    const command = [join(import.meta.dirname, 'main.ts'), 'store', 'backup', '--latest', copy]
    const env = { DATA_DIR: store.dataDir, ...PROGRAM_ENV }
    for (let round = 1; round <= 2; round++) {
      submit()
      const both = [1, 2, 3].map(() => once(spawn(process.execPath, command, { env, cwd: folder }), 'exit'))
      expect(await Promise.all(both)).toEqual([1, 2, 3].map(() => [0, null]))
      expect([leadsIn('latest.backup'), names()]).toEqual([round, ['latest.backup']])
    }
  })
})

describe('a nightly backup', () => {
  const nightly = (dataDir = store.dataDir, now = NOW) =>
    run(['backup', '--nightly', folder], { dataDir, now, env: { TIME_ZONE: 'America/New_York' } })
  const age = (name: string, days: number) => {
    const at = (NOW - days * 86_400_000) / 1000
    utimesSync(join(folder, name), at, at)
  }

  test('has its time in its name, and deletes this store’s after 30 days, on a disk of its own, too', async () => {
    submit()
    // What a new ext4 disk has.
    mkdirSync(join(folder, 'lost+found'), { mode: 0o000 })
    for (const [name, days] of [
      ['leads-a.backup', 31],
      ['leads-b.backup', 29],
      ['leads-d.backup', 1],
      ['latest-2.backup', 31],
      ['leads-c.backup.77.part', 31],
      ['notes.txt', 31],
    ] as const) {
      if (name.endsWith('.backup')) await run(['backup', join(folder, name)])
      else writeFileSync(join(folder, name), '')
      age(name, days)
    }
    expect(await nightly()).toMatchObject({ code: 0, err: expect.stringMatching(/^1 lead copied/) })
    expect(names()).toEqual([
      'leads-2030-01-16-070000.backup',
      'leads-b.backup',
      'leads-d.backup',
      'lost+found',
      'notes.txt',
    ])
    expect(await nightly()).toMatchObject({ code: 1, err: expect.stringContaining('already exists') })
    // A release that's tried again makes another one.
    expect(await nightly(store.dataDir, NOW + 1000)).toMatchObject({ code: 0 })
    expect(await nightly(store.dataDir, NOW + 6 * 365 * 86_400_000)).toMatchObject({ code: 0 })
    expect(names()).toContain('leads-b.backup')
  })

  test('never deletes another store’s, and says so until someone does', async () => {
    submit()
    await run(['backup', join(folder, 'leads-lost.backup')])
    age('leads-lost.backup', 99)
    const machine = await newMachine()
    const lost = join(folder, 'leads-lost.backup')
    expect(await nightly(machine.dataDir)).toMatchObject({ code: 0, err: expect.stringContaining('of another store') })
    expect((await status(machine.file)).ofAnotherStore).toBe(lost)
    rmSync(lost)
    rmSync(join(folder, 'leads-2030-01-16-070000.backup'))
    await nightly(machine.dataDir)
    expect((await status(machine.file)).ofAnotherStore).toBeNull()
    machine.remove()
  })
})
