/** How the operator picks a person and confirms, and what remains in files. Other tests are in server/store. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { type CommandOptions, leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

const CONFIRMED = ['--yes', '--under-five-years'] as const
const sixYears = 6 * 366 * 86_400_000

const zelda = {
  firstName: 'Zeldamarie',
  lastName: 'Quackenbush',
  dateOfBirth: '1961-02-03',
  email: 'Zelda.Q@example.net',
  phone: '(555) 987-6543',
  userAgent: 'Rarebrowser/77',
  clientAddress: '198.51.100.77',
  campaign: { utm_content: 'for-zelda' },
} as const

const erase = (argv: readonly string[], options: CommandOptions = {}) =>
  leads(['erase', ...argv], { ...store, ...options })
const eraseId = (id: string, env = {}) => erase(['--id', id, ...CONFIRMED], { env })
const erasedIds = () => rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`).map(({ id }) => id)

test('given one ID, erases all of the person’s leads and lists the ones the receiver has to delete', async () => {
  const repeat = { ...zelda, state: 'repeat', delivery: null } as const
  const [sent = '', id = ''] = insertLeads(store.file, [{ ...zelda, delivery: 'delivered' }, repeat, {}])
  expect(await eraseId(id)).toEqual({
    code: 0,
    out: '',
    err:
      '2 leads erased.\nAlready sent, as far as we know. Delete this person’s data from your CRM, too:\n' +
      `  ${sent}: delivered 2030-01-15 12:00:00 UTC\n`,
  })
  expect(erasedIds().toSorted()).toEqual([sent, id].toSorted())
  expect(JSON.parse((await leads(['export', '--format', 'jsonl', '--id', id], store)).out)).toMatchObject({
    contact: null,
  })
  expect(await eraseId(id)).toEqual({ code: 1, out: '', err: 'No leads found for this person.\n' })
})

test.each([
  [['--email', '-'], { typed: 'zelda.q@example.net\nyes\n' }, 'Email address: '],
  [['--phone', '-'], { typed: '555 987 6543\nyes\n' }, 'Phone number: '],
  [[], { typed: 'zelda.q@example.net\nyes\n' }, 'Email address or phone number: '],
  [[], { typed: '(555) 987-6543\nyes\n' }, 'Email address or phone number: '],
  [['--email', '-', ...CONFIRMED], { piped: 'zelda.q@example.net\n' }, '1 lead erased.'],
])('the email or phone can stay off the command line: %j %j', async (argv, input, start) => {
  insertLeads(store.file, [zelda, {}])
  expect(await erase(argv, input)).toMatchObject({ code: 0, err: expect.stringMatching(new RegExp(`^${start}`)) })
  expect(erasedIds()).toHaveLength(1)
})

test('no answer, or an invalid one, is a usage error and isn’t echoed', async () => {
  for (const typed of ['', '\n', 'zelda\n']) {
    for (const argv of [[], ['--email', '-'], ['--phone', '-']]) {
      const { code, err } = await erase(argv, { typed })
      expect(code).toBe(2)
      expect(err).not.toContain('zelda')
    }
  }
})

test('before asking, shows the leads and any others with the same email or phone, which it keeps', async () => {
  const [id = '', sameEmail = '', samePhone = ''] = insertLeads(store.file, [
    { ...zelda, receivedAt: someLead.receivedAt - 1000, delivery: 'delivered' },
    { ...zelda, firstName: 'Yolanda', phone: '(555) 987-0000', delivery: 'dead' },
    { ...zelda, firstName: 'Xavier', email: 'xavier@example.net' },
    {},
  ])
  const asked = await erase(['--email', zelda.email], { typed: 'no\n' })
  expect(asked.code).toBe(1)
  expect(asked.err.split('\n').slice(0, 2)).toEqual([
    '  Zeldamarie Quackenbush, received 2030-01-15 11:59:59 UTC, delivered',
    '  Yolanda Quackenbush, received 2030-01-15 12:00:00 UTC, delivery failed',
  ])
  const others = /1 other lead has the same email or phone number and won’t be erased:\n {2}Xavier Quackenbush/
  expect(asked.err).toMatch(others)
  expect(asked.err).toContain('Permanently erase 2 leads? Type yes to continue: ')
  expect((await erase(['--email', zelda.email])).code).toBe(2)
  expect(erasedIds()).toEqual([])
  const { err } = await eraseId(id)
  expect(err).toContain(`have the same email or phone number and won’t be erased: ${sameEmail}, ${samePhone}`)
  expect(err).not.toMatch(/Yolanda|Xavier/)
  expect(erasedIds()).toEqual([id])
})

test('for leads less than five years old, explains the legal requirement; a script needs an extra option', async () => {
  insertLeads(store.file, [zelda, { ...zelda, receivedAt: someLead.receivedAt - sixYears }])
  const argv = ['--email', zelda.email]
  expect((await erase(argv, { typed: 'no\n' })).err).toMatch(
    /\(16 CFR 310\.5\) requires you to keep consent records .* 1 of these leads is less than five years old\./,
  )
  expect(await erase([...argv, '--yes'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nothing was erased. To erase them anyway, add --under-five-years.'),
  })
  const allowed = { code: 1, err: expect.not.stringContaining('16 CFR 310.5') }
  expect(await erase([...argv, '--under-five-years'], { typed: 'no\n' })).toMatchObject(allowed)
  expect(erasedIds()).toEqual([])
  expect((await erase([...argv, '--yes'], { now: someLead.receivedAt + sixYears })).code).toBe(0)
})

test('none of the person’s data stays readable in the store’s files, even while a server has the store open', async () => {
  const traces = [...Object.values(zelda).filter(value => typeof value === 'string'), 'for-zelda']
  const readable = () => {
    const files = readdirSync(store.dataDir).map(name => readFileSync(join(store.dataDir, name)))
    return traces.filter(trace => files.some(file => file.includes(trace)))
  }
  const server = openSqliteStore(store.file)
  insertLeads(
    store.file,
    Array.from({ length: 300 }, (_, index) => ({ email: `p${index}@example.org` })),
  )
  insertLeads(store.file, [zelda])
  expect(readable()).toEqual(traces)
  expect((await erase(['--email', zelda.email, ...CONFIRMED])).code).toBe(0)
  expect(readable()).toEqual([])
  await server.close()
})

test('the erasure log has only the ID and the time, and nothing is erased if it can’t be written', async () => {
  const [id = ''] = insertLeads(store.file, [zelda])
  expect(await eraseId(id, { ERASURE_LIST: join(store.file, 'erasures.txt') })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing was erased. Can’t write .*ERASURE_LIST/),
  })
  expect(erasedIds()).toEqual([])
  await eraseId(id)
  const list = join(store.dataDir, 'erasures.txt')
  expect(readFileSync(list, 'utf8')).toBe(`2030-01-16T12:00:00.000Z erased ${id}\n`.repeat(2))
  expect(statSync(list).mode & 0o777).toBe(0o600)
})

test.each([
  ['', 'have the store’s key'],
  ['x'.repeat(40), 'is not the store’s key'],
])('the key %j is refused if the store has a different one, unless --new-key is set', async (key, why) => {
  const env = { ERASURE_KEY: key }
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  await eraseId(id)
  expect(await eraseId(other, env)).toMatchObject({ code: 1, err: expect.stringContaining(why) })
  expect(existsSync(join(store.dataDir, 'erasure.key'))).toBe(false)
  expect((await leads(['doctor'], { ...store, env })).out).toMatch(/error +Key +/)
  expect(erasedIds()).toEqual([id])
  expect(await erase(['--id', other, ...CONFIRMED, '--new-key'], { env })).toMatchObject({ code: 0 })
})

test('erasing while a backup runs says that the data is still in the log, and so does doctor until it’s gone', async () => {
  const [id = ''] = insertLeads(store.file, [zelda])
  const server = openSqliteStore(store.file)
  const backup = new DatabaseSync(store.file, { readOnly: true })
  backup.exec('BEGIN; SELECT COUNT(*) FROM leads')
  const inLog = 'The old data is still in the store’s log (leads.sqlite-wal)'
  expect(await eraseId(id)).toMatchObject({ code: 0, err: expect.stringContaining(inLog) })
  expect((await leads(['doctor'], store)).out).toMatch(
    /^warning +Store +People were erased\. The old data is still in/m,
  )
  backup.close()
  expect((await leads(['doctor'], store)).out).not.toContain('People were erased')
  await server.close()
})
