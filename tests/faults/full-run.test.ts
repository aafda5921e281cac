/** The whole service as a process: leads in by both ways, out to a webhook, and nothing personal in what it says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { questions } from '../../domain/questionnaire.ts'
import { consentVersionOf } from '../../server/leads/consents.ts'
import { listen, Receiver } from '../support/receiver.ts'
import { spawnServer } from '../support/server-process.ts'

const person = {
  firstName: 'Wilhelmina',
  lastName: 'Featherstonehaugh',
  dateOfBirth: '1961-07-23',
  email: 'wilhelmina@private.example',
  phone: '(555) 867-5309',
}
const consentVersion = consentVersionOf(consentAsPresented())
const cleanUp: (() => unknown)[] = []

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function startService(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'full-run-'))
  cleanUp.push(() => rmSync(dataDir, { recursive: true }))
  const server = spawnServer({ DATA_DIR: dataDir, ...env })
  cleanUp.push(() => server.child.kill('SIGKILL'))
  return { ...server, url: await server.url }
}

const sendQuery = (url: string, contact: typeof person) =>
  fetch(`${url}/api/leads?${leadQuery(contact)}`, {
    headers: { 'sec-fetch-site': 'same-origin', 'x-consent-version': consentVersion, referer: `${url}/?utm_source=ad` },
  })

const sendForm = (url: string, contact: typeof person) =>
  fetch(`${url}/api/leads`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({
      ...contact,
      ...Object.fromEntries(
        questions.map(({ id, requiredAnswer }) => [`question-${id}`, requiredAnswer ? 'yes' : 'no']),
      ),
      consentVersion,
      page: '/',
    }),
  })

test('leads reach the webhook, and nothing personal reaches the log', async () => {
  const webhook = new Receiver()
  const listening = await listen(webhook.handle)
  cleanUp.push(listening.close)
  const { url, child, exit, said } = await startService({
    LEAD_WEBHOOK_URL: `${listening.url}/hook`,
    LEAD_WEBHOOK_SECRET: 'secret',
  })

  expect((await sendQuery(url, person)).status).toBe(202)
  expect((await sendQuery(url, person)).status).toBe(202)
  expect((await sendQuery(url, { ...person, email: 'wilhelmina@' })).status).toBe(422)
  expect((await sendForm(url, { ...person, email: 'other-wilhelmina@private.example' })).status).toBe(303)
  const again = await sendForm(url, { ...person, phone: '867' })
  expect([again.status, (await again.text()).includes('Featherstonehaugh')]).toEqual([422, true])
  expect((await fetch(`${url}/${person.email}?phone=5558675309`)).status).toBe(404)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  webhook.answer = 500
  expect((await sendQuery(url, { ...person, email: 'third-wilhelmina@private.example' })).status).toBe(202)

  await expect.poll(() => webhook.leads.length).toBe(3)
  expect(webhook.leads[0]).toMatchObject({ method: 'GET', path: '/hook', query: person })
  expect(webhook.leads[0]?.headers).toMatchObject({
    accept: 'application/json',
    'webhook-id': expect.stringMatching(/^lead_/),
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
  await expect.poll(said).toContain('"outcome":"retry"')
  child.kill('SIGTERM')
  expect((await exit).code).toBe(0)

  expect(said()).toContain('"event":"delivery"')
  expect(said()).toContain('"path":"/api/leads"')
  for (const personal of [
    'ilhelmina',
    'Featherstone',
    '1961',
    'private.example',
    '867',
    '5309',
    'firstName',
    'utm_source',
  ]) {
    expect(said(), personal).not.toContain(personal)
  }
})

test('without a webhook leads are kept, and the start says so', async () => {
  const { url, said } = await startService({})
  expect((await sendQuery(url, person)).status).toBe(202)
  expect(said()).toContain('leads are kept, not delivered')
})
