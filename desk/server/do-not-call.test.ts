import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR } from '../../domain/durations.ts'
import { asOneRequest } from '../../server/store/facts/do-not-call/stops.ts'
import { logChanges } from '../../server/store/upkeep/change-log.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest, refusalOf } from '../../tests/support/desk-harness.ts'
import { contactOf, ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { dead, deliverAll } from '../../tests/support/store-engines.ts'

const harness = deskPerTest()
const post = <T>(path: string, body: object, client = harness.maria) => bodyOf<T>(client.fetch(path, { body }))
interface Listed {
  readonly total: number
  readonly requests: readonly {
    readonly how: string
    readonly isOwn: boolean
    readonly entries: readonly { readonly shown: string }[]
  }[]
}
const list = (filter: object) => post<Listed>('/api/do-not-call/search', { search: '', ...filter })
/** Each request's entries. */
const found = async (search: string) =>
  (await list({ search })).requests.map(({ entries }) => entries.map(({ shown }) => shown).join(' and '))

test('lists and searches entries, and adds a phone number or an email that has no lead', async () => {
  const joe = await harness.desk.signedIn('Joe', 'agent')
  // An address that someone gave isn't in the answer: it's taken back by the request's ID.
  const added = { requestId: expect.any(String), notice: null }
  expect(await post('/api/do-not-call', { contact: '917-555-0199' }, joe)).toEqual(added)
  expect(await post('/api/do-not-call', { contact: ' Bob_1@Example.org ' })).toEqual(added)
  expect(await post('/api/do-not-call', { contact: '+1 (917) 555-0199' })).toEqual({ requestId: null, notice: null })
  expect(await found('')).toEqual(['bob_1@example.org', '(917) 555-0199'])
  expect(await found('(917) 555')).toEqual(['(917) 555-0199'])
  expect(await found('+1 917 555')).toEqual(['(917) 555-0199'])
  expect(await found('+91 75550199')).toEqual([])
  expect(await found('BOB_')).toEqual(['bob_1@example.org'])
  expect(await found('bobx')).toEqual([])
  for (const contact of ['', '917', 'Zelda', '+91 7555 0199', '+47 22 12 34 56']) {
    expect((await harness.maria.fetch('/api/do-not-call', { body: { contact } })).status).toBe(400)
  }
})

test('nothing that someone sends becomes a line of ERASURE_LIST, or part of one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forged-'))
  const list = join(folder, 'erasures.txt')
  const desk = createTestDesk(harness.store)
  const [joe, ann] = [await desk.signedIn('Joe', 'agent'), await desk.signedIn('Ann')]
  const [erased, leadId] = [await harness.capture('ada'), await harness.capture('bob')]
  await harness.store.erase({ ids: [erased], key: ERASURE_KEY, by: 'Maria' })
  const seen = { state: 'erased', doNotCall: { email: false, phone: false } }
  for (const line of [leadId, 'may-be-called 2125550177', `dismissed ${leadId}`]) {
    const forged = `x@y.z\n2031-01-31T00:00:00.000Z ${line}`
    const doNotCall = { action: 'do not call', seen, contacts: ['email'], shown: { phone: '', email: forged } }
    const requests = [
      joe.fetch(`/api/leads/${erased}/actions`, { body: doNotCall }),
      joe.fetch('/api/do-not-call', { body: { contact: forged } }),
      ann.fetch('/api/do-not-call/remove', { body: { entries: [forged], request } }),
    ]
    for (const refused of requests) expect((await refused).status).toBe(400)
  }
  const log = () => logChanges(harness.store, list)
  await log()
  expect(readFileSync(list, 'utf8')).toMatch(/^\S+ erased \S+\n$/)
  const shown = { phone: '(212) 555-0177', email: 'Ada@example.org' }
  const body = { action: 'do not call', seen, contacts: ['phone', 'email'], shown }
  expect((await joe.fetch(`/api/leads/${erased}/actions`, { body })).status).toBe(200)
  await log()
  const logged = readFileSync(list, 'utf8').split('\n').slice(1).toSorted()
  expect(logged).toEqual([
    '',
    expect.stringMatching(/ do-not-call 2125550177$/),
    expect.stringMatching(/ ada@example.org$/),
  ])
  rmSync(folder, { recursive: true })
})

test.each([
  ['query', 'to tell', 'editor', 'Stop calls there'],
  ['query', 'to tell', 'agent', 'Your manager will tell the CRM.'],
  ['json', 'told', 'editor', 'will be told'],
  ['json', 'told', 'agent', null],
] as const)(
  'says if the CRM has the person’s lead, and whether a webhook in the %s format can tell it: %s, for an %s',
  async (format, crm, role, notice) => {
    const leadId = await harness.capture('ada')
    await deliverAll(harness.store)
    const env = { LEAD_WEBHOOK_URL: 'https://crm.example', LEAD_WEBHOOK_FORMAT: format }
    const joe = await createTestDesk(harness.store, { env }).signedIn('Joe', role)
    expect(await post('/api/do-not-call', { contact: 'ada@example.org' }, joe)).toMatchObject({
      notice: notice === null ? null : expect.stringContaining(notice),
    })
    const page = () => bodyOf(joe.fetch(`/api/leads/${leadId}`))
    expect(await page()).toMatchObject({ stopInCrm: crm === 'told' ? 'being told' : 'to tell' })
    const [stop] = await harness.store.lease({ lane: 'stops', limit: 1, leaseMs: HOUR })
    await harness.store.settle({ id: '', leaseToken: '', ...stop, durationMs: 5, status: 204, result: 'delivered' })
    expect(await page()).toMatchObject({ stopInCrm: 'told' })
  },
)

test('says that the CRM may have a lead if no delivery was confirmed, and has it if one was', async () => {
  const adasId = await harness.capture('ada')
  await deliverAll(harness.store, dead)
  const bobsId = await harness.capture('bob', { contact: { ...contactOf('bob'), phone: '(917) 555-0199' } })
  await deliverAll(harness.store)
  const stop = (email: string) => post<{ notice: string }>('/api/do-not-call', { contact: email })
  const page = (id: string) => bodyOf(harness.maria.fetch(`/api/leads/${id}`))
  expect((await stop('ada@example.org')).notice).toMatch(/^Your CRM may have this person’s lead/)
  expect(await page(adasId)).toMatchObject({ sentToCrm: 'maybe' })
  expect((await stop('bob@example.org')).notice).toMatch(/^Your CRM has this person’s lead/)
  expect(await page(bobsId)).toMatchObject({ sentToCrm: 'yes' })
})

test('a letter has a date, which the list, the lead’s history, and its contact record show', async () => {
  const leadId = await harness.capture('ada', { contact: { ...contactOf('ada'), phone: '(917) 555-0199' } })
  const add = (asked: object) => harness.maria.fetch('/api/do-not-call', { body: { contact: '917-555-0199', asked } })
  expect((await add({ source: 'letter' })).status).toBe(400)
  expect((await add({ source: 'letter', askedOn: '2030-01-30' })).status).toBe(200)
  const { timeline } = await bodyOf<{ timeline: { event: object }[] }>(harness.maria.fetch(`/api/leads/${leadId}`))
  const added = { kind: 'suppressed', by: 'Maria Lopez', source: 'letter', askedOn: '2030-01-30' }
  expect(timeline.map(({ event }) => event)).toContainEqual(expect.objectContaining(added))
  const record = await (await harness.maria.fetch(`/api/leads/${leadId}/record`)).text()
  expect(record).toContain('By letter of Jan 30, 2030')
})

test('one request is one row, with all that the person gave, found by their name', async () => {
  const phone = '(917) 555-0199'
  const lopez = { ...contactOf('ada'), firstName: 'Zoë', lastName: 'López', phone }
  const leadId = await harness.capture('ada', { contact: lopez })
  await harness.capture('bob')
  await harness.store.indexLeads({ limit: 9 })
  const asked = { source: 'call' }
  const seen = { state: 'accepted', doNotCall: { email: false, phone: false } }
  const stop = { action: 'do not call', seen, contacts: ['phone', 'email'], asked }
  const { requestId } = await post<{ requestId: string }>(`/api/leads/${leadId}/actions`, stop)
  const row = ['(917) 555-0199 and ada@example.org']
  for (const search of ['', 'zoe lopez', 'ada@', '555-0199']) expect(await found(search)).toEqual(row)
  expect(await found('bob')).toEqual([])
  expect(await list({})).toMatchObject({ total: 1, requests: [{ how: 'On a call', people: [{ leadId }] }] })
  await post('/api/do-not-call/undo', { requestId })
  expect(await list({})).toMatchObject({ total: 0, requests: [] })
  // A number stops only itself: an address with it may be someone else's.
  await post('/api/do-not-call', { contact: phone, asked })
  expect(await found('')).toEqual([phone])
  await post(`/api/leads/${leadId}/actions`, {
    action: 'do not call',
    seen: { state: 'accepted', doNotCall: { email: false, phone: true } },
    contacts: ['email'],
    asked: { source: 'email', askedOn: '2030-02-01' },
  })
  expect(await found('')).toEqual(['ada@example.org', '(917) 555-0199'])
  expect(await list({ search: 'ada' })).toMatchObject({ total: 2, requests: [{ how: 'By email of Feb 1, 2030' }, {}] })
})

const asked = { askedBy: 'person', askedOn: '2030-01-31' } as const
const request = asked

test('an editor removes an entry, saying who asked and when; others are told', async () => {
  const leadId = await harness.capture('ada', { contact: { ...contactOf('ada'), phone: '(917) 555-0199' } })
  await post('/api/do-not-call', { contact: '917-555-0199' })
  const people = [{ leadId, firstName: 'ada' }]
  const entries = [{ entry: '9175550199', shown: '(917) 555-0199' }]
  expect((await list({})).requests).toMatchObject([{ entries, by: 'Maria Lopez', people }])
  const remove = (body: object) => harness.maria.fetch('/api/do-not-call/remove', { body })
  const entered = ['9175550199']
  expect((await remove({ entries: entered })).status).toBe(400)
  expect(await found('')).toHaveLength(1)
  const before = (await list({})).requests
  expect((await remove({ entries: entered, request })).status).toBe(200)
  expect(await found('')).toEqual([])
  const restore = { entries: entered }
  await post('/api/do-not-call/restore', restore)
  expect((await list({})).requests).toEqual(before)
  expect((await harness.maria.fetch('/api/do-not-call/restore', { body: restore })).status).toBe(409)
  expect((await remove({ entries: entered, request })).status).toBe(200)
  const again = await refusalOf(remove({ entries: ['9175550199'], request }))
  expect(again).toEqual([409, expect.stringContaining('no longer on the list')])
  const [removed] = await harness.rows(
    `SELECT done_by, asked_by, asked_on FROM do_not_call_history WHERE event = 'removed'`,
  )
  expect(removed).toMatchObject({ done_by: 'Maria Lopez', asked_by: 'person', asked_on: '2030-01-31' })
})

test('Undo takes back one’s own entry, never a colleague’s', async () => {
  const joe = await harness.desk.signedIn('Joe', 'agent')
  const stop = { contact: '917-555-0199' }
  const { requestId } = await post<{ requestId: string }>('/api/do-not-call', stop, joe)
  const refusal = await refusalOf(harness.maria.fetch('/api/do-not-call/undo', { body: { requestId } }))
  expect(refusal).toEqual([409, expect.stringMatching(/^Joe added this person/)])
  expect(await found('')).toEqual(['(917) 555-0199'])
  await post('/api/do-not-call/undo', { requestId }, joe)
  expect(await found('')).toEqual([])
})

test('an editor takes back what came in from the website, with a reason; people with a lead stay', async () => {
  const { id } = (await harness.store.find(await harness.capture('ada'))) ?? { id: '' }
  const ada = (await harness.store.find(id))?.phone ?? ''
  const contacts = Array.from({ length: 60 }, (_, index) => ({ phone: `212555${1000 + index}` }))
  await harness.store.addToDoNotCall({ contacts: [...contacts, { phone: ada }], by: 'website', source: 'web' })
  await post('/api/do-not-call', { contact: '917-555-0199', asked: { source: 'letter', askedOn: '2030-01-30' } })
  expect(await list({})).toMatchObject({ total: 62 })
  expect((await list({ source: 'letter' })).requests).toMatchObject([
    { entries: [{ entry: '9175550199' }], how: 'By letter of Jan 30, 2030' },
  ])
  expect(await list({ source: 'web', since: '2100-01-01' })).toMatchObject({ total: 0, requests: [] })
  const { requests } = await list({ source: 'web' })
  expect(requests.filter(({ isOwn }) => isOwn)).toHaveLength(1)
  const file = await (await harness.maria.fetch('/api/do-not-call/export?source=letter&since=2020-01-01')).text()
  const [, line, end] = file.split('\r\n')
  expect([line, end]).toEqual([
    expect.stringMatching(/^1,9175550199,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,"By letter of Jan 30, 2030",Maria Lopez$/),
    '',
  ])
  expect(await harness.store.recentExports(1)).toMatchObject([{ by: 'Maria Lopez', leads: 1 }])
  const takeBack = (chosen: object, reason = 'A flood') =>
    harness.maria.fetch('/api/do-not-call/take-back', { body: { chosen, also: [ada.replaceAll(/\D/g, '')], reason } })
  const selected = { requests: ['2125551000'] }
  expect((await takeBack(selected, ' ')).status).toBe(400)
  expect((await takeBack({ search: '' })).status).toBe(400)
  expect(await bodyOf(takeBack(selected))).toEqual({ removed: 1, restored: 0, notice: null })
  const work = { person: null, since: '2020-01-01T00:00' }
  const preview = await post<Preview>('/api/do-not-call/take-back/preview', work)
  expect(preview).toMatchObject({ going: 59, restored: 0, more: 0 })
  expect(preview.staying).toMatchObject([{ entries: [ada], how: 'From the website', why: 'has a lead' }])
  // What comes in after the preview wasn't on it, and nobody with a lead goes without a word from them.
  await harness.store.addToDoNotCall({ contacts: [{ phone: '2125551999' }], by: 'website', source: 'web' })
  await harness.change(`UPDATE do_not_call_history SET at = ${preview.until} WHERE contact = '2125551999'`)
  expect(await bodyOf(takeBack({ ...work, until: preview.until }))).toMatchObject({ removed: 59 })
  expect((await list({})).requests).toHaveLength(3)
  const phone = { phone: '2125559999' }
  await harness.store.addToDoNotCall({
    contacts: asOneRequest([phone, { email: 'x@example.org' }]).contacts,
    by: 'CRM',
    source: 'crm',
  })
  const both = await (await harness.maria.fetch('/api/do-not-call/export?source=crm')).text()
  expect(both).toMatch(/^\ufeff?Request,Entry.*\r\n1,.*\r\n1,.*\r\n$/)
  expect(await harness.store.recentExports(1)).toMatchObject([{ leads: 1 }])
})

interface Preview {
  readonly until: number
  readonly staying: readonly { readonly id: string }[]
}

test('an editor takes back one colleague’s work: removals come back, and stops go, as previewed', async () => {
  const joe = await harness.desk.signedIn('Joe', 'agent')
  const leadId = await harness.capture('ada')
  const [listed, number] = ['9175550199', '5552100199']
  await harness.store.addToDoNotCall({ contacts: [{ phone: listed }], by: 'website', source: 'web' })
  await harness.store.removeCaller({ phone: listed, by: 'Joe', request: asked, most: 5, since: 0 })
  await post('/api/do-not-call', { contact: number }, joe)
  await post('/api/do-not-call', { contact: '2125550177' }, joe)
  await harness.store.addToDoNotCall({ contacts: [{ phone: '2125550177' }], by: 'website', source: 'web' })
  expect(await bodyOf(harness.maria.fetch('/api/do-not-call/colleagues'))).toEqual({ names: ['Joe'] })
  const work = { person: 'Joe', since: '2020-01-01T00:00' }
  for (const since of ['2020-01-01', '2020-13-01T00:00', '2020-01-01T25:00']) {
    const wrong = harness.maria.fetch('/api/do-not-call/take-back/preview', { body: { ...work, since } })
    expect((await wrong).status).toBe(400)
  }
  const { until, ...preview } = await post<Preview>('/api/do-not-call/take-back/preview', work)
  const stays = { entries: ['(212) 555-0177'], how: 'Added in the desk', why: 'asked elsewhere' }
  expect(preview).toMatchObject({ going: 1, restored: 1, staying: [stays], more: 0 })
  const order = { chosen: { ...work, until }, also: [], reason: 'Not Joe' }
  expect(await post('/api/do-not-call/take-back', order)).toEqual({ removed: 1, restored: 1, notice: null })
  expect(await found('')).toEqual(expect.arrayContaining(['(917) 555-0199', '(212) 555-0177']))
  expect(await harness.store.leadsOnDoNotCallList([leadId])).toEqual(new Set())
  expect(await list({ source: 'web' })).toMatchObject({ total: 1 })
  const also = preview.staying.map(({ id }) => id)
  expect(await post('/api/do-not-call/take-back', { ...order, also })).toMatchObject({ removed: 1 })
})
