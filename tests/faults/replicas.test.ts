/** Multiple servers on one database: any server can accept or deliver a lead, and all recover from a database outage. */
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openPostgresStore } from '../../server/store/postgres/postgres-store.ts'
import { sendLead, startLoad } from '../support/lead-load.ts'
import { createDatabase, rowsOf, startPostgres } from '../support/postgres-server.ts'
import { Replicas } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

const webhook = new MisbehavingWebhook()
let databaseUrl: string
let removeDatabase: () => Promise<void>
let replicas: Replicas

beforeEach(async () => {
  const database = await createDatabase(inject('postgresUrl'))
  databaseUrl = database.url
  removeDatabase = database.remove
  await webhook.up()
  webhook.deliveries.length = 0
  webhook.behave = () => ({ status: 200 })
  replicas = new Replicas({ DATABASE_URL: databaseUrl }, `http://127.0.0.1:${webhook.port}`)
})
afterEach(async () => {
  await replicas.killAll()
  await webhook.down()
  await removeDatabase()
})

const urlOf = (run: { readonly url: string | null }) => run.url ?? ''

test('a lead that one server accepted is delivered by another', async () => {
  const receiver = await replicas.start()
  const store = await openPostgresStore(databaseUrl, { access: 'client' })
  await store.pauseDeliveries({ reason: '', by: 'test' })
  expect(await sendLead(urlOf(receiver), 'ada')).toBe(202)
  await replicas.kill(receiver)
  const sender = await replicas.start()
  await store.resumeDeliveries({ by: 'test' })
  await store.close()
  await webhook.received(1)
  expect(webhook.deliveries).toMatchObject([{ path: sender.path, query: { firstName: 'ada' } }])
})

test('while the database is down, leads get a 503 and pages are still served; afterward, service resumes, and no lead is lost', async () => {
  const database = await startPostgres()
  replicas = new Replicas({ DATABASE_URL: database.url }, `http://127.0.0.1:${webhook.port}`)
  try {
    await Promise.all([replicas.start(), replicas.start()])
    const load = startLoad({ servers: () => replicas.urls, visitors: 8, pauseMs: 20, random: Math.random })
    const statusesOf = (path: string) => Promise.all(replicas.urls.map(async url => (await fetch(url + path)).status))
    const refusals = () => load.responses.map(({ status }) => status).filter(status => status !== 202)
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50)

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
  } finally {
    await replicas.killAll()
    await database.remove()
  }
})
