import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../domain/calling/hours.ts'
import { contactFields } from '../../domain/contact/contact-fields.ts'
import { DAY } from '../../domain/durations.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { words } from '../../site-folder/site.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { saying } from '../../tests/support/lead-store.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const { consent } = words.en

const store = storePerTest()

/** Exports CSV. Returns the header, the lines, and a function that gets a column's cells. */
async function csv(env = {}) {
  const { out } = await leads(['export'], { ...store, env })
  const [head = [], ...lines] = out
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','))
  return { head, lines, cells: (column: string) => lines.map(line => line[head.indexOf(column)]) }
}

async function jsonLines(env = {}) {
  const { out } = await leads(['export', '--format', 'jsonl'], { ...store, env })
  expect(out.endsWith('}\n')).toBe(true)
  return out
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

test('CSV has a byte order mark, a header, and one line per lead, oldest first', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 2100 }, (_, index) => ({ receivedAt: someLead.receivedAt + index })),
  )
  const { code, out, err } = await leads(['export'], store)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^\ufeffid,receivedAt,state,.*,delivery,deliveryAttempts,deliveryFinishedAt,doNotCall,language,consent,consentTakenBy,consentLimits,corrections,changes,clientOn,callOutcome,campaign\.utm_source,/,
  )
  const { head, lines, cells } = await csv()
  expect(head).toEqual(expect.arrayContaining([...contactFields]))
  expect(cells('id')).toEqual(ids)
  expect(new Set(lines.map(line => line.length))).toEqual(new Set([head.length]))
})

test('leads that arrived while the clock was ahead are exported, too', async () => {
  const ids = insertLeads(store.file, [{}, { receivedAt: NOW + 3_600_000 }])
  expect((await csv()).cells('id')).toEqual(ids)
})

test('CSV ends with a column for each standard campaign parameter and each one in the settings', async () => {
  const campaign = { gclid: 'abc', 'sub-id': '=7', utm_other: 'y', campaign: 'spring' }
  insertLeads(store.file, [{ campaign }, { campaign: {} }])
  const { head, cells } = await csv({ CAMPAIGN_PARAMETERS: 'sub-id gclid constructor' })
  const names =
    'utm_source utm_medium utm_campaign utm_term utm_content gclid gbraid wbraid dclid fbclid msclkid ttclid ref source ' +
    'campaign sub-id constructor'
  expect(head.slice(head.indexOf('callOutcome') + 1)).toEqual(names.split(' ').map(name => `campaign.${name}`))
  expect(cells('campaign')).toEqual(['gclid=abc&sub-id=%3D7&utm_other=y&campaign=spring', ''])
  const expected = { gclid: 'abc', campaign: 'spring', 'sub-id': "'=7", constructor: '' }
  for (const [name, value] of Object.entries(expected)) expect(cells(`campaign.${name}`)).toEqual([value, ''])
})

test('both formats have the lead, its certificate, and its delivery; CSV times are in the operator’s time zone', async () => {
  const certificate = { certificateOther: 'https://cert.trustedform.com/new', trustedForm: 'off' } as const
  const [id] = insertLeads(store.file, [{ firstName: '=1+1', delivery: 'dead', ...certificate }])
  const env = { TIME_ZONE: 'America/New_York' }
  expect(await jsonLines(env)).toMatchObject([
    {
      id,
      receivedAt: '2030-01-15T12:00:00.000Z',
      delivery: { state: 'failed' },
      contact: { firstName: '=1+1', email: someLead.email },
      certificate: { url: 'https://cert.trustedform.com/new', formKnown: false, trustedForm: 'off' },
    },
  ])
  const { cells } = await csv(env)
  for (const [column, value] of Object.entries({
    id,
    doNotCall: 'false',
    firstName: "'=1+1",
    receivedAt: '2030-01-15T07:00:00.000-05:00',
    delivery: 'failed',
    deliveryFinishedAt: '2030-01-15T07:00:00.300-05:00',
    certificateUrl: 'https://cert.trustedform.com/new',
    certificateFormKnown: 'false',
    trustedForm: 'off',
  })) {
    expect(cells(column), column).toEqual([value])
  }
  await leads(['do-not-call', '--phone', someLead.phone], store)
  expect((await csv()).cells('doNotCall')).toEqual(['true'])
})

test('only its owner can read the file, and an existing file isn’t overwritten', async () => {
  insertLeads(store.file, [{}])
  const file = join(store.dataDir, 'leads.csv')
  const exportTo = (path: string) => leads(['export', '--out', path], store)
  expect(await exportTo(file)).toEqual({ code: 0, out: '', err: `1 lead exported to ${file}.\n` })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain(someLead.email)
  expect(existsSync(`${file}.part`)).toBe(false)
  writeFileSync(file, 'precious')
  const err = `${file} already exists. Remove it or choose another name.\n`
  expect(await exportTo(file)).toEqual({ code: 1, out: '', err })
  expect(readFileSync(file, 'utf8')).toBe('precious')
  const nowhere = join(store.dataDir, 'no/leads.csv')
  expect((await exportTo(nowhere)).err).toBe(`Can’t write ${nowhere}: there is no such folder.\n`)
})

test('--what calls exports calls without contact details', async () => {
  const phone = '(808) 555-0101'
  const [id = ''] = insertLeads(store.file, [{ phone }])
  const opened = openSqliteStore(store.file, { access: 'write', now: () => NOW - 3_600_000 })
  const person = { id: 'p1', name: 'Maria' }
  await opened.startCall({ leadId: id, person, hours: DEFAULT_CALLING_HOURS, overrideReason: 'Ada asked for it' })
  const call = { leadId: id, person, hours: DEFAULT_CALLING_HOURS, callbackAt: null, note: null }
  await opened.saveCall({ ...call, ...saying(call.leadId, 'no answer') })
  await opened.close()
  const env = { TIME_ZONE: 'America/New_York' }
  const { out, err } = await leads(['export', '--what', 'calls'], { ...store, env })
  expect(err).toBe('')
  const [head, line] = out.replace('\ufeff', '').split('\r\n')
  expect(head).toBe('id,leadId,startedAt,localTime,savedAt,by,outcome,callbackAt,overridden,corrects,direction')
  const at = '2030-01-16T06:00:00.000-05:00'
  expect(line?.split(',').slice(1).join()).toBe(`${id},${at},"1:00 AM, Hawaii",${at},Maria,no answer,,true,,outgoing`)
  expect(out).not.toMatch(/555\D*0101|Ada|Lovelace/)
  const { out: json } = await leads(['export', '--what', 'calls', '--format', 'jsonl', '--since', '2h'], store)
  expect(JSON.parse(json)).toMatchObject({ leadId: id, outcome: 'no answer', overridden: true })
  expect((await leads(['export', '--what', 'calls', '--since', '30m', '--format', 'jsonl'], store)).out).toBe('')
  const refused = await leads(['export', '--what', 'calls', '--phone', phone], store)
  expect(refused.err).toContain('--phone selects leads. With --what calls, use --since and --until.')
  const { out: details } = await leads(['export', '--format', 'jsonl', '--id', id.slice(0, 13)], store)
  const calls = [
    { outcome: 'no answer', by: 'Maria', localTime: '1:00 AM, Hawaii', overrideReason: 'Ada asked for it' },
  ]
  expect(JSON.parse(details)).toMatchObject({ id, calls })
})

test('JSON lines have everything we know about a lead', async () => {
  const certificateId = 'a'.repeat(40)
  const questionnaire = JSON.stringify({
    questions: [{ id: 'a', question: 'Are you out of work?', answer: 'yes' }],
    yes: 'Yes',
    no: 'Nope',
  })
  const earlier = { receivedAt: someLead.receivedAt - DAY }
  const [first] = insertLeads(store.file, [earlier, { delivery: 'dead', certificateId, questionnaire }])
  await leads(['do-not-call', '--phone', someLead.phone, '--by', 'Maria'], store)
  const [, lead] = await jsonLines()
  const { firstName, lastName, dateOfBirth, email, phone } = someLead
  expect(lead).toMatchObject({
    contact: { firstName, lastName, dateOfBirth, email, phone, phoneE164: expect.stringMatching(/^\+1\d{10}$/) },
    page: someLead.page,
    campaign: someLead.campaign,
    consent: { kind: 'written', ipAddress: someLead.clientAddress, userAgent: someLead.userAgent },
    certificate: { url: `https://cert.trustedform.com/${certificateId}`, formKnown: true },
    questionnaire: { questions: [{ question: 'Are you out of work?', answer: 'yes' }] },
    delivery: { state: 'stopped' },
    doNotCall: true,
    corrections: [],
    calls: [],
    otherLeadsOfThePerson: [first],
  })
  expect(lead.consent).toMatchObject({ text: consent.text, button: consent.button })
  expect(lead.history).toContainEqual({ at: expect.stringMatching(/Z$/), event: 'received', detail: expect.anything() })
  expect(lead.deliveryAttempts.length).toBeGreaterThan(0)
})

test('--state, --delivery, --page, --campaign, --since, and --until select leads', async () => {
  const at = (receivedAt: number) => ({ receivedAt })
  const ids = insertLeads(store.file, [
    { ...at(NOW - 3 * DAY), delivery: 'dead' },
    { ...at(NOW - 2 * DAY), state: 'held', heldReason: 'many from one address', delivery: null },
    { ...at(NOW - 1000), page: '/advertorial', campaign: { utm_source: 'tv' } },
  ])
  for (const [argv, expected] of [
    [['--delivery', 'failed'], [0]],
    [['--delivery', 'none'], [1]],
    [['--state', 'held'], [1]],
    [['--page', '/advertorial'], [2]],
    [['--campaign', 'utm_source=tv'], [2]],
    [
      ['--since', '60h'],
      [1, 2],
    ],
    [['--since', '60h', '--until', '1d'], [1]],
    [['--since', '60h', '--page', '/'], [1]],
  ] as const) {
    const { out } = await leads(['export', ...argv], store)
    const found = ids.flatMap((id, index) => (out.includes(id) ? index : []))
    expect([argv, found]).toEqual([argv, expected])
  }
})

test('--email and --phone find all leads of a person, also erased ones if the key is known', async () => {
  const [one = '', two = '', other = ''] = insertLeads(store.file, [{}, {}, { email: 'eve@example.org' }])
  const find = (argv: readonly string[], options = {}) =>
    leads(['export', '--format', 'jsonl', ...argv], { ...store, ...options })
  const idsIn = (out: string) => [one, two, other].filter(id => out.includes(`"id":"${id}"`))
  expect(idsIn((await find(['--email', '-'], { piped: `${someLead.email.toUpperCase()}\n` })).out)).toEqual([one, two])
  await leads(['erase', '--email', someLead.email, '--yes', '--under-five-years'], store)
  const { out, err } = await find(['--email', someLead.email])
  expect([idsIn(out), err]).toEqual([[one, two], ''])
  expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject({ contact: null, consent: { text: consent.text } })
  expect(idsIn((await find(['--phone', someLead.phone])).out)).toEqual([one, two, other])
  const withOtherKey = await find(['--email', someLead.email], { env: { ERASURE_KEY: 'x'.repeat(40) } })
  expect(withOtherKey).toMatchObject({ code: 1, out: '' })
  expect(withOtherKey.err).toContain('2 erased leads couldn’t be checked')
})
