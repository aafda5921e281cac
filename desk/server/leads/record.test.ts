/** The contact record, from the desk's page to `leads verify`. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../../domain/calling/hours.ts'
import { type ConsentRecord, consentRecordOf, type RecordedPerson } from '../../../server/record/consent-record.ts'
import { canonicalJson } from '../../../server/record/old-records.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import { connectStore } from '../../../server/store/open-store.ts'
import type { Submission } from '../../../server/store/operations/leads/capture.ts'
import type { Store } from '../../../server/store/store.ts'
import { createTestDesk, type DeskClient } from '../../../tests/support/desk.ts'
import { ERASURE_KEY, saying, submissionOf } from '../../../tests/support/lead-store.ts'
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
  const { id, leaseToken } = leased
  await store.settle({ id, leaseToken, durationMs: 5, status: 204, result: 'delivered' })
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
const visible = (html: string) => html.replace(/<style>[\s\S]*?<\/style>/g, '')

test('shows the consent, questions, person, and deliveries; the IP address and the browser only to editors', async () => {
  await deliver()
  const shown = visible(await page())
  expect(shown).toContain('I agree to be called by &lt;b&gt;Example &amp; Co.&lt;/b&gt; &quot;today&quot;')
  const { clientAddress, contact, userAgent } = submission
  const facts = [...Object.values(contact), submission.page, id, 'Lou Looker', 'So are IP addresses and browsers']
  for (const part of [...facts, 'Yes, call me', 'Are you out of work?', 'Yes, I am']) expect(shown).toContain(part)
  expect(shown).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d E[DS]T/)
  expect(shown).toContain('>204</td>')
  const devices = [clientAddress, `<dd><bdi>${userAgent}</bdi></dd>`, '<dt>IP address', '<dt>Browser']
  for (const role of ['viewer', 'agent', 'editor'] as const) {
    const someone = await createTestDesk(store).signedIn(role, role)
    const html = await (await someone.fetch(`/api/leads/${id}/record`)).text()
    expect([role, ...devices.map(part => html.includes(part))]).toEqual([role, ...devices.map(() => role === 'editor')])
  }
})

test('says which headline was shown, and keeps in the history that someone downloaded it', async () => {
  const { consentVersion, questionnaireVersion } = submission
  const shown = { ...submissionOf('Ada', consentVersion), questionnaireVersion, variant: 'plain' }
  id = (await store.capture(shown)).id
  expect(visible(await page())).toContain('<dt>Headline</dt>')
  expect((await store.find(id))?.history.map(({ event }) => event)).not.toContain('record downloaded')
  await viewer.fetch(`/api/leads/${id}/record?save=`)
  expect((await store.find(id))?.history.at(-1)).toMatchObject({
    event: 'record downloaded',
    detail: '{"by":"Lou Looker"}',
  })
})

test('anyone who may see records can check a saved one on the desk', async () => {
  const check = async (html: string, env: Readonly<Record<string, string>> = {}) => {
    const desk = await createTestDesk(store, { env }).signedIn('Val', 'viewer')
    return (await (await desk.fetch('/api/records/check', { body: { html } })).json()) as object
  }
  const html = await page()
  const keyId = /signature ([\w-]{12})/.exec(html)?.[1]
  expect(await check(html)).toEqual({ kind: 'genuine', keyId, isOld: false })
  expect(await check(html.replace('Zebulon', 'Zebulun'))).toEqual({ kind: 'altered', keyId, isOld: false })
  expect(await check(html, { ERASURE_KEY: 'b'.repeat(64) })).toEqual({ kind: 'other key', keyId, isOld: false })
  expect(await check('<p>Not a record</p>')).toEqual({ kind: 'no record', keyId: null, isOld: false })
})

/** Two leads from one number in Hawaii, with everything that can happen on calls. Returns the first lead's ID. */
async function callTwice(): Promise<string> {
  const hours = { ...DEFAULT_CALLING_HOURS, days: [] }
  const phone = '(808) 555-0101'
  const [maria, lou] = [
    { id: '1', name: 'Maria Lopez' },
    { id: '2', name: 'Lou Looker' },
  ]
  const capture = async (contact: object) =>
    (await store.capture({ ...submission, contact: { ...submission.contact, phone, ...contact } })).id
  const first = await capture({ firstName: 'Yolanda' })
  id = await capture({ firstName: 'Zoe', email: 'zoe@example.org' })
  const call = { person: maria, hours, overrideReason: 'She asked for a call at night' }
  await store.startCall({ leadId: first, ...call })
  const outcome = { person: maria, hours }
  const saved = await store.saveCall({ ...outcome, ...saying(first, 'no answer'), note: 'A private note' })
  await store.undoCall({ hours, callId: saved.kind === 'saved' ? saved.callId : '', person: maria })
  await store.claimCall({ leadId: id, person: lou, takeOver: true })
  await store.setCallPlace({ leadId: id, value: 'FL Central', by: 'Lou Looker' })
  await store.saveCall({ ...saying(id, 'never call again'), hours, person: lou, note: 'A private note' })
  const contacts = [{ phone }]
  const request = { askedBy: 'representative', askedOn: '2030-01-31' } as const
  await store.removeFromDoNotCall({ contacts, by: 'Maria Lopez', request })
  return first
}

test('shows calls, requests to stop, removals, overrides, and takeovers, over all leads with the number', async () => {
  const first = await callTwice()
  const html = await page()
  const shown = visible(html)
  const facts = [
    ...['<dt>Leads with this number</dt><dd>2</dd>', '<dt>Calls</dt><dd>2</dd>'],
    ...['notes and the campaigns that leads came from are left out on purpose', 'wasn’t changed, open'],
    ...['Contact record', 'Lead 1 of 2', 'Lead 2 of 2', 'Yolanda', 'Zoe', first, id, '(808) 555-0101'],
    ...['No answer', 'Undone later', 'Corrects the call', 'Called, outcome unknown', 'Never call again', 'Maria Lopez'],
    ...['Reason: <bdi>She asked for a call at night', ', Hawaii</td>', ', Florida</td>'],
    ...['Call taken over from Maria Lopez', 'State set: Florida (Central)'],
    ...[
      'Phone number added to the do-not-call list',
      'Email added to the do-not-call list',
      'Phone number removed from the do-not-call list',
    ],
    'Someone acting for them asked, Jan 31, 2030',
  ]
  for (const fact of facts) expect(shown).toContain(fact)
  for (const fact of ['A private note', 'The number was erased']) expect(shown).not.toContain(fact)
  expect((await verify(html)).code).toBe(0)
  for (const each of [first, id]) {
    const views = (await store.find(each))?.history.filter(({ event }) => event === 'looked')
    expect(views?.map(({ detail }) => JSON.parse(detail))).toEqual([{ by: 'Lou Looker' }])
  }
})

test('counts a call about two people once', async () => {
  const bob = { ...submission.contact, firstName: 'Bob', email: 'bob@example.org' }
  const other = (await store.capture({ ...submission, contact: bob })).id
  const request = { leadId: id, person: { id: '1', name: 'Maria' }, hours: { ...DEFAULT_CALLING_HOURS, days: [] } }
  await store.startCall({ ...request, overrideReason: 'asked for it' })
  const outcomes = [
    { outcome: 'going ahead', callbackAt: null, leads: [id] },
    { outcome: 'not interested', callbackAt: null, leads: [other] },
  ] as const
  expect(await store.saveCall({ ...request, outcomes, note: null })).toMatchObject({ kind: 'saved' })
  const shown = visible(await page())
  for (const fact of ['Moving forward', 'Not interested', '<dt>Calls</dt><dd>1</dd>']) expect(shown).toContain(fact)
})

test('after an erasure, shows the same calls and requests, without the number, the person, or reasons', async () => {
  const first = await callTwice()
  await store.erase({ ids: [first, id], key: ERASURE_KEY, by: 'test' })
  const shown = visible(await page())
  const kept = [
    'Lead 1 of 2',
    'No answer',
    'Undone',
    'Call taken over',
    ', Hawaii</td>',
    'Email added to the do-not-call list',
  ]
  for (const fact of [...kept, first, id, 'Yes, call me', 'The number was erased']) expect(shown).toContain(fact)
  for (const fact of ['Yolanda', 'Zoe', '555-0101', 'She asked', 'zoe@']) expect(shown).not.toContain(fact)
})

test('shows text in another language as the visitor saw it, with the English beside it', async () => {
  const english = { text: 'I agree to be called', button: 'Call me' }
  const consent = { text: 'Acepto que me llamen', button: 'Llámenme', language: 'es', english }
  const asked = { id: 'work', question: '¿Está sin trabajo?', answer: 'yes', english: 'Are you out of work?' }
  const labels = { yes: 'Sí', no: 'No', language: 'es', english: { yes: 'Yes', no: 'No' } }
  id = (
    await store.capture({
      ...submission,
      contact: { ...submission.contact, email: 'es\u202e@example.org' },
      consentVersion: await store.saveConsentText(JSON.stringify(consent)),
      questionnaireVersion: await store.saveQuestionnaire(JSON.stringify({ questions: [asked], ...labels })),
    })
  ).id
  const shown = visible(await page())
  for (const text of [
    '>Spanish<',
    '<blockquote lang="es"',
    'Acepto que me llamen',
    'Llámenme',
    '¿Está sin trabajo?',
    '<bdi lang="es">Sí</bdi>',
    '<bdi>es@example.org</bdi>',
  ])
    expect(shown).toContain(text)
  for (const text of [...Object.values(english), 'Are you out of work?', '<bdi>Yes</bdi>'])
    expect(shown).toContain(text)
  expect(shown).toContain('In English at that time, not reviewed together, which the visitor didn’t see:')
  const version = await store.saveConsentText(JSON.stringify(consent))
  for (let again = 0; again < 2; again++) await store.recordReviewedTranslation(version)
  expect(visible(await page())).toContain('The same in English, which the visitor didn’t see:')
})

test('says that a lead may have been sent if the attempt was interrupted', async () => {
  expect(visible(await page())).toContain('The lead was never sent.')
  await store.lease({ limit: 1, leaseMs: 60_000 })
  await store.addToDoNotCall({ leadId: id, contacts: [{ email: submission.contact.email }], by: 'Maria Lopez' })
  expect(visible(await page())).toContain('The lead may have been sent: an attempt was started')
})

test('is self-contained: no script runs, nothing is fetched, no one can frame it', async () => {
  const response = await viewer.fetch(`/api/leads/${id}/record`)
  const html = await response.text()
  expect(html).not.toContain('<script')
  expect(html).not.toMatch(/\s(src|href)=/)
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'/)
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('content-disposition')).toBeNull()
  const saved = await viewer.fetch(`/api/leads/${id}/record?save`)
  expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="contact-record-${id}.html"`)
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
    expect([lastName, html.includes('<script')]).toEqual([lastName, false])
    expect([lastName, await verify(html)]).toMatchObject([lastName, { code: 0 }])
  }
})

test('a saved record stays genuine, whatever happens to the lead later', async () => {
  const html = await page()
  const genuine = {
    code: 0,
    err: '',
    out: expect.stringMatching(/^Genuine: created by this site’s desk .* \(key [\w-]{12}\)\.\n$/),
  }
  expect(await verify(html)).toMatchObject(genuine)
  expect(await verify(`\uFEFF${html.replaceAll('\n', '\r\n')}`)).toMatchObject(genuine)
  // A delivery that was in flight when the record was created.
  await deliver()
  expect(await verify(html)).toMatchObject(genuine)
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  expect(await verify(html)).toMatchObject(genuine)
  const shown = await page()
  expect(shown).not.toContain('Zebulon')
  expect(visible(shown)).toContain('Yes, call me')
  expect(await verify(shown)).toMatchObject(genuine)
})

test('a consent that someone changed in the store is shown, signed, and said not to match its version', async () => {
  const remark = 'doesn’t match its version'
  expect(await page()).not.toContain(remark)
  change(`UPDATE consents SET presented = replace(presented, 'Example', 'Another')`)
  const html = await page()
  expect([html.includes('Another &amp; Co.'), html.split(remark).length - 1]).toEqual([true, 1])
  expect((await verify(html)).code).toBe(0)
  change(`UPDATE questionnaires SET presented = replace(presented, 'work', 'a job')`)
  expect((await page()).split(remark).length - 1).toBe(2)
})

test('a record fails verification if anything in it was changed, it isn’t signed, or text follows', async () => {
  const html = await page()
  const changes = {
    'call me': 'write to me',
    '<bdi>Zebulon</bdi>': '<bdi>Zachary</bdi>',
    'Lou Looker': 'Someone Else',
    '</main>': '<p>And I may be called at night.</p></main>',
    'color: #4a5568;': 'display: none;',
    '</html>': '</html><p>More</p>',
  }
  for (const [from, to] of Object.entries(changes)) {
    const changed = html.replaceAll(from, to)
    expect(changed).not.toBe(html)
    expect([to, await verify(changed)]).toMatchObject([to, failsWith('was changed after it was created')])
  }
  const unsigned = html.replace(/<!-- signature .*-->/, '')
  expect(await verify(unsigned)).toMatchObject(failsWith('is not a contact or consent record'))
  expect(await verify(`${html}<p>More</p>`)).toMatchObject(failsWith('is not a contact or consent record'))
})

test('nothing in a file, or its name, prints what it likes', async () => {
  const file = join(files.dataDir, '\u001b[1A\u001b[2Krecord\nGenuine: created by this site’s desk')
  for (const text of [
    '<p>hello</p>',
    `${await page()}<p>More</p>`,
    (await page()).replaceAll('call me', 'write to me'),
  ]) {
    writeFileSync(file, text)
    const { code, out, err } = await leads(['verify', file], { dataDir: files.dataDir })
    expect([code, out]).toEqual([1, ''])
    expect([err.includes('\u001b'), /^Genuine/m.test(err)]).toEqual([false, false])
  }
})

test('the data in a record from 0.6.0 is still genuine, and printed to compare with its page', async () => {
  const html = readFileSync(new URL('../../../tests/fixtures/consent-record-0.6.0.html', import.meta.url), 'utf8')
  const { code, out } = await verify(html, { ERASURE_KEY })
  expect([code, out]).toEqual([0, expect.stringContaining('Genuine data')])
  for (const fact of ['Maria Lopez', 'Ada, Lovelace', 'I agree to be called', 'Call me']) expect(out).toContain(fact)
  const [shown = '', facts = ''] = html.split(/(?=<script)/)
  const changed = shown + facts.replaceAll('Lovelace', 'Else')
  expect(await verify(changed, { ERASURE_KEY })).toMatchObject(failsWith('was changed after it was created'))
  const forged = (record: Mutable) => (record.made = { ...record.made, by: 'Someone' })
  const [keyed = ''] = /<code id="consent-record-signature">.*?<\/code>/.exec(html) ?? []
  const record = edited(JSON.parse(/<script[^>]*>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''), forged)
  expect(await verify(oldPage(record) + keyed, { ERASURE_KEY })).toMatchObject(failsWith('The signature is invalid'))
})

type Mutable = { -readonly [Fact in keyof ConsentRecord]: ConsentRecord[Fact] } & Record<string, unknown>
type Change = (record: Mutable) => void

function edited(record: object, edit: Change): object {
  const copy = structuredClone(record)
  edit(copy as Mutable)
  return copy
}

/** The part of an old record's page that `verify` reads. */
function oldPage(record: object): string {
  const hash = createHash('sha256').update(canonicalJson(record)).digest('hex')
  const facts = canonicalJson(record).replaceAll('<', '\\u003c')
  return `<code id="consent-record-hash">${hash}</code><script type="application/json" id="consent-record">${facts}</script>`
}

const UNSIGNED_FORMAT = 'ssdi-advocate consent record, version 1'

test('an unsigned record is compared with the store, fact by fact', async () => {
  await deliver()
  await page() // Signs a record: unsigned ones must be older.
  change(`UPDATE attempts SET at = at - 172800000; UPDATE leads SET received_at = received_at - 172800000`)
  const lead = await store.find(id)
  if (lead === null) throw new Error('the lead is gone')
  const made = { at: Date.now() - 86_400_000, by: 'Lou Looker', calendar: createCalendar('America/New_York') }
  const { mayHaveBeenSent: _, ...facts } = consentRecordOf(lead, made)
  const record = { ...facts, format: UNSIGNED_FORMAT }
  const old = (edit: Change = () => {}) => oldPage(edited(record, edit))
  const unchecked = (facts: string) => ({ code: 0, out: expect.stringContaining(`can’t be checked: ${facts}.\n`) })
  expect(await verify(old())).toMatchObject(unchecked('who created it, when'))
  const fakes: readonly [string, Change][] = [
    ['the deliveries', record => (record.deliveries = [])],
    [
      'the deliveries',
      record => (record.deliveries = [...record.deliveries, { ...record.deliveries[0], status: 200 } as never]),
    ],
    ['an unknown field (spouse)', record => (record['spouse'] = 'agreed')],
    ['the time received', record => Object.assign(record.lead, { note: 'x' })],
    ['the person', record => (record.person = { ...(record.person as RecordedPerson), lastName: 'Else' })],
    ['the time created', record => (record.made = { ...record.made, at: '2020-01-01T00:00:00.000Z' })],
    ['dated after signing began', record => (record.made = { ...record.made, at: new Date().toISOString() })],
  ]
  for (const [message, edit] of fakes) expect(await verify(old(edit))).toMatchObject(failsWith(message))
  // This one was in flight when the record was created, and succeeded later.
  const attempt = { at: made.at - 1000, durationMs: 120_000 }
  change(`INSERT INTO attempts VALUES ('${id}', ${attempt.at}, ${attempt.durationMs}, 'delivered', 200)`)
  expect((await verify(old())).out).toContain('Since the record was created: 1 more delivery was attempted.')
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  const gone = 'first and last name, date of birth, IP address, browser'
  expect(await verify(old(), { ERASURE_KEY })).toMatchObject(unchecked(`who created it, when, ${gone}`))
  const other: Change = record => (record.person = { ...(record.person as RecordedPerson), email: 'other@example.org' })
  expect(await verify(old(other), { ERASURE_KEY })).toMatchObject(failsWith('the person'))
})

test('records from another installation, and files that aren’t records, fail verification', async () => {
  const elsewhere = await verify(await page(), { ERASURE_KEY: 'x'.repeat(40) })
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringMatching(/The record is signed with key [\w-]{12}\./) })
  const madeUp = { lead: { id }, made: { timeZone: 'Nowhere' } } as never
  for (const html of ['<p>hello</p>', oldPage(madeUp)]) {
    expect(await verify(html)).toMatchObject(failsWith('is not a contact or consent record'))
  }
  expect((await leads(['verify'])).code).toBe(2)
  expect((await leads(['verify', join(files.dataDir, 'no-such-file.html')])).err).toContain('Can’t read')
})
