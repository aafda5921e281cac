/** The production server, started the way an operator starts it, and what it sends to the webhook and the log. */

import { spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { consentAsPresented, questionnaireAsPresented } from '../../domain/leads/as-presented.ts'
import { leadQuery } from '../../domain/leads/lead.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { shownQuestionnaire } from '../../site/copy/panel-texts.ts'
import { words } from '../../site-folder/site.ts'
import { killAfterTest, newFolder } from '../support/after-test.ts'
import { eligibleAnswers, yearOfBirth } from '../support/answers.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { onDemand } from '../support/on-demand.ts'
import { PROGRAM_ENV, type ServerProcess, spawnServer, watchServer } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

const { consent } = words.en

await onDemand('site')

const project = join(import.meta.dirname, '../..')
const person = {
  firstName: 'Wilhelmina',
  lastName: 'Featherstonehaugh',
  dateOfBirth: `${yearOfBirth}-07-23`,
  email: 'wilhelmina@private.example',
  phone: '(555) 867-5309',
}
const versions = {
  consent: versionOf(consentAsPresented(consent)),
  questionnaire: versionOf(questionnaireAsPresented(shownQuestionnaire.en)),
}
const certificateId = 'cafe0815'.repeat(5)

let dataDir: string
let webhook: MisbehavingWebhook

beforeEach(async () => {
  dataDir = newFolder()
  webhook = new MisbehavingWebhook()
  await webhook.up()
})
afterEach(() => webhook.down())

const start = (env: Readonly<Record<string, string>> = {}) => killAfterTest(spawnServer({ DATA_DIR: dataDir, ...env }))

async function stop({ child, exit }: ServerProcess, signal: NodeJS.Signals = 'SIGTERM') {
  child.kill(signal)
  return (await exit).code
}

/** The headers a browser sends, plus the proxy's. */
const headers = (url: string) => ({
  'user-agent': 'QuillBrowser/7.1 (Windows)',
  'x-forwarded-for': '203.0.113.77',
  'sec-fetch-site': 'same-origin',
  referer: `${url}/advertorial?utm_source=zeppelin&gclid=abc`,
})

/** A different email address makes it a different lead. */
const withEmail = (name: string) => ({ email: `${name}-wilhelmina@private.example` })

const sendQuery = (url: string, contact: Partial<typeof person> = {}) =>
  fetch(`${url}/api/leads?${leadQuery({ ...person, ...contact }, `https://cert.trustedform.com/${certificateId}`)}`, {
    headers: {
      ...headers(url),
      'x-consent-version': versions.consent,
      'x-questionnaire-version': versions.questionnaire,
    },
  })

const sendForm = (url: string, contact: Partial<typeof person> = {}) =>
  fetch(`${url}/api/leads`, {
    method: 'POST',
    redirect: 'manual',
    headers: headers(url),
    body: new URLSearchParams({
      ...person,
      ...contact,
      ...eligibleAnswers,
      page: '/',
      consentVersion: versions.consent,
      questionnaireVersion: versions.questionnaire,
    }),
  })

async function withStoreMovedAway(work: () => Promise<void>): Promise<void> {
  const file = storeFile(dataDir)
  renameSync(file, `${file}.aside`)
  await work()
  renameSync(`${file}.aside`, file)
}

function changeStore(sql: string): void {
  const database = new DatabaseSync(storeFile(dataDir), { timeout: 5000 })
  database.exec(sql)
  database.close()
}

test('leads reach the webhook, and no personal data reaches the log, no matter what goes wrong', async () => {
  const server = start({
    LEAD_WEBHOOK_URL: `${webhook.url}?token=sesame`,
    LEAD_WEBHOOK_SECRET: 'secret-of-24-characters!',
    TRUST_PROXY: '127.0.0.1',
  })
  const { output } = server
  const url = await server.url

  expect((await sendQuery(url)).status).toBe(202)
  expect((await sendQuery(url)).status).toBe(202)
  expect((await sendQuery(url, { email: 'wilhelmina@' })).status).toBe(422)
  expect((await sendForm(url, withEmail('other'))).status).toBe(303)
  const invalid = await sendForm(url, { phone: '867' })
  expect([invalid.status, (await invalid.text()).includes('Featherstonehaugh')]).toEqual([422, true])
  expect((await fetch(`${url}/${person.email}?phone=5558675309`)).status).toBe(404)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await webhook.received(2)
  expect(webhook.deliveries[0]).toMatchObject({ method: 'GET', path: '/hook', query: { token: 'sesame', ...person } })
  expect(webhook.deliveries[0]?.headers).toMatchObject({
    accept: 'application/json',
    'webhook-id': expect.stringMatching(/^lead_/),
    'webhook-signature': expect.stringMatching(/^v1,/),
  })

  expect((await sendQuery(url, { ...withEmail('odd'), lastName: 'www.featherstonehaugh.example' })).status).toBe(202)
  webhook.behave = () => ({ status: 500 })
  expect((await sendQuery(url, withEmail('third'))).status).toBe(202)
  await expect.poll(output).toContain('"outcome":"retry"')
  webhook.behave = () => ({ status: 410 })
  expect((await sendQuery(url, withEmail('fourth'))).status).toBe(202)
  await expect.poll(output).toContain('"code":"delivery_dead"')
  await withStoreMovedAway(async () => {
    expect((await sendQuery(url, withEmail('fifth'))).status).toBe(503)
    expect((await sendForm(url, withEmail('sixth'))).status).toBe(503)
  })
  // An unexpected error: a missing table.
  changeStore('ALTER TABLE history RENAME TO history_aside')
  expect((await sendQuery(url, withEmail('seventh'))).status).toBe(500)
  expect((await sendForm(url, withEmail('eighth'))).status).toBe(500)
  changeStore('ALTER TABLE history_aside RENAME TO history')
  expect((await sendForm(url, withEmail('ninth'))).status).toBe(303)
  expect(await stop(server)).toBe(0)

  for (const line of [
    ...['"code":"delivery"', '"outcome":"delivered"', '"outcome":"dead"', '"path":"/api/leads"', '"code":"lead_held"'],
    ...['"code":"leads_refused"', '"level":"alert"', '"status":503', '"code":"request_failed"', '"status":500'],
  ]) {
    expect(output()).toContain(line)
  }
  // None of these can be part of an ID, a time, or a port.
  for (const personal of [
    ...['ilhelmina', 'eatherstone', 'private.example', person.dateOfBirth, '867-5309', '5558675309', 'firstName'],
    ...['203.0.113.77', 'QuillBrowser', certificateId, 'trustedform', 'zeppelin', 'utm_source'],
    ...['sesame', `127.0.0.1:${webhook.port}`, 'secret-of'],
  ]) {
    expect(output(), personal).not.toContain(personal)
  }
})

test('a JSON lead and its repeat arrive with signatures that the standardwebhooks library accepts', async () => {
  const secret = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`
  const settings = { LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_REPEATS: 'on', LEAD_WEBHOOK_SECRET: secret }
  const url = await start({ LEAD_WEBHOOK_URL: webhook.url, ...settings }).url
  for (const count of [1, 2]) {
    expect((await sendQuery(url)).status).toBe(202)
    await webhook.received(count)
  }
  const events = webhook.deliveries.map(({ body, headers }) =>
    new StandardWebhook(secret).verify(body, headers as Record<string, string>),
  ) as { data: { id: string } }[]
  expect(events).toMatchObject([
    { type: 'lead.created', data: { contact: person, page: '/advertorial', campaign: { utm_source: 'zeppelin' } } },
    { type: 'lead.repeated', data: { repeatOf: events[0]?.data.id } },
  ])
})

test('page views are stored when the server stops', async () => {
  const server = start()
  const url = await server.url
  for (let time = 0; time < 3; time++)
    await (await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605.1.15' } })).text()
  expect(await stop(server)).toBe(0)
  const store = openSqliteStore(storeFile(dataDir), { access: 'read' })
  const { page } = await store.funnel({ by: ['page'], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  await store.close()
  expect(page).toMatchObject([{ views: 3 }])
})

test('npm start finishes a delivery when its process group gets SIGTERM', async () => {
  // Like systemd or a terminal: the server gets the signal twice, because npm forwards it.
  const { promise: response, resolve: finish } = Promise.withResolvers<{ status: number }>()
  webhook.behave = () => response
  const child = spawn('npm', ['start', '--ignore-scripts'], {
    cwd: project,
    detached: true,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, LEAD_WEBHOOK_URL: webhook.url, ...PROGRAM_ENV },
  })
  const server = watchServer(child)
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
  })
  await sendQuery(await server.url)
  await webhook.received(1)
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await expect.poll(server.output).toContain('"code":"stopping"')
  finish({ status: 200 })
  expect((await server.exit).code).toBe(0)
  expect(server.output()).toContain('"drained":true')
  expect(rowsOf(storeFile(dataDir), 'SELECT state, attempts FROM outbox')).toEqual([
    { state: 'delivered', attempts: 1 },
  ])
})

test('with a low open-file limit, the server caps its connections and raises an alert if it refuses one', async () => {
  const clients: Socket[] = []
  onTestFinished(() => {
    for (const client of clients) client.destroy()
  })
  const env = { PORT: '0', DATA_DIR: dataDir, ...PROGRAM_ENV }
  const main = join(project, 'server/main.ts')
  const child = spawn('sh', ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, main], { env })
  const server = killAfterTest(watchServer(child))
  const { hostname, port } = new URL(await server.url)
  // A health check that waits for the store keeps its connection busy; an idle one would be closed to make room for the next visitor.
  const locked = new DatabaseSync(storeFile(dataDir), { timeout: 30_000 })
  onTestFinished(() => locked.close())
  locked.exec('BEGIN IMMEDIATE')
  const healthCheck = `GET /readyz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`
  await expect
    .poll(() => {
      // Many at once: a health check answers after two seconds, and more than the limit must wait at the same time.
      for (let count = 0; count < 20; count++) {
        const client = connect(Number(port), hostname).on('error', () => {})
        client.write(healthCheck)
        clients.push(client)
      }
      return server.output()
    })
    .toMatch(/"code":"connections_refused".*"limit":16/)
})
