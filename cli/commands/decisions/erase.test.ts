import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { createStore, insertLeads, rowsOf, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads } from '../../../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

/** In which of the store's files a text can still be read. */
function filesWith(text: string): readonly string[] {
  return readdirSync(store.dataDir).filter(name => readFileSync(join(store.dataDir, name)).includes(text))
}

/** For scripts: neither asked, nor told what the law wants. */
const SURE = ['--yes', '--before-five-years'] as const

const zelda = {
  firstName: 'Zeldamarie',
  lastName: 'Quackenbush',
  dateOfBirth: '1961-02-03',
  email: 'Zelda.Q@example.net',
  phone: '(555) 987-6543',
  certificateId: 'f00dfacef00dfacef00dfacef00dfacef00dface',
  userAgent: 'Rarebrowser/77',
  clientAddress: '198.51.100.77',
  campaign: { utm_content: 'for-zelda' },
  page: '/advertorial',
} as const

const traces = [
  ...['Zeldamarie', 'Quackenbush', '1961-02-03', 'Zelda.Q@example.net', '(555) 987-6543'],
  ...['Rarebrowser', '198.51.100.77', 'for-zelda'],
]

test('the data goes, the proof stays', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [{ ...zelda, delivery: 'delivered' }, {}])
  const { code, out, err } = await leads(['erase', '--id', id, ...SURE], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(
    '1 lead erased.\nErase the person also where leads are delivered to. Already sent to the webhook:\n' +
      `  ${id}: delivered 2030-01-15 12:00:00 UTC\n`,
  )
  const [lead] = rowsOf(store.file, 'SELECT * FROM leads WHERE id = ?', id)
  const {
    id: keptId,
    received_at,
    state,
    page,
    campaign,
    campaign_key,
    variant,
    certificate_id,
    consent_version,
    ...rest
  } = lead ?? {}
  expect({ keptId, received_at, state, page, variant, certificate_id, campaign, campaign_key }).toEqual({
    keptId: id,
    received_at: someLead.receivedAt,
    state: 'erased',
    page: '/advertorial',
    certificate_id: zelda.certificateId,
    campaign: '{}',
    campaign_key: '',
    variant: '',
  })
  expect(consent_version).toMatch(/^[0-9a-f]{64}$/)
  expect(Object.values(rest).every(value => value === null)).toBe(true)
  expect(rowsOf(store.file, 'SELECT event FROM history WHERE lead_id = ? ORDER BY at', id)).toEqual([
    { event: 'received' },
    { event: 'erased' },
  ])
  expect(rowsOf(store.file, 'SELECT state FROM deliveries WHERE lead_id = ?', id)).toEqual([{ state: 'delivered' }])
  expect(rowsOf(store.file, 'SELECT email FROM leads WHERE id = ?', other)).toEqual([{ email: someLead.email }])
  const shown = await leads(['show', id], store)
  expect(shown.out).toMatch(/Contact\n {2}erased\n/)
  expect(shown.out).toContain('By pressing')
})

test.each(['pending', 'dead'] as const)('a %s delivery is cancelled', async delivery => {
  const [id = ''] = insertLeads(store.file, [{ ...zelda, delivery }])
  await leads(['erase', '--id', id, ...SURE], store)
  expect(rowsOf(store.file, 'SELECT * FROM deliveries')).toEqual([])
  expect(rowsOf(store.file, `SELECT detail FROM history WHERE event = 'erased'`)).toEqual([
    { detail: expect.stringContaining(`{"cancelledDelivery":"${delivery}","by":`) },
  ])
})

describe('all leads of the person are found', () => {
  test.each([
    ['--email', 'zelda.q@EXAMPLE.net'],
    ['--phone', '555.987.6543'],
    ['--phone', '+1 555 987 6543'],
    ['--email', ' ZELDA.Q@example.net '],
  ])('%s %s', async (option, value) => {
    insertLeads(store.file, [zelda, { ...zelda, state: 'repeat', delivery: null }, {}])
    expect((await leads(['erase', option, value, ...SURE], store)).err).toContain('2 leads erased.')
    expect(rowsOf(store.file, `SELECT COUNT(*) AS n FROM leads WHERE state = 'erased'`)).toEqual([{ n: 2 }])
  })

  test('an address with capitals beyond English ones', async () => {
    insertLeads(store.file, [{ email: 'JOSÉ@example.org' }, { email: 'josé@example.org' }, {}])
    expect((await leads(['erase', '--email', 'JOSÉ@EXAMPLE.org', ...SURE], store)).err).toContain('2 leads erased.')
  })

  test('by the id of any of them', async () => {
    const [, repeat = ''] = insertLeads(store.file, [zelda, { ...zelda, state: 'repeat', delivery: null }, {}])
    expect((await leads(['erase', '--id', repeat, ...SURE], store)).err).toContain('2 leads erased.')
  })

  test('who is not in the store, or no longer, cannot be erased', async () => {
    const [id = ''] = insertLeads(store.file, [zelda])
    const unknown = await leads(['erase', '--email', 'nobody@example.org', ...SURE], store)
    expect({ ...unknown }).toEqual({ code: 1, out: '', err: 'No lead of this person is in the store.\n' })
    await leads(['erase', '--id', id, ...SURE], store)
    expect((await leads(['erase', '--id', id, ...SURE], store)).code).toBe(1)
  })
})

describe('the address or number need not stand in the command line', () => {
  beforeEach(() => void insertLeads(store.file, [zelda, {}]))
  const left = () => rowsOf(store.file, `SELECT email FROM leads WHERE state <> 'erased'`)

  test.each([
    [['--email'], 'zelda.q@example.net\nyes\n', 'E-mail address: '],
    [['--phone'], '555 987 6543\nyes\n', 'Phone number: '],
    [[], 'zelda.q@example.net\nyes\n', 'E-mail address or phone number: '],
    [[], '(555) 987-6543\nyes\n', 'E-mail address or phone number: '],
    [['--email', ...SURE], 'zelda.q@example.net\n', 'E-mail address: '],
  ])('on a terminal it is asked for: %j %j', async (options, types, question) => {
    const { code, err } = await leads(['erase', ...options], { ...store, types })
    expect(err.startsWith(question)).toBe(true)
    expect(code).toBe(0)
    expect(left()).toEqual([{ email: someLead.email }])
  })

  test('from elsewhere it is read', async () => {
    expect((await leads(['erase', '--email', ...SURE], { ...store, reads: `${zelda.email}\n` })).code).toBe(0)
    expect(left()).toEqual([{ email: someLead.email }])
  })

  test('no answer, or one that is neither, is a mistake and is not repeated', async () => {
    for (const types of ['', '\n', 'zelda\n']) {
      for (const options of [[], ['--email'], ['--phone']]) {
        const { code, err } = await leads(['erase', ...options], { ...store, types })
        expect(code).toBe(2)
        expect(err).not.toContain('zelda')
      }
    }
    expect(left()).toHaveLength(2)
  })
})

test('it says who before it asks: names, when, and what was delivered', async () => {
  insertLeads(store.file, [
    { ...zelda, receivedAt: someLead.receivedAt - 1000, delivery: 'delivered' },
    { ...zelda, delivery: 'dead' },
    { ...zelda, receivedAt: someLead.receivedAt + 1000, state: 'held', delivery: null },
  ])
  const { err } = await leads(['erase', '--email', zelda.email], { ...store, types: 'no\n' })
  expect(err.split('\n').slice(0, 3)).toEqual([
    '  Zeldamarie Quackenbush, received 2030-01-15 11:59:59 UTC, delivered',
    '  Zeldamarie Quackenbush, received 2030-01-15 12:00:00 UTC, not delivered (dead)',
    '  Zeldamarie Quackenbush, received 2030-01-15 12:00:01 UTC, held',
  ])
  expect(err).toContain('Erase 3 leads for good?')
})

test('it is asked first, even for one', async () => {
  insertLeads(store.file, [zelda])
  const refused = await leads(['erase', '--email', zelda.email], { ...store, types: 'no\n' })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('Erase 1 lead for good? Type yes to go on: ')
  expect(filesWith(zelda.email)).not.toEqual([])
  expect((await leads(['erase', '--email', zelda.email], store)).code).toBe(2)
  expect((await leads(['erase', '--email', zelda.email], { ...store, types: 'yes\n' })).code).toBe(0)
})

describe('no byte of the person stays readable in the store’s files', () => {
  test('while a server has the store open and keeps a log', async () => {
    const server = openSqliteStore(store.file)
    insertLeads(
      store.file,
      Array.from({ length: 300 }, (_, index) => ({ email: `p${index}@example.org` })),
    )
    insertLeads(store.file, [zelda])
    expect(traces.filter(trace => filesWith(trace).length === 0)).toEqual([])
    expect((await leads(['erase', '--email', zelda.email, ...SURE], store)).code).toBe(0)
    expect(traces.filter(trace => filesWith(trace).length > 0)).toEqual([])
    await server.close()
    expect(traces.filter(trace => filesWith(trace).length > 0)).toEqual([])
  })

  test('while another program reads, as soon as the next erasure finds no reader', async () => {
    const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
    const reader = new DatabaseSync(store.file)
    reader.exec('BEGIN; SELECT COUNT(*) FROM leads')
    reader.prepare('SELECT COUNT(*) FROM leads').get()
    expect(await leads(['erase', '--id', id, ...SURE], store)).toMatchObject({ code: 0 })
    expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`)).toEqual([{ id }])
    reader.exec('COMMIT')
    reader.close()
    await leads(['erase', '--id', other, ...SURE], store)
    expect(traces.filter(trace => filesWith(trace).length > 0)).toEqual([])
  })
})

describe('before five years are over', () => {
  const LAW = 'The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep the record of a consent for five years.'
  const sixYears = 6 * 366 * 86_400_000

  test('it says that the law asks to keep the record, and asks', async () => {
    insertLeads(store.file, [zelda])
    const { code, err } = await leads(['erase', '--email', zelda.email], { ...store, types: 'yes\n' })
    expect(err).toContain(LAW)
    expect(code).toBe(0)
  })

  test('a script must say that it knows; after them it need not', async () => {
    insertLeads(store.file, [zelda, { ...zelda, receivedAt: someLead.receivedAt - sixYears }])
    const refused = await leads(['erase', '--email', zelda.email, '--yes'], store)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('Of 2 leads, 1 is younger') })
    expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`)).toEqual([])
    const later = { ...store, now: someLead.receivedAt + sixYears }
    expect(await leads(['erase', '--email', zelda.email, '--yes'], later)).toMatchObject({ code: 0 })
  })
})

test('the same phone’s and the same address’s other leads are named, and stay', async () => {
  const [id = '', sameEmail = '', samePhone = ''] = insertLeads(store.file, [
    zelda,
    { ...zelda, firstName: 'Yolanda', phone: '(555) 987-0000' },
    { ...zelda, firstName: 'Xavier', email: 'xavier@example.net' },
    {},
  ])
  const asked = await leads(['erase', '--email', zelda.email], { ...store, types: 'no\n' })
  expect(asked.err).toMatch(/1 other lead has the same email or phone, and stay:\n {2}Xavier Quackenbush/)
  const { err } = await leads(['erase', '--id', id, ...SURE], store)
  expect(err).toContain('2 other leads have the same email or phone')
  for (const other of [sameEmail, samePhone]) expect(err).toContain(other)
  expect(err).not.toMatch(/Yolanda|Xavier/)
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`)).toEqual([{ id }])
})

test('the erasure is noted with nothing but id and time, for its owner alone', async () => {
  const [id = ''] = insertLeads(store.file, [zelda])
  await leads(['erase', '--id', id, ...SURE], store)
  const list = join(store.dataDir, 'erasures.txt')
  expect(readFileSync(list, 'utf8')).toBe(`2030-01-16T12:00:00.000Z erased ${id}\n`)
  expect(statSync(list).mode & 0o777).toBe(0o600)
})

test('what cannot be noted is not erased', async () => {
  const [id = ''] = insertLeads(store.file, [zelda])
  const env = { ERASURE_LIST: join(store.file, 'erasures.txt') }
  const { code, err } = await leads(['erase', '--id', id, ...SURE], { ...store, env })
  expect({ code, err }).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Nothing was erased, because .*ERASURE_LIST/),
  })
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`)).toEqual([])
})

test('without ERASURE_KEY, a key is made at first use, for its owner alone, and used from then on', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  const options = { ...store, env: { ERASURE_KEY: '' } }
  expect(await leads(['erase', '--id', id, ...SURE], options)).toMatchObject({ code: 0 })
  const file = join(store.dataDir, 'erasure.key')
  const key = readFileSync(file, 'utf8')
  expect(key).toMatch(/^[\w-]{43}\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await leads(['erase', '--id', other, ...SURE], options)).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe(key)
  expect((await leads(['consent', '--phone', zelda.phone], options)).out).toContain(id)
})

test('a machine without the store’s key makes no other one', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  await leads(['erase', '--id', id, ...SURE], store)
  const options = { ...store, env: { ERASURE_KEY: '' } }
  expect(await leads(['erase', '--id', other, ...SURE], options)).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not have the key that this store is used with'),
  })
  expect(existsSync(join(store.dataDir, 'erasure.key'))).toBe(false)
  expect((await leads(['doctor'], options)).out).toMatch(/fault +Key .*does not have the store's key/)
})

test('an erasure that is refused does not happen later', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  await leads(['erase', '--id', id, ...SURE], store)
  const wrong = { ...store, env: { ERASURE_KEY: 'x'.repeat(40) } }
  expect(await leads(['erase', '--id', other, ...SURE], wrong)).toMatchObject({ code: 1 })
  expect(readFileSync(join(store.dataDir, 'erasures.txt'), 'utf8')).not.toContain(other)
  expect(await leads(['restore'], store)).toMatchObject({ code: 0 })
  expect(rowsOf(store.file, `SELECT id FROM leads WHERE state = 'erased'`)).toEqual([{ id }])
})

test('who erased is in the history: the system user, or the name given', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  await leads(['erase', '--id', id, ...SURE], store)
  await leads(['erase', '--id', other, ...SURE, '--by', 'Maria Lopez'], store)
  const rows = rowsOf(store.file, `SELECT lead_id, detail FROM history WHERE event = 'erased' ORDER BY at`)
  const by = new Map(rows.map(({ lead_id, detail }) => [lead_id, JSON.parse(String(detail)).by]))
  expect([by.get(id), by.get(other)]).toEqual([expect.stringMatching(/.@./), 'Maria Lopez'])
})

test('a key that is not the one of before is refused, until it is said to be lost', async () => {
  const [id = '', other = ''] = insertLeads(store.file, [zelda, {}])
  await leads(['erase', '--id', id, ...SURE], store)
  const options = { ...store, env: { ERASURE_KEY: 'x'.repeat(40) } }
  const refused = await leads(['erase', '--id', other, ...SURE], options)
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not the one that this store is used with'),
  })
  expect(await leads(['erase', '--id', other, ...SURE, '--new-key'], options)).toMatchObject({ code: 0 })
})
