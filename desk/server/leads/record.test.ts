import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCalendar } from '../../../server/calendar.ts'
import { type ConsentRecord, type RecordedPerson, UNSIGNED_FORMAT } from '../../../server/record/consent-record.ts'
import { factsBlock, hashBlock, recordPage } from '../../../server/record/record-page.ts'
import type { Submission } from '../../../server/store/capture.ts'
import { connectStore, openStore } from '../../../server/store/open-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { type DeskUnderTest, deskOver, type Visitor } from '../../../tests/support/desk.ts'
import { ERASURE_KEY, submissionOf } from '../../../tests/support/lead-store.ts'
import { leads } from '../../../tests/support/leads-command.ts'

const CONSENT = { text: 'I agree to be called by <b>Example & Co.</b> "today"', button: 'Yes, call me' }
const QUESTIONS = {
  questions: [{ id: 'work', question: 'Are you out of work?', answer: 'yes' }],
  yes: 'Yes, I am',
  no: 'No',
}

let folder: string
let store: Store
let desk: DeskUnderTest
let looker: Visitor
let submission: Submission
let id: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'record-'))
  const settings = { dataDir: join(folder, 'data'), databaseUrl: null }
  await (await openStore(settings, { onCreated: () => {}, onCrash: () => {} })).close()
  store = await connectStore(settings, { access: 'write' })
  submission = {
    ...submissionOf('Zebulon', await store.saveConsentText(JSON.stringify(CONSENT))),
    questionnaireVersion: await store.saveQuestionnaire(JSON.stringify(QUESTIONS)),
  }
  id = (await store.capture(submission)).id
  desk = deskOver(store)
  looker = await desk.signedIn('Lou Looker', 'viewer')
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const page = async () => (await looker.ask(`/api/leads/${id}/record`)).text()

async function deliver(): Promise<void> {
  const [leased] = await store.lease({ limit: 1, leaseMs: 60_000 })
  if (!leased) throw new Error('nothing is due')
  const { leadId, leaseToken } = leased
  await store.settle({ leadId, leaseToken, durationMs: 5, status: 204, result: 'delivered' })
}

async function verify(html: string) {
  const file = join(folder, 'record.html')
  writeFileSync(file, html)
  return leads(['verify', file], { dataDir: join(folder, 'data') })
}

const visible = (html: string) => html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '')

test('the record has the consent as shown, questions, person, IP address, deliveries, and a hash', async () => {
  await deliver()
  const shown = visible(await page())
  expect(shown).toContain('I agree to be called by &lt;b&gt;Example &amp; Co.&lt;/b&gt; &quot;today&quot;')
  for (const part of ['Yes, call me', 'Are you out of work?', 'Yes, I am', submission.page, id, 'Lou Looker']) {
    expect(shown).toContain(part)
  }
  const { email, phone, dateOfBirth } = submission.contact
  for (const part of [email, phone, dateOfBirth, submission.clientAddress, submission.userAgent])
    expect(shown).toContain(part)
  expect(shown).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d E[DS]T/)
  expect(shown).toContain('<td>204</td>')
  expect(shown).toMatch(/<code id="consent-record-hash">[0-9a-f]{64}<\/code>/)
})

test('it is self-contained: no script runs, nothing is fetched, no one can frame it', async () => {
  const answer = await looker.ask(`/api/leads/${id}/record`)
  const html = await answer.text()
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="consent-record">'])
  expect(html).not.toMatch(/\s(src|href)=/)
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(answer.headers.get('content-disposition')).toBeNull()
  const saved = await looker.ask(`/api/leads/${id}/record?save`)
  expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="consent-record-${id}.html"`)
  expect((await looker.ask('/api/leads/0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d/record')).status).toBe(404)
})

test('opening it is recorded in the lead’s history', async () => {
  await page()
  await page()
  const looks = (await store.find(id))?.history.filter(({ event }) => event === 'looked')
  expect(looks?.map(({ detail }) => JSON.parse(detail))).toEqual([{ by: 'Lou Looker' }])
})

test.each([
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  'x'.repeat(10_000),
  'زينب',
  '🦓🦓',
  '=1+1',
  '<!--<script>',
])('a name of %s is shown as text, and the record stays valid', async name => {
  const contact = { ...submission.contact, lastName: name, email: 'other@example.org', phone: '(555) 555-0199' }
  id = (await store.capture({ ...submission, contact })).id
  const html = await page()
  expect(html.match(/<script[^>]*>/g)).toHaveLength(1)
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  expect(await verify(html)).toMatchObject({ code: 0 })
})

test('verify accepts a genuine record and lists later events', async () => {
  const html = await page()
  expect(await verify(html)).toEqual({
    code: 0,
    out: expect.stringMatching(
      new RegExp(
        `^Hash: [0-9a-f]{64}\nValid signature: created by Lou Looker at .* \\(key [\\w-]{12}\\)\\.\nMatches the store \\(lead ${id}\\)\\.\n$`,
      ),
    ),
    err: '',
  })
  await deliver()
  expect((await verify(html)).out).toContain('Since the record was created: 1 more delivery was attempted.')
})

test.each([
  ['Yes, call me', 'No, never'],
  ['Zebulon', 'Zachary'],
  ['America/New_York', 'America/Chicago'],
])('the hash reveals a changed fact: %s', async (from, to) => {
  const html = await page()
  const block = /(<script type="application\/json"[^>]*>)([\s\S]*)(<\/script>)/
  expect(html.match(block)?.[2]).toContain(from)
  const forged = html.replace(block, (_, before, json, after) => before + json.replaceAll(from, to) + after)
  expect(await verify(forged)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('was changed after it was created'),
  })
})

test.each([
  ['the text', 'call me', 'write to me'],
  ['the person', '<bdi>Zebulon</bdi>', '<bdi>Zachary</bdi>'],
  ['a line more', '</main>', '<p>And I may be called at night.</p></main>'],
  ['the style', 'color: #4a5568;', 'display: none;'],
])('a file must show its own facts: changing %s is detected', async (_, from, to) => {
  const html = await page()
  const [shown = '', facts = ''] = html.split('<script')
  expect(shown).toContain(from)
  expect(await verify(`${shown.replaceAll(from, to)}<script${facts}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Don’t rely on what it shows'),
  })
  expect(await verify(`\uFEFF${html.replaceAll('\n', '\r\n')}`)).toMatchObject({ code: 0 })
})

test('every fact that differs from the store is listed', async () => {
  const html = await page()
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(folder, 'data', 'leads.sqlite'))
  database.exec(`UPDATE leads SET page = '/other', client_address = '203.0.113.99'`)
  database.close()
  expect(await verify(html)).toMatchObject({
    code: 1,
    err: 'Doesn’t match the store: when the lead was received, or on which page; the person, their IP address, or their browser.\n',
  })
})

test('a person who was erased since then is compared by the remaining hashes', async () => {
  const html = await page()
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  const { code, out } = await verify(html)
  expect([code, out]).toEqual([0, expect.stringContaining('email and phone match the stored hashes')])
  const shown = await page()
  expect(shown).not.toContain('Zebulon')
  expect(visible(shown)).toContain('Yes, call me')
  expect(await verify(shown)).toMatchObject({ code: 0 })
})

describe('a forged record is refused', () => {
  /** A forgery without the key: changed facts with a new hash and page. */
  function forge(html: string, change: (record: Changeable) => void, unsigned = false): string {
    const record = JSON.parse(/<script type="application\/json"[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '')
    const [, keyId = '', mac = ''] = /signature">([\w-]{12}):([0-9a-f]{64})/.exec(html) ?? []
    change(record)
    if (unsigned) record.format = UNSIGNED_FORMAT
    return recordPage(record, unsigned ? null : { keyId, mac })
  }
  type Changeable = { -readonly [Fact in keyof ConsentRecord]: ConsentRecord[Fact] } & Record<string, unknown>
  const long = () => new Date(Date.now() - 86_400_000).toISOString()

  test.each<[string, (record: Changeable) => void]>([
    ['another author', record => (record.made = { ...record.made, by: 'Someone' })],
    ['another time', record => (record.made = { ...record.made, at: new Date(Date.now() + 60_000).toISOString() })],
    ['a delivery removed', record => (record.deliveries = [])],
    ['another person', record => (record.person = { ...(record.person as RecordedPerson), lastName: 'Else' })],
    ['one more fact', record => (record['spouse'] = 'agreed as well')],
  ])('%s', async (_, change) => {
    await deliver()
    const html = await page()
    expect(await verify(html)).toMatchObject({ code: 0 })
    expect(await verify(forge(html, change))).toMatchObject({
      code: 1,
      err: expect.stringContaining('The signature is invalid'),
    })
    expect(await verify(forge(html, change, true))).toMatchObject({ code: 1 })
  })

  test('a record made before signing is compared fact by fact, as far as the store knows', async () => {
    await deliver()
    const html = await page()
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(join(folder, 'data', 'leads.sqlite'))
    // All of it happened two days ago, before this installation signed its first record.
    database.exec(`UPDATE attempts SET at = at - 172800000; UPDATE leads SET received_at = received_at - 172800000`)
    database.close()
    const old = (change: (record: Changeable) => void = () => {}) =>
      forge(
        html,
        record => {
          record.made = { ...record.made, at: long() }
          record.lead = { ...record.lead, receivedAt: inZone(Date.parse(record.lead.receivedAt) - 172_800_000) }
          record.deliveries = record.deliveries.map(each => ({
            ...each,
            at: inZone(Date.parse(each.at) - 172_800_000),
          }))
          change(record)
        },
        true,
      )
    expect(await verify(old())).toMatchObject({
      code: 0,
      out: expect.stringContaining('Created before records were signed'),
    })
    const refused = async (change: (record: Changeable) => void) => (await verify(old(change))).err
    expect(await refused(record => (record.deliveries = []))).toContain('the deliveries')
    expect(await refused(record => (record['spouse'] = 'agreed'))).toContain('an unknown field (spouse)')
    expect(await refused(record => Object.assign(record.lead, { note: 'x' }))).toContain('when the lead was received')
    expect(await refused(record => (record.made = { ...record.made, at: new Date().toISOString() }))).toContain(
      'dated after signing began',
    )
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
    expect(await verify(old())).toMatchObject({ code: 0 })
    const other = (record: Changeable) =>
      (record.person = { ...(record.person as RecordedPerson), email: 'made.up@example.org' })
    expect(await refused(other)).toContain('the person')
  })

  const inZone = (at: number) => createCalendar('America/New_York').iso(at)
})

test('a record from another installation names its key', async () => {
  const html = await page()
  writeFileSync(join(folder, 'record.html'), html)
  const elsewhere = await leads(['verify', join(folder, 'record.html')], {
    dataDir: join(folder, 'data'),
    env: { ERASURE_KEY: 'x'.repeat(40) },
  })
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringMatching(/The record is signed with key [\w-]{12}\./) })
})

test('a changed page is reported with a command that works', async () => {
  const { err } = await verify((await page()).replace('</main>', '<p>more</p></main>'))
  const [, command = ''] = /npm run leads -- (.*)/.exec(err) ?? []
  expect(await leads(command.split(' '), { dataDir: join(folder, 'data') })).toMatchObject({ code: 0 })
})

test('rejects files that aren’t records', async () => {
  const madeUp = { lead: { id }, made: { timeZone: 'Nowhere' } } as never
  for (const html of ['<p>hello</p>', factsBlock(madeUp) + hashBlock(madeUp)]) {
    const err = expect.stringContaining('is not a consent record')
    expect(await verify(html)).toMatchObject({ code: 1, err })
  }
  expect((await leads(['verify'])).code).toBe(2)
  expect((await leads(['verify', join(dirname(folder), 'no-such-file.html')])).err).toContain('Can’t read')
})
