/** A real server's Prometheus metrics. */

import { expect, onTestFinished, test } from 'vitest'
import type { Contact } from '../../domain/leads/lead.ts'
import { killAfterTest, newFolder } from '../../tests/support/after-test.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import { sendLead } from '../../tests/support/intake.ts'
import { spawnServer } from '../../tests/support/processes.ts'
import { MisbehavingWebhook } from '../../tests/support/webhook.ts'
import { loadSite } from '../http/site.ts'
import { copyIn } from '../http/site-manifest.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import { storeFile } from '../store/sqlite/files.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'

const { consent, questionnaire } = copyIn(loadSite(BUILT).copy, 'en')
const versions = { consentVersion: versionOf(consent), questionnaireVersion: versionOf(questionnaire) }

/** Keyed by name and labels, as written in the response. */
async function scrape(url: string): Promise<Readonly<Record<string, number>>> {
  const text = await (await fetch(url)).text()
  const samples = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  for (const sample of samples)
    expect(sample).toMatch(/^ssdi_[a-z0-9_]+(\{[\w=",.+]+\})? (\d+(\.\d+)?(e[+-]?\d+)?|Na[Nn])$/)
  return Object.fromEntries(samples.map(sample => sample.split(' ')).map(([name, value]) => [name, Number(value)]))
}

const expectAttempt = (metrics: string, result: string) =>
  expect.poll(async () => (await scrape(metrics))[`ssdi_delivery_attempts_total{result="${result}"}`]).toBe(1)

test('requests, leads, deliveries, and the backlog are counted; metrics are served only on loopback, regardless of HOST', async () => {
  const dataDir = newFolder()
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  const settings = { HOST: '0.0.0.0', DATA_DIR: dataDir, LEAD_WEBHOOK_URL: `${webhook.url}/hook`, METRICS_PORT: '0' }
  onTestFinished(() => webhook.down())
  const server = killAfterTest(spawnServer(settings))
  const site = await server.url
  const metrics = /"serving metrics","url":"([^"]+)"/.exec(server.output())?.[1] ?? ''
  const send = async (contact: Partial<Contact> = {}, headers: Record<string, string> = {}) =>
    (await sendLead({ endpoint: `${site}/api/leads`, ...versions }, contact, headers)).status
  await fetch(`${site}/`)
  await fetch(`${site}/Lovelace?email=ada@example.org`)
  expect(await send()).toBe(202)
  expect(await send()).toBe(202)
  expect(await send({ firstName: 'www.spam.example', phone: '(555) 210-9999' })).toBe(202)
  expect(await send({ phone: '1' })).toBe(422)
  expect(await send({}, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  await expectAttempt(metrics, 'delivered')
  webhook.behave = () => ({ status: 500 })
  expect(await send({ email: 'grace@example.org', phone: '(555) 210-4040' })).toBe(202)
  await expectAttempt(metrics, 'failed')
  const shown = await scrape(metrics)
  expect(shown).toMatchObject({
    'ssdi_http_requests_total{status="2xx"}': 5,
    'ssdi_http_requests_total{status="4xx"}': 3,
    'ssdi_http_requests_total{status="5xx"}': 0,
    'ssdi_leads_captured_total{state="accepted"}': 2,
    'ssdi_leads_captured_total{state="repeat"}': 1,
    'ssdi_leads_captured_total{state="held"}': 1,
    'ssdi_leads_refused_total{status="422"}': 1,
    'ssdi_leads_refused_total{status="403"}': 1,
    'ssdi_leads_refused_total{status="503"}': 0,
    'ssdi_delivery_attempts_total{result="dead"}': 0,
    'ssdi_http_request_duration_seconds_count{kind="lead"}': 6,
    'ssdi_http_request_duration_seconds_count{kind="page"}': 2,
    ssdi_store_ready: 1,
    ssdi_deliveries_pending: 1,
    ssdi_deliveries_dead: 0,
    ssdi_deliveries_paused: 0,
    ssdi_leads_held: 1,
  })
  // Bytes, not kilobytes or pages: a server uses 50 to 300 MB.
  expect(shown['ssdi_process_resident_memory_bytes']).toBeGreaterThan(50e6)
  expect(shown['ssdi_process_resident_memory_bytes']).toBeLessThan(300e6)
  const operator = openSqliteStore(storeFile(dataDir), { access: 'write' })
  await operator.pauseDeliveries({ reason: '', by: 'ada@desk' })
  await operator.close()
  expect(await scrape(metrics)).toMatchObject({ ssdi_deliveries_paused: 1 })
  expect(await (await fetch(metrics)).text()).not.toMatch(/Ada|Lovelace|example|210-|\/hook/)
  const { port } = new URL(metrics)
  expect(new URL(metrics).hostname).toBe('127.0.0.1')
  await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow()
  expect((await fetch(`${site.replace('0.0.0.0', '127.0.0.2')}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})
