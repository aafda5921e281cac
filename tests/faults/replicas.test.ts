/** Two servers on one database recover from its outage. */
import { expect, onTestFinished, test } from 'vitest'
import { startLoad } from '../support/lead-load.ts'
import { onDemand } from '../support/on-demand.ts'
import { rowsOf, startPostgres } from '../support/postgres-server.ts'
import { Replicas } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

await onDemand('site')

test('while the database is down, leads get a 503 and pages are still served; afterward, service resumes, and no lead is lost', async () => {
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  onTestFinished(() => webhook.down())
  const database = await startPostgres()
  onTestFinished(database.remove)
  const replicas = new Replicas({ DATABASE_URL: database.url }, `http://127.0.0.1:${webhook.port}`)
  onTestFinished(() => replicas.killAll())
  await Promise.all([replicas.start(), replicas.start()])
  const load = startLoad({ servers: () => replicas.urls, visitors: 3, pauseMs: 20, random: Math.random })
  const statusesOf = (path: string) => Promise.all(replicas.urls.map(async url => (await fetch(url + path)).status))
  const refusals = () => load.responses.map(({ status }) => status).filter(status => status !== 202)
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(20)

  await database.stop('SIGKILL')
  await expect.poll(() => statusesOf('/readyz')).toEqual([503, 503])
  await expect.poll(() => refusals().length).toBeGreaterThan(0)
  for (const path of ['/', '/healthz']) expect(await statusesOf(path), path).toEqual([200, 200])
  await database.start()

  await expect.poll(() => statusesOf('/readyz')).toEqual([200, 200])
  const before = new Set(webhook.deliveries)
  const sendersSince = () => new Set(webhook.deliveries.filter(each => !before.has(each)).map(({ path }) => path))
  await expect.poll(() => sendersSince().size).toBe(2)
  await load.stop()
  expect(new Set(refusals())).toEqual(new Set([503]))
  const rows = await rowsOf(database.url, 'SELECT contact FROM leads')
  const stored = new Set(rows.map(({ contact }) => JSON.parse(String(contact)).firstName))
  expect([...load.acknowledged].filter(name => !stored.has(name))).toEqual([])
})
