/** The consent record, from the desk's page to `leads verify`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCalendar } from '../../../server/calendar.ts'
import { type ConsentRecord, type RecordedPerson, UNSIGNED_FORMAT } from '../../../server/record/consent-record.ts'
import { factsBlock, hashBlock, recordPage } from '../../../server/record/record-page.ts'
import type { Submission } from '../../../server/store/capture.ts'
import { connectStore } from '../../../server/store/open-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { createTestDesk, type DeskClient } from '../../../tests/support/desk.ts'
import { ERASURE_KEY, submissionOf } from '../../../tests/support/lead-store.ts'
import { leads } from '../../../tests/support/leads-command.ts'
import { storePerTest } from '../../../tests/support/store-engines.ts'

const CONSENT = { text: 'I agree to be called by <b>Example & Co.</b> "today"', button: 'Yes, call me' }
const QUESTIONS = {
  questions: [{ id: 'work', question: 'Are you out of work?', answer: 'yes' }],
  yes: 'Yes, I am',
  no: 'No',
}

const files = storePerTest()
let store: Store
let viewer: DeskClient
let submission: Submission
let id: string

beforeEach(async () => {
  store = await connectStore({ dataDir: files.dataDir, databaseUrl: null }, { access: 'write' })
  submission = {
    ...submissionOf('Zebulon', await store.saveConsentText(JSON.stringify(CONSENT))),
    questionnaireVersion: await store.saveQuestionnaire(JSON.stringify(QUESTIONS)),
  }
  id = (await store.capture(submission)).id
  viewer = await createTestDesk(store).signedIn('Lou Looker', 'viewer')
})
afterEach(() => store.close())

const page = async () => (await viewer.fetch(`/api/leads/${id}/record`)).text()

async function deliver(): Promise<void> {
  const [leased] = await store.lease({ limit: 1, leaseMs: 60_000 })
  if (!leased) throw new Error('no delivery is due')
  const { leadId, leaseToken } = leased
  await store.settle({ leadId, leaseToken, durationMs: 5, status: 204, result: 'delivered' })
}

function change(sql: string): void {
  const database = new DatabaseSync(files.file)
  database.exec(sql)
  database.close()
}

async function verify(html: string, env: Readonly<Record<string, string>> = {}) {
  const file = join(files.dataDir, 'record.html')
  writeFileSync(file, html)
  return leads(['verify', file], { dataDir: files.dataDir, env })
}

const failsWith = (message: string) => ({ code: 1, err: expect.stringContaining(message) })
const visible = (html: string) => html.replace(/<(script|style)[\s\S]*?<\/\1>/g, '')

test('shows the consent, questions, person, IP address, deliveries, and a hash', async () => {
  await deliver()
  const shown = visible(await page())
  expect(shown).toContain('I agree to be called by &lt;b&gt;Example &amp; Co.&lt;/b&gt; &quot;today&quot;')
  const { clientAddress, contact, userAgent } = submission
  const facts = [...Object.values(contact), clientAddress, userAgent, submission.page, id, 'Lou Looker']
  for (const part of [...facts, 'Yes, call me', 'Are you out of work?', 'Yes, I am']) expect(shown).toContain(part)
  expect(shown).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d E[DS]T/)
  expect(shown).toContain('<td>204</td>')
  expect(shown).toMatch(/<code id="consent-record-hash">[0-9a-f]{64}<\/code>/)
})

test('is self-contained: no script runs, nothing is fetched, no one can frame it', async () => {
  const response = await viewer.fetch(`/api/leads/${id}/record`)
  const html = await response.text()
  expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="consent-record">'])
  expect(html).not.toMatch(/\s(src|href)=/)
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('content-disposition')).toBeNull()
  const saved = await viewer.fetch(`/api/leads/${id}/record?save`)
  expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="consent-record-${id}.html"`)
  expect((await viewer.fetch('/api/leads/0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d/record')).status).toBe(404)
  // Opening the record twice counts as one view in the lead's history.
  const views = (await store.find(id))?.history.filter(({ event }) => event === 'looked')
  expect(views?.map(({ detail }) => JSON.parse(detail))).toEqual([{ by: 'Lou Looker' }])
})

test('shows every name as plain text and still verifies', async () => {
  const names = ['<script>alert(1)</script>', '</script><script>alert(1)</script>', '<!--<script>', 'زينب 🦓', '=1+1']
  for (const [index, lastName] of [...names, 'x'.repeat(10_000)].entries()) {
    const contact = { ...submission.contact, lastName, email: `${index}@example.org`, phone: '(555) 555-0199' }
    id = (await store.capture({ ...submission, contact })).id
    const html = await page()
    expect([lastName, html.match(/<script[^>]*>/g)?.length]).toEqual([lastName, 1])
    expect([lastName, html.match(/<\/script>/g)?.length]).toEqual([lastName, 1])
    expect([lastName, await verify(html)]).toMatchObject([lastName, { code: 0 }])
  }
})

test('verifying a genuine record lists later events and every fact that differs from the store', async () => {
  const html = await page()
  const { code, out, err } = await verify(html)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^Hash: [0-9a-f]{64}\nValid signature: created by Lou Looker at .* \(key [\w-]{12}\)\.\n/)
  expect(out).toContain(`\nMatches the store (lead ${id}).\n`)
  expect(await verify(`\uFEFF${html.replaceAll('\n', '\r\n')}`)).toMatchObject({ code: 0 })
  await deliver()
  expect((await verify(html)).out).toContain('Since the record was created: 1 more delivery was attempted.')
  change(`UPDATE leads SET page = '/other', client_address = '203.0.113.99'`)
  expect((await verify(html)).err).toBe(
    'Doesn’t match the store: the time received or the page; the person, IP address, or browser.\n',
  )
})

test('a changed record fails verification; if only the page changed, the error says how to show the lead', async () => {
  const [shown = '', facts = ''] = (await page()).split(/(?=<script)/)
  for (const [from, to] of [
    ['Yes, call me', 'No, never'],
    ['Zebulon', 'Zachary'],
    ['America/New_York', 'America/Chicago'],
  ] as const) {
    expect(facts).toContain(from)
    const result = await verify(shown + facts.replaceAll(from, to))
    expect([from, result]).toMatchObject([from, { ...failsWith('was changed after it was created'), out: '' }])
  }
  for (const [from, to] of [
    ['call me', 'write to me'],
    ['<bdi>Zebulon</bdi>', '<bdi>Zachary</bdi>'],
    ['</main>', '<p>And I may be called at night.</p></main>'],
    ['color: #4a5568;', 'display: none;'],
  ] as const) {
    expect(shown).toContain(from)
    const result = await verify(shown.replaceAll(from, to) + facts)
    expect([from, result]).toMatchObject([from, failsWith('Don’t rely on what it shows')])
    const [, command = ''] = /npm run leads -- (.*)/.exec(result.err) ?? []
    expect(await leads(command.split(' '), { dataDir: files.dataDir })).toMatchObject({ code: 0 })
  }
})

test('an erased person is compared using the remaining hashes', async () => {
  const html = await page()
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  const { code, out } = await verify(html)
  expect([code, out]).toEqual([0, expect.stringContaining('email and phone match the stored hashes')])
  const shown = await page()
  expect(shown).not.toContain('Zebulon')
  expect(visible(shown)).toContain('Yes, call me')
  expect(await verify(shown)).toMatchObject({ code: 0 })
})

type Mutable = { -readonly [Fact in keyof ConsentRecord]: ConsentRecord[Fact] } & Record<string, unknown>
type Change = (record: Mutable) => void

/** Forges a record without the key: edits the facts, then recomputes the hash and the page. */
function forge(html: string, edit: Change, unsigned = false): string {
  const record = JSON.parse(/<script type="application\/json"[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? '')
  const [, keyId = '', mac = ''] = /signature">([\w-]{12}):([0-9a-f]{64})/.exec(html) ?? []
  edit(record)
  if (unsigned) record.format = UNSIGNED_FORMAT
  return recordPage(record, unsigned ? null : { keyId, mac })
}

test.each<[string, Change]>([
  ['another author', record => (record.made = { ...record.made, by: 'Someone' })],
  ['another time', record => (record.made = { ...record.made, at: new Date(Date.now() + 60_000).toISOString() })],
  ['a delivery removed', record => (record.deliveries = [])],
  ['another person', record => (record.person = { ...(record.person as RecordedPerson), lastName: 'Else' })],
  ['one more fact', record => (record['spouse'] = 'agreed as well')],
])('a forged record fails verification: %s', async (_, edit) => {
  await deliver()
  const html = await page()
  expect(await verify(html)).toMatchObject({ code: 0 })
  expect(await verify(forge(html, edit))).toMatchObject(failsWith('The signature is invalid'))
  expect(await verify(forge(html, edit, true))).toMatchObject({ code: 1 })
})

test('a record created before signing began is compared with the store, fact by fact', async () => {
  await deliver()
  const html = await page()
  // Move everything back two days, to before this installation signed its first record.
  change(`UPDATE attempts SET at = at - 172800000; UPDATE leads SET received_at = received_at - 172800000`)
  const earlier = (iso: string) => createCalendar('America/New_York').iso(Date.parse(iso) - 172_800_000)
  const old = (edit: Change = () => {}) =>
    forge(
      html,
      record => {
        record.made = { ...record.made, at: new Date(Date.now() - 86_400_000).toISOString() }
        record.lead = { ...record.lead, receivedAt: earlier(record.lead.receivedAt) }
        record.deliveries = record.deliveries.map(each => ({ ...each, at: earlier(each.at) }))
        edit(record)
      },
      true,
    )
  const unsigned = { code: 0, out: expect.stringContaining('Created before records were signed') }
  expect(await verify(old())).toMatchObject(unsigned)
  const fakes: readonly [string, Change][] = [
    ['the deliveries', record => (record.deliveries = [])],
    ['an unknown field (spouse)', record => (record['spouse'] = 'agreed')],
    ['the time received', record => Object.assign(record.lead, { note: 'x' })],
    ['dated after signing began', record => (record.made = { ...record.made, at: new Date().toISOString() })],
  ]
  for (const [message, edit] of fakes) expect(await verify(old(edit))).toMatchObject(failsWith(message))
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  expect(await verify(old())).toMatchObject({ code: 0 })
  const other: Change = record => (record.person = { ...(record.person as RecordedPerson), email: 'other@example.org' })
  expect(await verify(old(other))).toMatchObject(failsWith('the person'))
})

test('records from another installation, and files that aren’t records, fail verification', async () => {
  const elsewhere = await verify(await page(), { ERASURE_KEY: 'x'.repeat(40) })
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringMatching(/The record is signed with key [\w-]{12}\./) })
  const madeUp = { lead: { id }, made: { timeZone: 'Nowhere' } } as never
  for (const html of ['<p>hello</p>', factsBlock(madeUp) + hashBlock(madeUp)]) {
    expect(await verify(html)).toMatchObject(failsWith('is not a consent record'))
  }
  expect((await leads(['verify'])).code).toBe(2)
  expect((await leads(['verify', join(files.dataDir, 'no-such-file.html')])).err).toContain('Can’t read')
})
