/** A copy of the settings and the organization's folder beside the backups, and a machine that's restored from it. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { createStore, insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { type CommandOptions, leads, NOW } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let backups: string
let site: string
let settings: string
let latest: string
beforeEach(() => {
  backups = join(store.dataDir, 'backups')
  site = join(store.dataDir, 'our-site')
  settings = join(store.dataDir, 'settings.env')
  latest = join(backups, 'latest.backup')
  for (const folder of [backups, join(site, 'legal'), join(site, '.git')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(site, 'organization.toml'), 'name = "Acme"\n')
  writeFileSync(join(site, 'legal/privacy.en.md'), 'Reviewed.\n')
  writeFileSync(join(site, '.git/config'), 'https://token@example.org')
  writeSettings(`SITE_FOLDER=${site}`)
})

const secrets = ['LEAD_WEBHOOK_URL=https://hooks.example.org/hush-1', 'SMTP_URL=smtps://us:hush-2@mail.example.org']

function writeSettings(...lines: readonly string[]): void {
  const own = [
    `DATA_DIR=${store.dataDir}`,
    `ERASURE_LIST=${join(backups, 'erasures.txt')}`,
    'TIME_ZONE="America/New_York"',
  ]
  const text = ['# Before: CRM_STOP_SECRET=hush-3', 'MAIL_FROM=us@example.org', ...own, ...secrets, ...lines]
  writeFileSync(settings, `${text.join('\n')}\n`)
}

const run = (argv: readonly string[], more: CommandOptions = {}) => leads(argv, { settingsFile: settings, ...more })
const back = (now = NOW) => run(['backup', '--latest', latest], { now })
const copies = () => readdirSync(backups).filter(name => name.startsWith('installation-'))
const everythingIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join()

async function trouble() {
  const opened = openSqliteStore(store.file)
  return opened.backupStatus().finally(() => opened.close())
}

describe('the copy of an installation', () => {
  test('has the folder and the settings, but no secret, and is made again only after a change', async () => {
    symlinkSync('/etc/hostname', join(site, 'link'))
    expect(await back()).toMatchObject({ code: 0 })
    const [name = ''] = copies()
    const copied = readFileSync(join(backups, name, 'settings.env'), 'utf8')
    expect(copied).toContain('MAIL_FROM=us@example.org\n')
    expect(readdirSync(join(backups, name, 'site'), { recursive: true }).toSorted()).toEqual([
      'legal',
      'legal/privacy.en.md',
      'organization.toml',
    ])
    expect(everythingIn(join(backups, name))).not.toMatch(/hush|token/)
    expect(statSync(join(backups, name)).mode & 0o777).toBe(0o700)
    await back(NOW + 900_000)
    expect(copies()).toEqual([name])
    writeFileSync(join(site, 'organization.toml'), 'name = "Acme Benefits"\n')
    await back(NOW + 1_800_000)
    expect(copies()).toHaveLength(2)
    rmSync(site, { recursive: true })
    expect(await back(NOW + 2_700_000)).toMatchObject({ code: 0, err: expect.stringContaining('couldn’t be copied') })
    expect((await trouble()).notCopied).toBe(site)
    expect(copies()).toHaveLength(2)
  })

  test('is kept ten times, without those of other stores, and without what a killed process has left', async () => {
    await back()
    const database = new DatabaseSync(store.file)
    database.exec(`UPDATE store_identity SET id = 'another'`)
    database.close()
    const [lost = ''] = copies()
    mkdirSync(join(backups, 'installation-2030-01-01-000000.7.part'))
    utimesSync(join(backups, 'installation-2030-01-01-000000.7.part'), 1, 1)
    for (let n = 1; n <= 12; n++) {
      writeFileSync(join(site, 'en.toml'), '#'.repeat(n))
      await back(NOW + n * 900_000)
    }
    expect(copies()).toHaveLength(11)
    expect(copies()).toContain(lost)
  })

  test('is made with nightly backups, too', async () => {
    await run(['backup', '--nightly', backups])
    expect(copies()).toHaveLength(1)
  })
})

describe('a lost machine', () => {
  const key = 'k'.repeat(43)
  let machine: string
  let restored: string
  beforeEach(async () => {
    const [, bob = ''] = insertLeads(store.file, [{}, { email: 'bob@example.org' }])
    writeFileSync(join(store.dataDir, 'erasure.key'), `${key}\n`)
    await run(['key'])
    await back()
    writeFileSync(join(backups, 'erasures.txt'), `2030-01-16T12:00:00.000Z erased ${bob}\n`)
    // The disks are lost, but not the one with the backups.
    machine = join(dirname(store.dataDir), `${store.dataDir.split('/').at(-1)}-backups`)
    renameSync(backups, machine)
    onTestFinished(() => rmSync(machine, { recursive: true, force: true }))
    for (const name of readdirSync(store.dataDir)) rmSync(join(store.dataDir, name), { recursive: true })
    restored = store.dataDir
  })

  const restore = (typed: readonly string[], ...more: readonly string[]) =>
    run(['restore', machine, '--settings', settings, ...more], { typed: typed.map(line => `${line}\n`).join('') })
  const answers = ['yes', 'https://hooks.example.org/hush-1', '', key, 'yes']
  const leadsIn = () => rowsOf(store.file, 'SELECT COUNT(*) AS leads FROM leads')[0]?.['leads']

  test('is restored by one command: settings, key, folder, and leads', async () => {
    const { code, err } = await restore(answers)
    expect(code).toBe(0)
    expect(err).toContain('Left out, so add 1 setting later: SMTP_URL.')
    expect(err).toContain('2 leads restored. Reapplied: 1 erasure,')
    expect(leadsIn()).toBe(2)
    expect(readFileSync(settings, 'utf8')).toContain('LEAD_WEBHOOK_URL=https://hooks.example.org/hush-1\n')
    expect([statSync(settings).mode & 0o777, statSync(join(restored, 'erasure.key')).mode & 0o777]).toEqual([
      0o640, 0o600,
    ])
    expect(readFileSync(join(site, 'legal/privacy.en.md'), 'utf8')).toBe('Reviewed.\n')
    expect(statSync(join(site, 'legal/privacy.en.md')).mode & 0o777).toBe(0o644)
    // Copies go on.
    insertLeads(store.file, [{}])
    expect(await run(['backup', '--latest', join(machine, 'latest.backup')])).toMatchObject({
      err: expect.stringContaining('3 leads copied'),
    })
  })

  test.each([
    ['the settings', () => [settings]],
    ['the key', () => [settings, join(restored, 'erasure.key')]],
    ['the folder', () => [settings, join(restored, 'erasure.key'), site]],
  ])('is restored by a second run if the first one was killed after %s', async (_, done) => {
    await restore(answers)
    for (const path of readdirSync(restored).map(name => join(restored, name))) {
      if (!done().includes(path)) rmSync(path, { recursive: true })
    }
    mkdirSync(`${site}.part`)
    const hasKey = existsSync(join(restored, 'erasure.key'))
    expect(await restore(['yes', '', ...(hasKey ? [] : [key]), 'yes'])).toMatchObject({ code: 0 })
    expect([leadsIn(), readFileSync(join(restored, 'erasure.key'), 'utf8')]).toEqual([2, `${key}\n`])
    expect(readFileSync(join(site, 'organization.toml'), 'utf8')).toContain('Acme')
  })

  test('keeps what’s there already: another folder, settings, and the store that it replaces', async () => {
    writeSettings(`SITE_FOLDER=${site}`)
    mkdirSync(site)
    const machineStore = await createStore()
    renameSync(machineStore.file, store.file)
    writeFileSync(join(restored, 'erasure.key'), `${'n'.repeat(43)}\n`)
    const { err } = await restore(['yes', key, 'yes'])
    expect(readFileSync(join(restored, 'erasure.key'), 'utf8')).toBe(`${key}\n`)
    expect(readdirSync(restored).filter(name => name.startsWith('erasure.key.replaced-'))).toHaveLength(1)
    expect(err).toContain(`The settings stay: ${settings} is there already.`)
    expect([readdirSync(site), leadsIn()]).toEqual([[], 2])
    expect(readdirSync(restored).filter(name => name.includes('.replaced-'))).not.toEqual([])
    machineStore.remove()
  })

  test('changes nothing without the store’s key, unless it’s lost', async () => {
    expect(await restore(['yes', '', '', 'x'.repeat(43), '', 'y'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('That isn’t this store’s key.'),
    })
    expect(readdirSync(restored)).toEqual([])
    expect(await restore(['yes', '', '', 'yes'], '--new-key')).toMatchObject({ code: 0 })
  })

  test('asks which copy, if another store’s is there, or one with newer leads', async () => {
    const other = await createStore()
    insertLeads(other.file, [{}])
    const database = new DatabaseSync(other.file)
    database.exec(`UPDATE store_identity SET id = 'another'; PRAGMA journal_mode = DELETE`)
    database.close()
    renameSync(other.file, join(machine, 'latest-2.backup'))
    expect(await run(['restore', machine, '--settings', settings, '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Choose one: --from NAME.'),
    })
    expect(await restore(['latest-2.backup'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no settings'),
    })
    expect(await restore(['', ...answers])).toMatchObject({ code: 0, err: expect.stringContaining('another') })
    expect(leadsIn()).toBe(2)
    other.remove()
  })

  test('with leads in PostgreSQL gets everything else', async () => {
    const [name = ''] = readdirSync(machine).filter(each => each.startsWith('installation-'))
    const description = join(machine, name, 'installation.json')
    const described = JSON.parse(readFileSync(description, 'utf8'))
    writeFileSync(description, JSON.stringify({ ...described, secrets: ['DATABASE_URL'] }))
    expect(await restore(['yes', ''])).toMatchObject({
      code: 1,
      err: expect.stringContaining('DATABASE_URL is needed'),
    })
    expect(readdirSync(restored)).toEqual([])
    const url = 'postgres://leads:hush@127.0.0.1:1/leads'
    expect(await restore(['yes', url, key])).toMatchObject({
      code: 0,
      err: expect.stringContaining('The leads are in PostgreSQL.'),
    })
    expect([existsSync(store.file), existsSync(site), existsSync(join(restored, 'erasure.key'))]).toEqual([
      false,
      true,
      true,
    ])
  })

  test('gets a fetched folder back as fetching expects it: a link', async () => {
    await restore(answers)
    const fetched = join(restored, 'fetched')
    mkdirSync(fetched)
    renameSync(site, join(fetched, 'abc'))
    symlinkSync('abc', join(fetched, 'current'))
    writeSettings(`SITE_FOLDER=${join(fetched, 'current')}`)
    await run(['backup', '--latest', join(machine, 'latest.backup')], { now: NOW + 900_000 })
    for (const name of readdirSync(restored)) rmSync(join(restored, name), { recursive: true })
    expect(await restore(answers)).toMatchObject({ code: 0 })
    expect(lstatSync(join(fetched, 'current')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(fetched, 'current/organization.toml'), 'utf8')).toContain('Acme')
  })
})
