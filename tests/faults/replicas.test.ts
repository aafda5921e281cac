/** Several servers over one PostgreSQL, as processes: whichever is asked, whichever dies, a lead is kept and delivered. */
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { killReplicas } from '../drills/kill-replicas.ts'
import { sendLead } from '../support/lead-load.ts'
import { createDatabase, rowsOf } from '../support/postgres-server.ts'
import { Replicas } from '../support/replicas.ts'
import { seededRandom } from './seeded-random.ts'
import { MisbehavingWebhook } from './webhook.ts'

const SEED = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 32))

vi.setConfig({ testTimeout: 90_000, hookTimeout: 30_000 })

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
  replicas = new Replicas({ databaseUrl, webhookUrl: `http://127.0.0.1:${webhook.port}` })
})
afterEach(async () => {
  await replicas.killAll()
  await webhook.down()
  await removeDatabase()
})

const startAll = (count: number) => Promise.all(Array.from({ length: count }, () => replicas.start()))
const urlOf = (life: { readonly url: string | null }) => life.url ?? ''
const arrivalsOf = (name: string) => webhook.deliveries.filter(({ query }) => query['firstName'] === name)

test(`of three, one is killed every second: nothing is lost, and only what it was sending comes twice (KILL_SEED=${SEED})`, async () => {
  const report = await killReplicas({
    databaseUrl,
    seconds: 8,
    random: seededRandom(SEED),
    leases: 'are cut short',
  })
  console.log(
    `${report.kills} kills, ${report.acknowledged} acknowledged, ${report.arrivals} arrivals, ${report.doubles} more than once`,
  )
  expect(report).toMatchObject({
    notStored: [],
    notDelivered: [],
    inventedOnes: [],
    underTwoIds: [],
    doublesWithoutAKill: [],
  })
  expect(report.kills).toBeGreaterThan(1)
  expect(report.acknowledged).toBeGreaterThan(20)
  expect(report.doubles, 'no kill fell between a delivery and its record').toBeGreaterThan(0)
  // A worker has no more than this under way.
  expect(report.mostDoublesOfAKill).toBeLessThanOrEqual(16)
})

test('fifty sends of one person at once over three: all are answered with 202, and one is delivered', async () => {
  const urls = (await startAll(3)).map(urlOf)
  const statuses = await Promise.all(Array.from({ length: 50 }, (_, index) => sendLead(urls[index % 3] ?? '', 'ada')))
  expect(statuses).toEqual(Array(50).fill(202))
  const states = await rowsOf(databaseUrl, 'SELECT state FROM leads ORDER BY state')
  expect(states.map(({ state }) => state)).toEqual(['accepted', ...Array(49).fill('repeat')])
  expect(await rowsOf(databaseUrl, 'SELECT lead_id FROM deliveries')).toHaveLength(1)
  await webhook.received(1)
  await expect.poll(() => rowsOf(databaseUrl, `SELECT state FROM deliveries`)).toEqual([{ state: 'delivered' }])
  expect(webhook.deliveries).toHaveLength(1)
})

test('ten start at once on an empty database: all come up, and take leads', async () => {
  const urls = (await startAll(10)).map(urlOf)
  const ready = await Promise.all(urls.map(async url => (await fetch(`${url}/readyz`)).status))
  expect(ready).toEqual(Array(10).fill(200))
  const statuses = await Promise.all(urls.map((url, index) => sendLead(url, `person-${index}`)))
  expect(statuses).toEqual(Array(10).fill(202))
  await webhook.received(10)
  const made = replicas.lives.filter(({ server }) => server.said().includes('created a new store'))
  expect(made).toHaveLength(1)
})

/** A worker that hears nothing looks every five seconds. */
const AT_ONCE_MS = 1500

test('what one captures that has no webhook is delivered at once by another that has', async () => {
  const keeps = await replicas.start({ webhookUrl: '' })
  await replicas.start()
  expect(keeps.server.said()).toContain('leads are stored but not delivered')
  for (const name of ['ada', 'bob', 'carl', 'dora']) {
    expect(await sendLead(urlOf(keeps), name)).toBe(202)
    const acknowledgedAt = performance.now()
    await expect.poll(() => arrivalsOf(name).length, { interval: 10 }).toBe(1)
    expect((arrivalsOf(name)[0]?.at ?? 0) - acknowledgedAt, name).toBeLessThan(AT_ONCE_MS)
  }
})

test('what one captures whose deliveries all hang is delivered at once by another', async () => {
  const [hangs, free] = await startAll(2)
  if (!hangs || !free) throw new Error('They did not start.')
  webhook.behave = ({ path }) => (path === hangs.path ? 'hangs' : { status: 200 })
  const hanging = () => webhook.deliveries.filter(({ path }) => path === hangs.path).length
  // The other takes its share of them, too.
  for (let lead = 0; hanging() < 4; lead++) {
    expect(await sendLead(urlOf(hangs), `first-${lead}`)).toBe(202)
    await webhook.received(lead + 1)
  }
  for (const name of ['ada', 'bob', 'carl']) {
    expect(await sendLead(urlOf(hangs), name)).toBe(202)
    const acknowledgedAt = performance.now()
    await expect.poll(() => arrivalsOf(name).length, { interval: 10 }).toBe(1)
    expect(arrivalsOf(name)[0]?.path, name).toBe(free.path)
    expect((arrivalsOf(name)[0]?.at ?? 0) - acknowledgedAt, name).toBeLessThan(AT_ONCE_MS)
  }
})
