/**
 * Repeatedly sends SIGKILL to servers that share a store, under load. Every acknowledged lead must be stored and
 * delivered, and delivered twice only if its sender was killed while sending it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type LeadLoad, startLoad } from './lead-load.ts'
import { type ReplicaRun, Replicas } from './processes.ts'
import { until } from './until.ts'
import { type Delivery, MisbehavingWebhook } from './webhook.ts'

const VISITORS = 8

export interface KillDrill {
  /** Settings for an empty store. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a statement on that store. */
  readonly sql: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly servers: number
  readonly kills: number
  /** The minimum time between kills. */
  readonly everyMs?: number
  readonly random: () => number
  /** Expires killed servers' leases immediately instead of waiting a minute. */
  readonly expireLeases?: boolean
}

export async function killServers(drill: KillDrill) {
  const { env, sql, servers, kills, everyMs = 0, random, expireLeases } = drill
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  const respond = () => ({ status: 200, afterMs: random() * 20 })
  webhook.behave = respond
  const replicas = new Replicas(env, `http://127.0.0.1:${webhook.port}`)

  /** On the first call, the store is still being created. */
  async function killOneWhileItStarts(): Promise<void> {
    const started = replicas.start()
    await sleep(random() * 500)
    await replicas.kill(replicas.runs.at(-1) as ReplicaRun)
    await started
  }

  try {
    await killOneWhileItStarts()
    await Promise.all(Array.from({ length: servers }, () => replicas.start()))
    const load = startLoad({ servers: () => replicas.urls, visitors: VISITORS, pauseMs: 20, random })
    const restarts: Promise<unknown>[] = []
    for (let kill = 0; kill < kills; kill++) {
      const [victim] = await Promise.all([until(() => pick(replicas.serving, random)), sleep(everyMs)])
      // The victim's deliveries hang, so the kill comes between sending a lead and recording it.
      webhook.behave = ({ path }) => (path === victim.path ? 'hangs' : respond())
      const before = webhook.deliveries.length
      await until(() => webhook.deliveries.slice(before).find(({ path }) => path === victim.path))
      await replicas.kill(victim)
      if (kill === 0) await killOneWhileItStarts()
      restarts.push(replicas.start())
    }
    webhook.behave = respond
    await Promise.all(restarts)
    await load.stop()
    if (expireLeases) {
      // Stop the survivors first, or their in-flight deliveries would be sent again.
      await replicas.stopAll()
      await sql(`UPDATE outbox SET next_at = 0 WHERE state = 'pending'`)
      await replicas.start()
    }
    await until(async () => (await sql(`SELECT 1 FROM outbox WHERE state = 'pending' LIMIT 1`)).length === 0)
    await replicas.stopAll()
    return compare(await sql('SELECT contact FROM leads'), load, webhook.deliveries, replicas.runs)
  } finally {
    await replicas.killAll()
    await webhook.down()
  }
}

const pick = <T>(from: readonly T[], random: () => number): T | undefined => from[Math.floor(random() * from.length)]

function compare(
  rows: readonly Readonly<Record<string, unknown>>[],
  load: LeadLoad,
  deliveries: readonly Delivery[],
  runs: readonly ReplicaRun[],
) {
  const stored = new Set(rows.map(({ contact }) => JSON.parse(String(contact)).firstName as string))
  const byPerson = Map.groupBy(deliveries, ({ query }) => query['firstName'] ?? '')
  const byId = Map.groupBy(deliveries, ({ webhookId }) => webhookId)
  const repeated = [...byId].filter(([, arrivals]) => arrivals.length > 1)
  const senderDied = ([webhookId, arrivals]: readonly [string, readonly Delivery[]]) =>
    arrivals.slice(0, -1).every(({ path }) => {
      const sender = runs.find(run => path.endsWith(run.path))
      return sender?.killed === true && !hasRecorded(sender, webhookId)
    })
  const perSender = Map.groupBy(
    repeated.flatMap(([, arrivals]) => arrivals.slice(0, -1)),
    ({ path }) => path,
  )
  return {
    acknowledged: load.acknowledged.size,
    /** Deliveries beyond each lead's first. */
    repeats: deliveries.length - byId.size,
    /** The most repeats from any one killed server. */
    maxRepeatsPerKill: Math.max(0, ...[...perSender.values()].map(arrivals => arrivals.length)),
    /** Names or webhook IDs. Each list must be empty. */
    mistakes: {
      /** Acknowledged, but not stored, or not delivered. */
      notStored: [...load.acknowledged].filter(name => !stored.has(name)),
      notDelivered: [...load.acknowledged].filter(name => !byPerson.has(name)),
      /** Stored or delivered, but never sent. */
      invented: [...stored, ...byPerson.keys()].filter(name => !load.sent.has(name)),
      underTwoIds: [...byPerson]
        .filter(([, arrivals]) => new Set(arrivals.map(({ webhookId }) => webhookId)).size > 1)
        .map(([name]) => name),
      /** Delivered twice even though its sender wasn't killed. */
      repeatsWithoutAKill: repeated.filter(each => !senderDied(each)).map(([webhookId]) => webhookId),
    },
  }
}

/** Whether the server logged that it had recorded the delivery before it was killed. */
function hasRecorded({ server }: ReplicaRun, webhookId: string): boolean {
  const lead = `"lead":"${webhookId.replace('lead_', '')}"`
  return server
    .output()
    .split('\n')
    .some(line => line.includes(lead) && line.includes('"recorded":true'))
}
