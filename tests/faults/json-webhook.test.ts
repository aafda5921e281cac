/** The service as the operator starts it, with its settings: a lead and its repeat as JSON, to a receiver with the stock library. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { panelWords } from '../../content/panel/panel-words.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { questionnaireAsPresented, readQuestionnaire } from '../../domain/questions-as-asked.ts'
import { versionOf } from '../../server/presented-version.ts'
import { spawnServer } from '../support/server-process.ts'
import { contactOf } from './lead-store.ts'
import { MisbehavingWebhook } from './webhook.ts'

const SECRET = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`
const consentVersion = versionOf(consentAsPresented(consent))
const asked = questionnaireAsPresented(panelWords.en)
const certificate = 'https://cert.trustedform.com/of/a/form/to/come?v=6'

let webhook: MisbehavingWebhook
let dataDir: string
let server: ReturnType<typeof spawnServer>

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'json-webhook-'))
  webhook = new MisbehavingWebhook()
  await webhook.up()
  server = spawnServer({
    DATA_DIR: dataDir,
    LEAD_WEBHOOK_URL: webhook.url,
    LEAD_WEBHOOK_FORMAT: 'json',
    LEAD_WEBHOOK_REPEATS: 'on',
    LEAD_WEBHOOK_SECRET: SECRET,
  })
})

afterEach(async () => {
  server.child.kill('SIGKILL')
  await webhook.down()
  rmSync(dataDir, { recursive: true })
})

test('a lead and its repeat arrive with all that is known of them, and verify', async () => {
  const url = await server.url
  const send = () =>
    fetch(`${url}/api/leads?${leadQuery(contactOf('Ada'), certificate)}`, {
      headers: {
        'sec-fetch-site': 'same-origin',
        'x-consent-version': consentVersion,
        'x-questionnaire-version': versionOf(asked),
        referer: `${url}/advertorial?utm_source=tv&gclid=abc`,
        'user-agent': 'A browser',
      },
    })
  await expect.poll(async () => (await send()).status).toBe(202)
  await webhook.received(1)
  expect((await send()).status).toBe(202)
  await webhook.received(2)
  const [created, repeated] = webhook.deliveries.map(({ body, headers }) =>
    new StandardWebhook(SECRET).verify(body, headers as Record<string, string>),
  ) as [{ data: { id: string } }, unknown]
  expect(created).toMatchObject({
    type: 'lead.created',
    data: {
      repeatOf: null,
      contact: { ...contactOf('Ada'), phoneE164: '+15552100199' },
      page: '/advertorial',
      campaign: { utm_source: 'tv', gclid: 'abc' },
      consent: { version: consentVersion, text: consent.text, button: consent.button, userAgent: 'A browser' },
      certificate: { url: certificate, formKnown: false, trustedForm: 'off' },
      questionnaire: { version: versionOf(asked), questions: readQuestionnaire(asked).questions },
    },
  })
  expect(repeated).toMatchObject({ type: 'lead.repeated', data: { repeatOf: created.data.id } })
})
