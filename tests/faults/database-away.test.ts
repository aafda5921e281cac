/** PostgreSQL is cut off and comes back under load: what visitors and load balancers are told, and that all recovers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LeadLoad, startLoad } from '../support/lead-load.ts'
import { createDatabase, type PostgresServer, rowsOf, startPostgres } from '../support/postgres-server.ts'
import { Replicas } from '../support/replicas.ts'
import { MisbehavingWebhook } from './webhook.ts'

/** Longer than a visitor is made to wait for the database, so that some are refused. */
const AWAY_MS = 7000
const BACK_WITHIN_MS = 5000

const webhook = new MisbehavingWebhook()
let server: PostgresServer
let databaseUrl: string
let replicas: Replicas

beforeAll(async () => {
  server = await startPostgres()
  databaseUrl = (await createDatabase(server.url)).url
  await webhook.up()
  replicas = new Replicas({ databaseUrl, webhookUrl: `http://127.0.0.1:${webhook.port}` })
  await Promise.all([replicas.start(), replicas.start()])
})
afterAll(async () => {
  await replicas.killAll()
  await webhook.down()
  await server.remove()
})

test('while the database is away leads are refused with 503 and pages are served; then all goes on, and nothing is lost', async () => {
  const load = startLoad({ servers: () => replicas.urls, visitors: 8, pauseMs: 20, random: Math.random })
  const looks = lookAt(replicas.urls)
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50)

  const leftAt = performance.now()
  await server.stop('SIGKILL')
  await sleep(AWAY_MS)
  await server.start()
  const backAt = performance.now()
  const backAfter = await untilFullService(load)
  await load.stop()
  await looks.stop()

  const during = (at: number) => at > leftAt && at < backAt
  const refusals = load.answers.filter(({ status }) => status !== 202)
  expect(new Set(refusals.map(({ status }) => status)), 'how leads were refused').toEqual(new Set([503]))
  expect(refusals.some(({ at }) => during(at))).toBe(true)
  for (const path of ['/', '/healthz']) {
    expect(new Set(looks.of(path).map(({ status }) => status)), path).toEqual(new Set([200]))
  }
  const readiness = looks.of('/readyz')
  expect(readiness.some(({ at, status }) => during(at) && status === 503)).toBe(true)
  expect(new Set(readiness.map(({ status }) => status))).toEqual(new Set([200, 503]))
  console.log(`back after ${Math.round(backAfter)} ms; ${load.acknowledged.size} acknowledged, ${refusals.length} 503s`)
  expect(backAfter).toBeLessThan(BACK_WITHIN_MS)

  const stored = new Set(
    (await rowsOf(databaseUrl, "SELECT contact::json ->> 'firstName' AS name FROM leads")).map(row => row['name']),
  )
  expect(
    [...load.acknowledged].filter(name => !stored.has(name)),
    'acknowledged, but not stored',
  ).toEqual([])
})

/** Until every replica is ready, leads are taken, and what is taken now reaches the webhook. */
async function untilFullService(load: LeadLoad): Promise<number> {
  const from = performance.now()
  const known = new Set(load.acknowledged)
  const isNew = (name: string | undefined) => name !== undefined && load.acknowledged.has(name) && !known.has(name)
  for (;;) {
    const ready = await Promise.all(replicas.urls.map(async url => (await fetch(`${url}/readyz`)).status === 200))
    const served = webhook.deliveries.filter(({ at, query }) => at > from && isNew(query['firstName']))
    const senders = new Set(served.map(({ path }) => path))
    if (ready.every(Boolean) && senders.size === replicas.urls.length) return performance.now() - from
    if (performance.now() - from > 30_000) throw new Error('There is no full service half a minute later.')
    await sleep(50)
  }
}

interface Look {
  readonly at: number
  readonly path: string
  readonly status: number
}

/** Asks every replica for these again and again, as a load balancer does. */
function lookAt(urls: readonly string[]): { of(path: string): readonly Look[]; stop(): Promise<void> } {
  const looks: Look[] = []
  let looking = true
  const lookers = urls.flatMap(url =>
    ['/', '/healthz', '/readyz'].map(async path => {
      while (looking) {
        const { status } = await fetch(url + path)
        looks.push({ at: performance.now(), path, status })
        await sleep(200)
      }
    }),
  )
  return {
    of: path => looks.filter(look => look.path === path),
    async stop() {
      looking = false
      await Promise.all(lookers)
    },
  }
}
