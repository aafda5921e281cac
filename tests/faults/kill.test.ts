/**
 * kill -9 at random moments under load, again and again: what was answered with 202 is in the store and reaches the
 * webhook, and nothing reaches it that nobody sent.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { createDeliveryWorker } from '../../server/delivery/worker.ts'
import { versionOf } from '../../server/presented-version.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { contactOf } from './lead-store.ts'
import { seededRandom } from './seeded-random.ts'
import { MisbehavingWebhook } from './webhook.ts'

const ROUNDS = 20
const CONNECTIONS = 8
const SEED = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 32))

const folder = mkdtempSync(join(tmpdir(), 'leads-'))
const file = storeFile(folder)
const consentVersion = versionOf(consentAsPresented(consent))
const webhook = new MisbehavingWebhook()
const random = seededRandom(SEED)
const sent = new Set<string>()
const acknowledged = new Set<string>()
let server: ServerProcess | undefined

beforeEach(() => webhook.up())

afterEach(async () => {
  server?.child.kill('SIGKILL')
  await webhook.down()
  rmSync(folder, { recursive: true })
})

test(`no lead is lost, invented or renamed in ${ROUNDS} rounds of kill -9 (KILL_SEED=${SEED})`, async () => {
  // Slow enough that every kill finds deliveries between their sending and their record.
  webhook.behave = () => ({ status: 200, afterMs: 1 + random() * 15 })
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 5 === 0) await killWhileItStarts()
    const load = startLoad(await startServer())
    await wait(random() * 300)
    await killServer()
    await load.stop()
  }
  await deliverTheRest()

  const stored = storedNames()
  const delivered = new Set(webhook.deliveries.map(({ query }) => query['firstName'] ?? ''))
  const webhookIds = new Map<string, Set<string>>()
  for (const { query, webhookId } of webhook.deliveries) {
    const name = query['firstName'] ?? ''
    webhookIds.set(name, (webhookIds.get(name) ?? new Set()).add(webhookId))
  }
  const repetitions = webhook.deliveries.length - delivered.size
  console.log(
    `${sent.size} sent, ${acknowledged.size} acknowledged, ${stored.size} stored, ${delivered.size} delivered, ${repetitions} more than once`,
  )

  expect(acknowledged.size).toBeGreaterThan(ROUNDS)
  expect(missing(acknowledged, stored), 'acknowledged, but not stored').toEqual([])
  expect(missing(acknowledged, delivered), 'acknowledged, but not delivered').toEqual([])
  expect(missing(stored, sent), 'stored, but never sent').toEqual([])
  expect(missing(delivered, stored), 'delivered, but not stored').toEqual([])
  expect(repetitions, 'no kill fell between a delivery and its record').toBeGreaterThan(0)
  expect(
    [...webhookIds].filter(([, ids]) => ids.size > 1),
    'delivered under two ids',
  ).toEqual([])
})

/** What the first have that the second lack. */
function missing(these: ReadonlySet<string>, those: ReadonlySet<string>): readonly string[] {
  return [...these].filter(each => !those.has(each))
}

function start(): ServerProcess {
  // It believes the forwarded-for header of the visitors below, who would else all have one address.
  server = spawnServer({ DATA_DIR: folder, LEAD_WEBHOOK_URL: webhook.url, TRUST_PROXY: '127.0.0.1' })
  return server
}

/** The first time, this falls into the creation of the store. */
async function killWhileItStarts(): Promise<void> {
  start()
  await wait(100 + random() * 300)
  await killServer()
}

const startServer = (): Promise<string> => start().url

async function killServer(): Promise<void> {
  if (server?.child.exitCode !== null) throw new Error('the server ended by itself')
  server.child.kill('SIGKILL')
  await server.exit
}

/** What the killed ones held comes due again a minute after their death: by the clock of this store, that has passed. */
async function deliverTheRest(): Promise<void> {
  const now = () => Date.now() + 2 * 60_000
  const store = openSqliteStore(file, { now })
  const worker = createDeliveryWorker({ store, webhook: { url: webhook.url }, now, log: () => {} })
  worker.start()
  await expect.poll(countPending, { interval: 100 }).toBe(0)
  await worker.stop()
  await store.close()
}

/** Several visitors at once, each sending one lead after the other until the process is gone. */
function startLoad(url: string): { stop: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let running = true
  const visitors = Array.from({ length: CONNECTIONS }, async () => {
    while (running) {
      const name = `lead-${sent.size}`
      sent.add(name)
      if ((await submit(url, name, agent)) === 202) acknowledged.add(name)
      await wait(random() * 10)
    }
  })
  return {
    stop: async () => {
      running = false
      await Promise.all(visitors)
      agent.destroy()
    },
  }
}

/** The status, or null when the server died over it. */
function submit(url: string, name: string, agent: Agent): Promise<number | null> {
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-consent-version': consentVersion,
    'x-forwarded-for': `10.0.${sent.size >> 8}.${sent.size & 255}`,
  }
  return new Promise(resolve => {
    get(`${url}/api/leads?${leadQuery(contactOf(name))}`, { agent, headers }, response => {
      response.resume()
      resolve(response.statusCode ?? null)
    }).on('error', () => resolve(null))
  })
}

function countPending(): number {
  return rowsOf(file, `SELECT lead_id FROM deliveries WHERE state <> 'delivered'`).length
}

function storedNames(): Set<string> {
  return new Set(rowsOf(file, "SELECT contact ->> 'firstName' AS name FROM leads").map(row => String(row['name'])))
}
