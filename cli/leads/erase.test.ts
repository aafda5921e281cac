/** How the operator picks a person and confirms. server/store tests what an erasure leaves. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

const SURE = ['--yes', '--before-five-years'] as const
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

const erasedIds = () => rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`).map(({ id }) => id)

test('lists data already sent, for the receiver to delete', async () => {
  const [id = ''] = insertLeads(store.file, [{ ...zelda, delivery: 'delivered' }, {}])
  const { code, out, err } = await leads(['erase', '--id', id, ...SURE], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(
    '1 lead erased.\nAlready sent to the webhook. Delete this person’s data from your CRM, too:\n' +
      `  ${id}: delivered 2030-01-15 12:00:00 UTC\n`,
  )
  expect(erasedIds()).toEqual([id])
  expect((await leads(['show', id], store)).out).toMatch(/Contact\n {2}erased\n/)
})

describe('finds all of the person’s leads', () => {
  test.each([
    ['--email', 'zelda.q@EXAMPLE.net'],
    ['--email', ' ZELDA.Q@example.net '],
    ['--phone', '+1 555 987.6543'],
    ['--id', ''],
  ])('%s %s', async (option, value) => {
    const [, repeat = ''] = insertLeads(store.file, [zelda, { ...zelda, state: 'repeat', delivery: null }, {}])
    expect((await leads(['erase', option, value || repeat, ...SURE], store)).err).toContain('2 leads erased.')
    expect(erasedIds()).toHaveLength(2)
    expect(await leads(['erase', option, value || repeat, ...SURE], store)).toEqual({
      code: 1,
      out: '',
      err: 'No leads found for this person.\n',
    })
  })
})

describe('the contact can stay off the command line', () => {
  beforeEach(() => void insertLeads(store.file, [zelda, {}]))

  test.each([
    [['--email', '-'], 'zelda.q@example.net\nyes\n', 'Email address: '],
    [['--phone', '-'], '555 987 6543\nyes\n', 'Phone number: '],
    [[], 'zelda.q@example.net\nyes\n', 'Email address or phone number: '],
    [[], '(555) 987-6543\nyes\n', 'Email address or phone number: '],
    [['--email', '-', ...SURE], 'zelda.q@example.net\n', 'Email address: '],
  ])('%j asks for it on a terminal: %j', async (options, types, question) => {
    const { code, err } = await leads(['erase', ...options], { ...store, types })
    expect(err.startsWith(question)).toBe(true)
    expect(code).toBe(0)
    expect(erasedIds()).toHaveLength(1)
  })

  test('a dash reads it from standard input', async () => {
    expect((await leads(['erase', '--email', '-', ...SURE], { ...store, reads: `${zelda.email}\n` })).code).toBe(0)
    expect(erasedIds()).toHaveLength(1)
  })

  test('no answer, or an invalid one, is a usage error and isn’t echoed', async () => {
    for (const types of ['', '\n', 'zelda\n']) {
      for (const options of [[], ['--email', '-'], ['--phone', '-']]) {
        const { code, err } = await leads(['erase', ...options], { ...store, types })
        expect(code).toBe(2)
        expect(err).not.toContain('zelda')
      }
    }
    expect(erasedIds()).toEqual([])
  })
})

test('names the leads before it asks: name, time, and delivery', async () => {
  insertLeads(store.file, [
    { ...zelda, receivedAt: someLead.receivedAt - 1000, delivery: 'delivered' },
    { ...zelda, delivery: 'dead' },
    { ...zelda, receivedAt: someLead.receivedAt + 1000, state: 'held', delivery: null },
  ])
  const { code, err } = await leads(['erase', '--email', zelda.email], { ...store, types: 'no\n' })
  expect(code).toBe(1)
  expect(err.split('\n').slice(0, 3)).toEqual([
    '  Zeldamarie Quackenbush, received 2030-01-15 11:59:59 UTC, delivered',
    '  Zeldamarie Quackenbush, received 2030-01-15 12:00:00 UTC, delivery failed',
    '  Zeldamarie Quackenbush, received 2030-01-15 12:00:01 UTC, on hold',
  ])
  expect(err).toContain('Permanently erase 3 leads? Type yes to continue: ')
  expect((await leads(['erase', '--email', zelda.email], store)).code).toBe(2)
  expect(erasedIds()).toEqual([])
})

test('lists other leads with the same email or phone, and keeps them', async () => {
  const [id = '', sameEmail = '', samePhone = ''] = insertLeads(store.file, [
    zelda,
    { ...zelda, firstName: 'Yolanda', phone: '(555) 987-0000' },
    { ...zelda, firstName: 'Xavier', email: 'xavier@example.net' },
    {},
  ])
  const asked = await leads(['erase', '--email', zelda.email], { ...store, types: 'no\n' })
  expect(asked.err).toMatch(
    /1 other lead has the same email or phone number and won’t be erased:\n {2}Xavier Quackenbush/,
  )
  const { err } = await leads(['erase', '--id', id, ...SURE], store)
  expect(err).toContain(
    `2 other leads have the same email or phone number and won’t be erased: ${sameEmail}, ${samePhone}`,
  )
  expect(err).not.toMatch(/Yolanda|Xavier/)
  expect(erasedIds()).toEqual([id])
})

test('before five years it explains the legal requirement, and a script must also confirm that', async () => {
  const law = 'The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep consent records for five years.'
  insertLeads(store.file, [zelda, { ...zelda, receivedAt: someLead.receivedAt - sixYears }])
  const argv = ['erase', '--email', zelda.email]
  expect((await leads(argv, { ...store, types: 'no\n' })).err).toContain(
    `${law} 1 of these leads is less than five years old.`,
  )
  expect(await leads([...argv, '--yes'], store)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nothing was erased. To erase them anyway, add --before-five-years.'),
  })
  expect(erasedIds()).toEqual([])
  expect((await leads([...argv, '--yes'], { ...store, now: someLead.receivedAt + sixYears })).code).toBe(0)
})

describe('none of the person’s data stays readable in the store’s files', () => {
  const traces = [...Object.values(zelda).filter(value => typeof value === 'string'), 'for-zelda']
  const readable = () => {
    const files = readdirSync(store.dataDir).map(name => readFileSync(join(store.dataDir, name)))
    return traces.filter(trace => files.some(file => file.includes(trace)))
  }

  test('while a server has the store open and keeps a log', async () => {
    const server = openSqliteStore(store.file)
    insertLeads(
      store.file,
      Array.from({ length: 300 }, (_, index) => ({ email: `p${index}@example.org` })),
    )
    insertLeads(store.file, [zelda])
    expect(readable()).toEqual(traces)
    expect((await leads(['erase', '--email', zelda.email, ...SURE], store)).code).toBe(0)
    expect(readable()).toEqual([])
    await server.close()
    expect(readable()).toEqual([])
  })

  test('while another program reads, as soon as the next erasure finds no reader', async () => {
    const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
    const reader = new DatabaseSync(store.file)
    reader.exec('BEGIN; SELECT COUNT(*) FROM leads')
    reader.prepare('SELECT COUNT(*) FROM leads').get()
    expect(await leads(['erase', '--id', id, ...SURE], store)).toMatchObject({ code: 0 })
    reader.exec('COMMIT')
    reader.close()
    await leads(['erase', '--id', other, ...SURE], store)
    expect(readable()).toEqual([])
  })
})

describe('the erasure log', () => {
  test('has only the ID and the time, readable only by its owner', async () => {
    const [id = ''] = insertLeads(store.file, [zelda])
    await leads(['erase', '--id', id, ...SURE], store)
    const list = join(store.dataDir, 'erasures.txt')
    expect(readFileSync(list, 'utf8')).toBe(`2030-01-16T12:00:00.000Z erased ${id}\n`)
    expect(statSync(list).mode & 0o777).toBe(0o600)
  })

  test('nothing is erased if it can’t be written', async () => {
    const [id = ''] = insertLeads(store.file, [zelda])
    const env = { ERASURE_LIST: join(store.file, 'erasures.txt') }
    expect(await leads(['erase', '--id', id, ...SURE], { ...store, env })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Nothing was erased, because .*ERASURE_LIST/),
    })
    expect(erasedIds()).toEqual([])
  })
})

describe('the key', () => {
  test('is created at first use, readable only by its owner, and kept', async () => {
    const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
    const options = { ...store, env: { ERASURE_KEY: '' } }
    expect(await leads(['erase', '--id', id, ...SURE], options)).toMatchObject({ code: 0 })
    const file = join(store.dataDir, 'erasure.key')
    const key = readFileSync(file, 'utf8')
    expect(key).toMatch(/^[\w-]{43}\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await leads(['erase', '--id', other, ...SURE], options)).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(key)
  })

  test.each([
    ['', 'have the store’s key'],
    ['x'.repeat(40), 'is not the store’s key'],
  ])('%j is refused if the store has another one, and nothing is erased', async (ERASURE_KEY, why) => {
    const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
    await leads(['erase', '--id', id, ...SURE], store)
    const options = { ...store, env: { ERASURE_KEY } }
    expect(await leads(['erase', '--id', other, ...SURE], options)).toMatchObject({
      code: 1,
      err: expect.stringContaining(why),
    })
    expect(existsSync(join(store.dataDir, 'erasure.key'))).toBe(false)
    expect((await leads(['doctor'], options)).out).toMatch(/error +Key +/)
    expect(await leads(['restore'], store)).toMatchObject({ code: 0 })
    expect(erasedIds()).toEqual([id])
  })

  test('--new-key replaces a lost key', async () => {
    const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
    await leads(['erase', '--id', id, ...SURE], store)
    const options = { ...store, env: { ERASURE_KEY: 'x'.repeat(40) } }
    expect(await leads(['erase', '--id', other, ...SURE, '--new-key'], options)).toMatchObject({ code: 0 })
  })
})
