/**
 * Kills the primary under load and promotes its standby. Every acknowledged lead must survive. The standby is made to lag
 * first; otherwise, nothing would be lost either way. The run with asynchronous commits proves that the drill can fail.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type LeadLoad, startLoad } from '../../tests/support/lead-load.ts'
import { rowsOf } from '../../tests/support/postgres-server.ts'
import { Replicas } from '../../tests/support/processes.ts'
import { startPair, walSenderOf } from './debian-postgres.ts'

const REPLICAS = 2
const VISITORS = 16
const LAG_MS = 700
/** Longer than the server lets a visitor wait, so some leads are refused. */
const DOWNTIME_MS = 7000

export interface FailoverReport {
  readonly commits: 'synchronous' | 'asynchronous'
  readonly acknowledged: number
  /** Acknowledged leads that are missing from the database after the promotion. */
  readonly lost: number
  /** Responses with status 503 while there was no primary. */
  readonly refused: number
  /** Responses with any status other than 202 or 503. */
  readonly otherResponses: number
  /** Time from the promotion until every replica accepts leads and is ready. */
  readonly recoveryMs: number
}

export async function failOver(commits: 'synchronous' | 'asynchronous'): Promise<FailoverReport> {
  const pair = await startPair(commits)
  const replicas = new Replicas({ DATABASE_URL: pair.url })
  try {
    await Promise.all(Array.from({ length: REPLICAS }, () => replicas.start()))
    const load = startLoad({ servers: () => replicas.urls, visitors: VISITORS, pauseMs: 2, random: Math.random })
    await sleep(3000)

    process.kill(await walSenderOf(pair.primary), 'SIGSTOP')
    await sleep(LAG_MS)
    await pair.primary.kill('SIGKILL')
    await sleep(DOWNTIME_MS)
    await pair.standby.promote()
    const promotedAt = performance.now()
    await untilAllAcceptLeads(replicas.urls, load)
    const recoveryMs = performance.now() - promotedAt

    await sleep(1000)
    await load.stop()
    const rows = await rowsOf(pair.standby.url, "SELECT contact::json ->> 'firstName' AS name FROM leads")
    const stored = new Set(rows.map(row => row['name']))
    const statuses = load.responses.map(({ status }) => status)
    return {
      commits,
      acknowledged: load.acknowledged.size,
      lost: [...load.acknowledged].filter(name => !stored.has(name)).length,
      refused: statuses.filter(status => status === 503).length,
      otherResponses: statuses.filter(status => status !== 202 && status !== 503).length,
      recoveryMs,
    }
  } finally {
    await replicas.killAll()
    await pair.remove()
  }
}

/** Waits until every replica is ready and accepts leads again. */
async function untilAllAcceptLeads(urls: readonly string[], load: LeadLoad): Promise<void> {
  const before = load.acknowledged.size
  for (;;) {
    const ready = await Promise.all(urls.map(async url => (await fetch(`${url}/readyz`)).status === 200))
    if (ready.every(Boolean) && load.acknowledged.size > before) return
    await sleep(20)
  }
}
