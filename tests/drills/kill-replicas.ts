/**
 * Three replicas over one PostgreSQL under load, and kill -9 of a random one every second: what was acknowledged must be
 * stored and reach the webhook, and reach it twice only when its sender was killed over it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Delivery, MisbehavingWebhook } from '../faults/webhook.ts'
import { type LeadLoad, startLoad } from '../support/lead-load.ts'
import { rowsOf, runOn } from '../support/postgres-server.ts'
import { type Life, Replicas } from '../support/replicas.ts'

const REPLICAS = 3
const VISITORS = 8

export interface KillDrill {
  /** Of an empty database. */
  readonly databaseUrl: string
  readonly seconds: number
  readonly random: () => number
  /** What a dead replica was sending comes due again a minute after; whoever has no time for that cuts it short. */
  readonly leases: 'end by themselves' | 'are cut short'
}

export interface KillReport {
  readonly kills: number
  readonly sent: number
  readonly acknowledged: number
  readonly refused: number
  readonly arrivals: number
  /** Arrived more than once. */
  readonly doubles: number
  /** Of one killed replica. */
  readonly mostDoublesOfAKill: number
  // What must not be, by name or by webhook-id:
  readonly notStored: readonly string[]
  readonly notDelivered: readonly string[]
  readonly inventedOnes: readonly string[]
  readonly underTwoIds: readonly string[]
  /** Sent again though nobody had died over it. */
  readonly doublesWithoutAKill: readonly string[]
}

export async function killReplicas({ databaseUrl, seconds, random, leases }: KillDrill): Promise<KillReport> {
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  // Slow enough that every kill finds deliveries between their sending and their record.
  webhook.behave = () => ({ status: 200, afterMs: 10 + random() * 40 })
  const replicas = new Replicas({ databaseUrl, webhookUrl: `http://127.0.0.1:${webhook.port}` })
  try {
    await Promise.all(Array.from({ length: REPLICAS }, () => replicas.start()))
    const load = startLoad({ servers: () => replicas.urls, visitors: VISITORS, pauseMs: 60, random })
    const restarts = await killEverySecond(replicas, seconds, random)
    await load.stop()
    await Promise.all(restarts)
    if (leases === 'are cut short') {
      // Those that live are to finish first: what they are sending is no dead one's.
      await replicas.stopAll()
      await runOn(databaseUrl, `UPDATE deliveries SET next_at = 0 WHERE state = 'pending'`)
      await replicas.start()
    }
    await untilAllIsDelivered(databaseUrl)
    await replicas.stopAll()
    return await compare(databaseUrl, load, webhook.deliveries, replicas.lives)
  } finally {
    await replicas.killAll()
    await webhook.down()
  }
}

/** Answers with the starts that are still under way. */
async function killEverySecond(
  replicas: Replicas,
  seconds: number,
  random: () => number,
): Promise<readonly Promise<Life>[]> {
  const restarts: Promise<Life>[] = []
  for (let second = 0; second < seconds; second++) {
    await sleep(1000)
    const { serving } = replicas
    const life = serving[Math.floor(random() * serving.length)]
    // On a slow machine the last ones may all be starting still.
    if (!life) continue
    await replicas.kill(life)
    restarts.push(replicas.start())
  }
  return restarts
}

async function untilAllIsDelivered(databaseUrl: string): Promise<void> {
  const giveUpAt = performance.now() + 120_000
  for (;;) {
    const [row] = await rowsOf(databaseUrl, `SELECT COUNT(*) AS waiting FROM deliveries WHERE state = 'pending'`)
    if (Number(row?.['waiting']) === 0) return
    if (performance.now() > giveUpAt) throw new Error(`${row?.['waiting']} leads were not delivered.`)
    await sleep(200)
  }
}

async function compare(
  databaseUrl: string,
  load: LeadLoad,
  deliveries: readonly Delivery[],
  lives: readonly Life[],
): Promise<KillReport> {
  const rows = await rowsOf(databaseUrl, "SELECT contact::json ->> 'firstName' AS name FROM leads")
  const stored = new Set(rows.map(row => String(row['name'])))
  const byPerson = Map.groupBy(deliveries, ({ query }) => query['firstName'] ?? '')
  const byId = Map.groupBy(deliveries, ({ webhookId }) => webhookId)
  const repeated = [...byId].filter(([, arrivals]) => arrivals.length > 1)
  const diedOver = ([webhookId, arrivals]: readonly [string, readonly Delivery[]]) =>
    arrivals.slice(0, -1).every(({ path }) => {
      const sender = lives.find(life => path.endsWith(life.path))
      return sender?.killed === true && !hasRecorded(sender, webhookId)
    })
  const perSender = Map.groupBy(
    repeated.flatMap(([, arrivals]) => arrivals.slice(0, -1)),
    ({ path }) => path,
  )
  return {
    kills: lives.filter(({ killed }) => killed).length,
    sent: load.sent.size,
    acknowledged: load.acknowledged.size,
    refused: load.answers.filter(({ status }) => status !== 202).length,
    arrivals: deliveries.length,
    doubles: deliveries.length - byId.size,
    mostDoublesOfAKill: Math.max(0, ...[...perSender.values()].map(arrivals => arrivals.length)),
    notStored: [...load.acknowledged].filter(name => !stored.has(name)),
    notDelivered: [...load.acknowledged].filter(name => !byPerson.has(name)),
    inventedOnes: [...stored, ...byPerson.keys()].filter(name => !load.sent.has(name)),
    underTwoIds: [...byPerson]
      .filter(([, arrivals]) => new Set(arrivals.map(({ webhookId }) => webhookId)).size > 1)
      .map(([name]) => name),
    doublesWithoutAKill: repeated.filter(each => !diedOver(each)).map(([webhookId]) => webhookId),
  }
}

/** Whether it had said so before it died: then it was not in flight. */
function hasRecorded({ server }: Life, webhookId: string): boolean {
  const lead = `"lead":"${webhookId.replace('lead_', '')}"`
  return server
    .said()
    .split('\n')
    .some(line => line.includes(lead) && line.includes('"recorded":true'))
}
