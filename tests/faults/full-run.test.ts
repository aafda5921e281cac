/** The whole service as a process: leads in by both ways, out to a webhook, and nothing personal in what it says. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { panelWords } from '../../content/panel/panel-words.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { questionnaireAsPresented } from '../../domain/questions-as-asked.ts'
import { versionOf } from '../../server/presented-version.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { eligibleAnswers } from '../support/answers.ts'
import { listen, Receiver } from '../support/receiver.ts'
import { spawnServer } from '../support/server-process.ts'

const person = {
  firstName: 'Wilhelmina',
  lastName: 'Featherstonehaugh',
  dateOfBirth: '1961-07-23',
  email: 'wilhelmina@private.example',
  phone: '(555) 867-5309',
}
const certificateId = 'cafe0815'.repeat(5)
/** As a browser and the proxy in front of us send them. */
const surroundings = { 'user-agent': 'QuillBrowser/7.1 (Windows)', 'x-forwarded-for': '203.0.113.77' }
const consentVersion = versionOf(consentAsPresented(consent))
const questionnaireVersion = versionOf(questionnaireAsPresented(panelWords.en))
const cleanUp: (() => unknown)[] = []

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function startService(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'full-run-'))
  cleanUp.push(() => rmSync(dataDir, { recursive: true }))
  const server = spawnServer({ DATA_DIR: dataDir, ...env })
  cleanUp.push(() => server.child.kill('SIGKILL'))
  return { ...server, dataDir, url: await server.url }
}

const sendQuery = (url: string, contact: Partial<typeof person> = {}) =>
  fetch(`${url}/api/leads?${leadQuery({ ...person, ...contact }, `https://cert.trustedform.com/${certificateId}`)}`, {
    headers: {
      ...surroundings,
      'sec-fetch-site': 'same-origin',
      'x-consent-version': consentVersion,
      'x-questionnaire-version': questionnaireVersion,
      referer: `${url}/?utm_source=zeppelin`,
    },
  })

const sendForm = (url: string, contact: Partial<typeof person> = {}) =>
  fetch(`${url}/api/leads`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...surroundings, 'sec-fetch-site': 'same-origin', referer: `${url}/?utm_source=zeppelin` },
    body: new URLSearchParams({
      ...person,
      ...contact,
      ...eligibleAnswers,
      consentVersion,
      questionnaireVersion,
      page: '/',
    }),
  })

/** Another lead of the same person: with the same address it would be a repeat. */
const under = (name: string) => ({ email: `${name}-wilhelmina@private.example` })

async function withStoreMovedAway(dataDir: string, work: () => Promise<void>): Promise<void> {
  const file = storeFile(dataDir)
  renameSync(file, `${file}.aside`)
  await work()
  renameSync(`${file}.aside`, file)
}

/** What no code of ours expects: a table is not there. */
async function withTableMissing(dataDir: string, work: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(storeFile(dataDir), { timeout: 5000 })
  database.exec('ALTER TABLE history RENAME TO history_aside')
  await work()
  database.exec('ALTER TABLE history_aside RENAME TO history')
  database.close()
}

test('leads reach the webhook, and nothing personal reaches the log, whatever else happens', async () => {
  const webhook = new Receiver()
  const listening = await listen(webhook.handle)
  cleanUp.push(listening.close)
  const { url, child, exit, said, dataDir } = await startService({
    LEAD_WEBHOOK_URL: `${listening.url}/hook`,
    LEAD_WEBHOOK_SECRET: 'secret-of-24-characters!',
    TRUST_PROXY: '127.0.0.1',
  })

  expect((await sendQuery(url)).status).toBe(202)
  expect((await sendQuery(url)).status).toBe(202)
  expect((await sendQuery(url, { email: 'wilhelmina@' })).status).toBe(422)
  expect((await sendForm(url, under('other'))).status).toBe(303)
  const again = await sendForm(url, { phone: '867' })
  expect([again.status, (await again.text()).includes('Featherstonehaugh')]).toEqual([422, true])
  expect((await fetch(`${url}/${person.email}?phone=5558675309`)).status).toBe(404)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await expect.poll(() => webhook.leads.length).toBe(2)
  expect(webhook.leads[0]).toMatchObject({ method: 'GET', path: '/hook', query: person })
  expect(webhook.leads[0]?.headers).toMatchObject({
    accept: 'application/json',
    'webhook-id': expect.stringMatching(/^lead_/),
    'webhook-signature': expect.stringMatching(/^v1,/),
  })

  expect((await sendQuery(url, { ...under('odd'), lastName: 'www.featherstonehaugh.example' })).status).toBe(202)
  webhook.answer = 500
  expect((await sendQuery(url, under('third'))).status).toBe(202)
  await expect.poll(said).toContain('"outcome":"retry"')
  webhook.answer = 410
  expect((await sendQuery(url, under('fourth'))).status).toBe(202)
  await expect.poll(said).toContain('"event":"leads are not reaching the webhook"')
  await withStoreMovedAway(dataDir, async () => {
    expect((await sendQuery(url, under('fifth'))).status).toBe(503)
    expect((await sendForm(url, under('sixth'))).status).toBe(503)
  })
  await withTableMissing(dataDir, async () => {
    expect((await sendQuery(url, under('seventh'))).status).toBe(500)
    expect((await sendForm(url, under('eighth'))).status).toBe(500)
  })
  expect((await sendForm(url, under('ninth'))).status).toBe(303)
  child.kill('SIGTERM')
  expect((await exit).code).toBe(0)

  for (const line of [
    '"code":"delivery"',
    '"outcome":"delivered"',
    '"outcome":"dead"',
    '"path":"/api/leads"',
    '"event":"lead put on hold"',
    '"event":"leads are refused","level":"alert"',
    '"status":503',
    '"event":"request failed"',
    '"status":500',
  ]) {
    expect(said()).toContain(line)
  }
  // None of these can stand in an id, a time or a port by chance.
  for (const personal of [
    ...['ilhelmina', 'eatherstone', 'private.example', '1961-07-23', '867-5309', '5558675309', 'firstName'],
    ...['203.0.113.77', 'QuillBrowser', certificateId, 'trustedform', 'zeppelin', 'utm_source'],
  ]) {
    expect(said(), personal).not.toContain(personal)
  }
})

test('without a webhook leads are kept, and the start says so', async () => {
  const { url, said } = await startService({})
  expect((await sendQuery(url)).status).toBe(202)
  expect(said()).toContain('leads are stored but not delivered')
})
