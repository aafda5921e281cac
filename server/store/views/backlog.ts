/** Deliveries: what waits or failed, what a person has to decide about, and how long the webhook takes. */
import {
  ADDRESS_REFUSED,
  aboutLead,
  type EventType,
  inLane,
  isClosedLead,
  isUnsent,
  type Lane,
  type LetterType,
  TEAM_LETTER,
} from '../facts/deliveries/messages.ts'
import { isClosedByList, isUndecided } from '../facts/do-not-call/stops.ts'
import { isEvent } from '../facts/leads/events.ts'
import { firstIdAt } from '../facts/leads/lead-id.ts'
import { isDead, isHeld, isMessage, isPending } from '../facts/leads/states.ts'
import type { Sql, SqlPort } from '../sql.ts'

/** An event that failed, that waits, or that a person tells the CRM. */
export interface QueuedEvent {
  readonly id: string
  readonly leadId: string
  readonly type: EventType
  readonly state: 'pending' | 'dead' | 'by hand'
  readonly createdAt: number
  readonly attempts: number
  readonly detail: Readonly<Record<string, unknown>>
  /** The webhook's answer when it failed for good the last time, perhaps before someone sent it again. */
  readonly failedWith: string | null
}

export interface Backlog {
  readonly pending: number
  readonly oldestPendingAgeMs: number
  readonly dead: number
  readonly held: number
  readonly oldestHeldAgeMs: number
  /** How far ahead of the clock the newest lead is. Zero unless the clock was set back. */
  readonly aheadMs: number
  /** Stops and other events that the webhook hasn't heard of. */
  readonly events: Readonly<Record<'pending' | 'oldestPendingAgeMs' | 'deadStops' | 'deadCalls' | 'byHand', number>>
  /** Without the one to the team that waits for its time. `refused`: failed because of the visitor's address; not in the other figures. */
  readonly letters: Readonly<Record<'pending' | 'oldestPendingAgeMs' | 'dead' | 'refused', number>>
}

/** While the webhook is down, a hundred thousand deliveries may be waiting, so don't scan them all on every request. */
const SCAN_FACTOR = 10
/** A lead that wasn't on hold enters the outbox when it's received, give or take clock skew with the database. */
const MAX_SKEW_MS = 60_000

export function createBacklog({ read, now }: SqlPort) {
  return {
    /** Must be fast for a backlog of any size, because it's called every minute while leads come in. */
    backlog: async () => backlog(read, await now()),
    /**
     * Milliseconds from receipt to the webhook's 2xx response, for the latest delivered leads received after `since`, excluding
     * leads that were on hold or resent. Reads at most ten times `limit` deliveries.
     */
    async webhookTimes({ since, limit }: { readonly since: number; readonly limit: number }) {
      // Start from the outbox and limit its IDs directly, so the planner doesn't scan all leads.
      const rows = await read<{ took: number }>(
        `SELECT latest.finished_at - leads.received_at AS took FROM (
           SELECT id, state, created_at, finished_at FROM outbox WHERE lane = 'leads' AND id >= $1 ORDER BY id DESC LIMIT $3
         ) AS latest JOIN leads ON leads.id = latest.id
         WHERE ${isMessage('delivered', 'latest')} AND latest.created_at - leads.received_at < ${MAX_SKEW_MS} ORDER BY latest.id DESC LIMIT $2`,
        [firstIdAt(since), limit, limit * SCAN_FACTOR],
      )
      return rows.map(({ took }) => Math.max(0, took))
    },
    /** Oldest first. */
    async queuedEvents({ lane, limit }: { readonly lane: 'stops' | 'calls'; readonly limit: number }) {
      const rows = await read<Omit<QueuedEvent, 'detail' | 'failedWith'> & { detail: string }>(
        `SELECT id, lead_id, type, state, created_at, attempts, detail FROM outbox
         WHERE ${inLane(lane)} AND NOT ${isMessage('told')} ORDER BY created_at, lead_id, id LIMIT $1`,
        [limit],
      )
      const failures = await read<{ leadId: string; detail: string }>(
        `SELECT lead_id, detail FROM history WHERE lead_id = ANY($1) AND ${isEvent('event failed')} ORDER BY at`,
        [rows.map(({ leadId }) => leadId)],
      )
      const answers = new Map(
        failures.map(({ leadId, detail }) => {
          const { type, outcome } = JSON.parse(detail) as { type: EventType; outcome: string }
          return [`${leadId} ${type}`, outcome]
        }),
      )
      return rows.map((row): QueuedEvent => {
        const failedWith = answers.get(`${row.leadId} ${row.type}`) ?? null
        return { ...row, detail: JSON.parse(row.detail), failedWith }
      })
    },
    /** How many leads are being sent again after they failed, and when and why the latest did. Null if there are none. */
    async retriedLeads() {
      const failed = `FROM outbox JOIN leads ON leads.id = outbox.id JOIN attempts ON attempts.lead_id = outbox.id
         WHERE ${isPending} AND outbox.lane = 'leads' AND NOT ${isClosedByList} AND attempts.outcome <> 'delivered'`
      const [row] = await read<{ leads: number }>(`SELECT COUNT(DISTINCT outbox.id) AS leads ${failed}`)
      const [last] = await read<{ at: number; outcome: string }>(
        `SELECT attempts.at, attempts.outcome ${failed} ORDER BY attempts.at DESC LIMIT 1`,
      )
      return row && last ? { ...row, ...last } : null
    },
    /** Letters that failed after the last retry, oldest first. */
    async failedLetters({ limit }: { readonly limit: number }) {
      const rows = await read<{ id: string; leadId: string; type: LetterType; createdAt: number; detail: string }>(
        `SELECT id, lead_id, type, created_at, detail FROM outbox WHERE ${isDead} AND lane = 'mail'
         ORDER BY created_at, id LIMIT $1`,
        [limit],
      )
      return rows.map(({ detail, ...letter }) => ({ ...letter, isAddressRefused: detail === ADDRESS_REFUSED }))
    },
  }
}

/** Reads only indexes and leads on hold, which are few. IDs start with the time of receipt. */
async function backlog(sql: Sql, at: number): Promise<Backlog> {
  const toSend = `FROM outbox JOIN leads ON leads.id = outbox.id WHERE outbox.lane = 'leads' AND NOT ${isClosedByList}`
  const dead = (lane: Lane) => `(SELECT COUNT(*) FROM outbox WHERE ${isDead} AND lane = '${lane}')`
  // What's told about a closed lead waits with it.
  const events = `FROM outbox WHERE ${isPending} AND lane IN ('stops', 'calls') AND NOT ${aboutLead(`${isUnsent} AND ${isClosedLead}`)}`
  const isRefused = `detail = '${ADDRESS_REFUSED}'`
  const letters = `FROM outbox WHERE ${isPending} AND lane = 'mail' AND id <> '${TEAM_LETTER}' AND NOT ${isRefused}`
  const deadLetters = `SELECT COUNT(*) FROM outbox WHERE ${isDead} AND lane = 'mail' AND`
  const heldLeads = `FROM leads WHERE ${isHeld} AND ${isUndecided}`
  const [row] = await sql<
    Record<
      | 'pending'
      | 'dead'
      | 'held'
      | 'events'
      | 'deadStops'
      | 'deadCalls'
      | 'byHand'
      | 'letters'
      | 'deadLetters'
      | 'refusedLetters',
      number
    > &
      Record<'oldest' | 'oldestHeld' | 'oldestEvent' | 'oldestLetter' | 'newest', number | null>
  >(
    `SELECT COUNT(*) AS pending, MIN(outbox.created_at) AS oldest,
       (SELECT COUNT(*) ${toSend} AND ${isDead}) AS dead, ${dead('stops')} AS dead_stops, ${dead('calls')} AS dead_calls,
       (SELECT COUNT(*) ${events}) AS events, (SELECT MIN(created_at) ${events}) AS oldest_event,
       (SELECT COUNT(*) ${letters}) AS letters, (SELECT MIN(created_at) ${letters}) AS oldest_letter,
       (${deadLetters} NOT ${isRefused}) AS dead_letters, (${deadLetters} ${isRefused}) AS refused_letters,
       (SELECT COUNT(*) ${heldLeads}) AS held, (SELECT MIN(held_at) ${heldLeads}) AS oldest_held,
       (SELECT received_at FROM leads ORDER BY id DESC LIMIT 1) AS newest,
       (SELECT COUNT(*) FROM outbox WHERE ${isMessage('by hand')} AND lane <> 'leads') AS by_hand
     ${toSend} AND ${isPending} AND outbox.put_off = 0`,
  )
  const age = (time: number | null | undefined) => Math.max(0, at - (time ?? at))
  return {
    pending: row?.pending ?? 0,
    oldestPendingAgeMs: age(row?.oldest),
    dead: row?.dead ?? 0,
    held: row?.held ?? 0,
    oldestHeldAgeMs: age(row?.oldestHeld),
    aheadMs: Math.max(0, (row?.newest ?? at) - at),
    events: {
      pending: row?.events ?? 0,
      oldestPendingAgeMs: age(row?.oldestEvent),
      deadStops: row?.deadStops ?? 0,
      deadCalls: row?.deadCalls ?? 0,
      byHand: row?.byHand ?? 0,
    },
    letters: {
      pending: row?.letters ?? 0,
      oldestPendingAgeMs: age(row?.oldestLetter),
      dead: row?.deadLetters ?? 0,
      refused: row?.refusedLetters ?? 0,
    },
  }
}
