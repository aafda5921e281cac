/**
 * The outbox: what the webhook is to hear, and letters, with one lease, one retry schedule, and one failed state for leads and events alike. A row
 * stays until it's delivered or a person dismisses it. Events have no personal data: the receiver knows the lead by its ID.
 */
import { randomUUID } from 'node:crypto'
import type { Contact } from '../../../domain/lead.ts'
import { isClosedByList, isUndecided } from '../do-not-call/stops.ts'
import { openAmong, takeBackStops, tellOfStop } from '../do-not-call/tell-crm.ts'
import { addHistory } from '../leads/history.ts'
import { firstIdAt } from '../leads/lead-id.ts'
import type { LeadDetails } from '../leads/lead-records.ts'
import { leadColumns, presentedColumns, presentedJoins, type RowOf, readLead } from '../leads/lead-rows.ts'
import { isDead, isHeld, isLead, isMessage, isNotErased, isPending, setMessage } from '../leads/states.ts'
import { insert, type Sql, type SqlPort, type Tx } from '../sql.ts'
import { NOT_PAUSED } from './delivery-pause.ts'
import { lettersToSend, rememberTeamLetter, TEAM_LETTER } from './letters.ts'
import {
  type EventType,
  inLane,
  type Lane,
  type LetterType,
  type MessageType,
  messageOf,
  webhookLanes,
} from './messages.ts'
import { mayHaveArrived } from './sent-to-crm.ts'

/** The lead data sent to the webhook. */
export interface LeadToSend
  extends Pick<
      LeadDetails,
      'receivedAt' | 'repeatOf' | 'page' | 'language' | 'campaign' | 'certificate' | 'trustedForm'
    >,
    Pick<
      LeadDetails,
      'consentVersion' | 'consentTakenBy' | 'consentPresented' | 'questionnaireVersion' | 'questionnairePresented'
    > {
  readonly leadId: string
  readonly contact: Contact
  readonly clientAddress: string
  readonly userAgent: string
  /** If it wasn't when the lead was received. */
  readonly consentGivenAt?: number
}

/** Until the lease ends, only its holder sends the message. After that, it's due again. */
export interface LeasedMessage {
  readonly id: string
  readonly leadId: string
  readonly type: MessageType
  readonly createdAt: number
  /** A new random value for every lease. */
  readonly leaseToken: string
  /** Attempts before this one. */
  readonly attempts: number
  /** Null for events, except corrections. For a letter: the lead that it's about, unless it was erased. */
  readonly lead: LeadToSend | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** `reason` is plain English, without personal data. */
export type Settlement = Pick<LeasedMessage, 'id' | 'leaseToken'> & {
  /** How long the attempt took; it ended just now. */
  readonly durationMs: number
  /** The HTTP status, if there was a response. */
  readonly status: number | null
} & (
    | { readonly result: 'delivered' }
    | { readonly result: 'retry'; readonly reason: string; readonly retryInMs: number }
    /** `isUnsent`: nothing was sent, because the webhook's format can't carry it. */
    | { readonly result: 'dead'; readonly reason: string; readonly isUnsent?: boolean }
  )

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
  /** Without the one to the team that waits for its time. */
  readonly letters: Readonly<Record<'pending' | 'oldestPendingAgeMs' | 'dead', number>>
}

/** An event that failed, that waits, or that a person tells the CRM. */
export interface QueuedEvent {
  readonly id: string
  readonly leadId: string
  readonly type: EventType
  readonly state: 'pending' | 'dead' | 'by hand'
  readonly createdAt: number
  readonly attempts: number
  readonly detail: Readonly<Record<string, unknown>>
}

/** While the webhook is down, a hundred thousand deliveries may be waiting, so don't scan them all on every request. */
const SCAN_FACTOR = 10
/** A lead that wasn't on hold enters the outbox when it's received, give or take clock skew with the database. */
const MAX_SKEW_MS = 60_000

const isTold = isMessage('told')

/** SQL: an attempt is under way at this time. */
const isInFlight = (at: string, table = 'outbox') => `${table}.lease_token IS NOT NULL AND ${table}.next_at > ${at}`

/** SQL: the lead that an event is about waits. */
const isWaiting = isMessage('pending', 'lead')
/** SQL: and nothing of it was sent. */
const isUnsent = `${isWaiting} AND NOT ${mayHaveArrived('lead')}`
/** SQL: it isn't sent, although its row waits: its number is closed. */
const isClosedLead = `EXISTS (SELECT 1 FROM leads WHERE leads.id = lead.id AND ${isClosedByList})`
const aboutLead = (is: string) => `EXISTS (SELECT 1 FROM outbox AS lead WHERE lead.id = outbox.lead_id AND (${is}))`

/**
 * SQL for each lane: which due rows may be leased. An erased lead has nothing left to send. An event never overtakes earlier events of
 * its type about the lead, nor a lead that's still to be sent.
 */
const event = `NOT ${aboutLead(`${isInFlight('$1', 'lead')} OR ${isUnsent} OR ${isWaiting} AND NOT ${isClosedLead}`)}
  AND NOT EXISTS (SELECT 1 FROM outbox AS earlier WHERE earlier.lead_id = outbox.lead_id AND earlier.lane <> 'leads'
    AND earlier.type = outbox.type AND ${isMessage('pending', 'earlier')}
    AND (earlier.created_at, earlier.id) < (outbox.created_at, outbox.id))`
const leasable: Readonly<Record<Lane, string>> = {
  leads: `EXISTS (SELECT 1 FROM leads WHERE leads.id = outbox.id AND ${isNotErased})`,
  stops: event,
  calls: event,
  mail: 'true',
}

/** A closed lead is looked at again after this long, in case its removal went unnoticed. */
const PUT_OFF_MS = 24 * 60 * 60_000
/** How many closed leads are put off at once, if nothing else is due. On SQLite, captures wait for that. */
const PUT_OFF_AT_ONCE = 100

/** Apart, because one index has them one after the other. */
const nextIn = (lane: Lane, putOff: 0 | 1) => `SELECT * FROM (
  SELECT next_at FROM outbox WHERE lane = '${lane}' AND ${isPending} AND put_off = ${putOff} AND ${leasable[lane]}
  ORDER BY next_at LIMIT 1
) AS ${lane}_${putOff}`
const nextOf = (lanes: readonly Lane[]) => {
  const rows = lanes.flatMap(lane => (lane === 'leads' ? [nextIn(lane, 0), nextIn(lane, 1)] : [nextIn(lane, 0)]))
  return rows.join(' UNION ALL ')
}

/** SQL: a pause is about the webhook. Mail goes on. */
const isRunning = (lane: Lane) => (lane === 'mail' ? 'true' : NOT_PAUSED)

export function createOutbox(port: SqlPort, onDue: () => void) {
  const { read, transact, now } = port
  return {
    /**
     * Leases a lane's due messages, oldest first. No other worker gets them until the lease expires. Leads of people on the
     * do-not-call list are put off for a day instead: the final check, in the same transaction.
     */
    async lease({ lane = 'leads', limit, leaseMs }: { lane?: Lane; limit: number; leaseMs: number }) {
      if (lane !== 'leads') {
        // There's almost never an event, so read first to avoid a write.
        const some = await read(
          `SELECT 1 FROM outbox WHERE lane = $1 AND ${isPending} AND next_at <= $2 AND ${isRunning(lane)} LIMIT 1`,
          [lane, await now()],
        )
        if (some.length === 0) return []
      }
      return transact(async (tx): Promise<readonly LeasedMessage[]> => {
        const candidates = (limit: number, order: 'ASC' | 'DESC' = 'ASC', putOff = 0) =>
          tx<Candidate>(
            `SELECT id, lead_id, type, created_at, detail FROM outbox
             WHERE lane = '${lane}' AND ${isPending} AND put_off = ${putOff} AND next_at <= $1 AND ${isRunning(lane)}
               AND ${leasable[lane]}
             ORDER BY next_at ${order}, created_at ${order} LIMIT $2 ${tx.dialect.skipLockedDeliveries}`,
            [tx.at, limit],
          )
        const chosen = await chooseFrom[lane](tx, limit, candidates)
        if (chosen.length === 0) return []
        // Move the due time to the end of the lease, so no other worker leases the message before then.
        // A token that is still there belongs to a worker that was killed, perhaps after it had sent the message.
        await tx(
          `UPDATE outbox SET next_at = $2, lease_token = $3,
             interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END
           WHERE id = ANY($1)`,
          [chosen, tx.at + leaseMs, randomUUID()],
        )
        const rows = await tx<MessageRow>(
          `SELECT id, lead_id, type, created_at, lease_token, attempts, detail
           FROM outbox WHERE id = ANY($1) ORDER BY created_at, id`,
          [chosen],
        )
        const isAboutContact = ({ type }: MessageRow) =>
          lane === 'leads' || lane === 'mail' || type === 'lead.corrected'
        const ids = rows.filter(isAboutContact).map(({ leadId }) => leadId)
        const leads = ids.length === 0 ? new Map<string, LeadToSend>() : await leadsToSend(tx, ids)
        return rows.map(({ detail, ...row }) => ({
          ...row,
          detail: JSON.parse(detail),
          lead: leads.get(row.leadId) ?? null,
        }))
      })
    },
    /**
     * Records the result of an attempt, even if the lead has been erased since. Returns false if nothing was recorded:
     * another worker settled it, or the attempt failed after its lease went to another worker. A late success still counts.
     */
    settle: (settlement: Settlement) =>
      transact(async tx => {
        const { id, leaseToken, status, result } = settlement
        const durationMs = Math.round(settlement.durationMs)
        const nextAt = result === 'retry' ? tx.at + Math.round(settlement.retryInMs) : null
        const attempt = { at: tx.at - durationMs, durationMs, status, reason: reasonOf(settlement) }
        // A success counts even after the lease has ended. A late failure doesn't, because another worker or an operator may have
        // resent the message. A failure of a lead that was replaced leaves it withdrawn: it isn't retried.
        const isUnsent = result === 'dead' && settlement.isUnsent === true
        const [settled] = await tx<SettledRow>(
          `UPDATE outbox SET state = CASE WHEN $2 <> 'delivered' AND state = 'withdrawn' THEN 'withdrawn'
               WHEN $2 = 'delivered' AND lane = 'stops' THEN 'told' ELSE $2 END,
             attempts = attempts + $6, next_at = COALESCE($3, next_at),
             finished_at = CASE WHEN $2 = 'delivered' OR state = 'pending' THEN $4 ELSE finished_at END, lease_token = NULL
           WHERE id = $1 AND state IN ('pending', 'withdrawn') AND ($2 = 'delivered' OR lease_token = $5)
           RETURNING lead_id, lane, type, attempts`,
          [id, stateAfter[result], nextAt, result === 'retry' ? null : tx.at, leaseToken, isUnsent ? 0 : 1],
        )
        if (settled && settled.lane !== 'leads') {
          // A stop stays, so the CRM isn't told twice, and hears of it if it's taken back.
          if (result === 'delivered' && settled.lane !== 'stops') await tx('DELETE FROM outbox WHERE id = $1', [id])
          if (settled.lane === 'mail') await recordLetter(tx, settled, result)
          else await recordEvent(tx, settled, result, attempt.reason)
          return true
        }
        if (!settled && result === 'delivered' && (await wasTakenBack(tx, id))) return true
        // In the lane "leads", the row's ID is the lead's.
        if (!settled && !(await wasErased(tx, tx.dialect.lockLeads, id))) return false
        if (!isUnsent)
          await insert(tx, 'attempts', {
            leadId: id,
            at: attempt.at,
            durationMs,
            outcome: attempt.reason,
            status,
          })
        if (!settled && result === 'delivered') await keepAsDelivered(tx, id)
        const outcome = attempt.reason
        const fields = settled
          ? { attempt: settled.attempts, outcome, nextAt: nextAt ?? undefined }
          : ({ outcome, afterErasure: 'true' } as const)
        await addHistory(tx, { leadId: id, event: { kind: leadHistory[result], ...fields } })
        return true
      }),
    /** Milliseconds until the next message is due, including leased ones. Zero or less if one is due now; null if there are none. */
    async nextDue(lanes: readonly Lane[] = webhookLanes) {
      const at = await now()
      const query = `SELECT MIN(next_at) AS at FROM (${nextOf(lanes)}) AS next WHERE ${lanes.map(isRunning).join(' AND ')}`
      // PostgreSQL refuses a value that no lane's condition reads.
      const [next] = await read<{ at: number | null }>(query, query.includes('$1') ? [at] : [])
      return next?.at == null ? null : next.at - at
    },
    /** Must be fast for a backlog of any size, because it's called every minute while leads come in. */
    backlog: async () => backlog(read, await now()),
    /** Events that failed, that wait, or that a person tells the CRM, oldest first. */
    async queuedEvents({ lane, limit }: { readonly lane: 'stops' | 'calls'; readonly limit: number }) {
      const rows = await read<Omit<QueuedEvent, 'detail'> & { detail: string }>(
        `SELECT id, lead_id, type, state, created_at, attempts, detail FROM outbox
         WHERE ${inLane(lane)} AND NOT ${isTold} ORDER BY created_at, lead_id, id LIMIT $1`,
        [limit],
      )
      return rows.map((row): QueuedEvent => ({ ...row, detail: JSON.parse(row.detail) }))
    },
    /** Letters that failed after the last retry, oldest first. */
    failedLetters: ({ limit }: { readonly limit: number }) =>
      read<{ id: string; leadId: string; type: LetterType; createdAt: number }>(
        `SELECT id, lead_id, type, created_at FROM outbox WHERE ${isDead} AND lane = 'mail'
         ORDER BY created_at, id LIMIT $1`,
        [limit],
      ),
    /** Sends failed events and letters again. Returns how many. */
    async resendEvents({ ids, by }: { readonly ids: readonly string[]; readonly by: string }) {
      const resent = await transact(async tx => {
        const rows = await tx<{ leadId: string; type: EventType | LetterType }>(
          `UPDATE outbox SET ${setMessage('pending')}, attempts = 0, next_at = $2, finished_at = NULL,
             interrupted = CASE WHEN attempts > 0 THEN 1 ELSE interrupted END
           WHERE id = ANY($1) AND lane <> 'leads' AND ${isDead} RETURNING lead_id, type`,
          [ids, tx.at],
        )
        for (const row of rows) await recordDecision(tx, row, 'resent', by)
        return rows.length
      })
      if (resent > 0) onDue()
      return resent
    },
    /** Someone told the CRM by hand, or a letter isn't needed anymore. Returns how many were dismissed. */
    dismissEvents: ({ ids, by }: { readonly ids: readonly string[]; readonly by: string }) =>
      transact(async tx => {
        const rows = await tx<{ leadId: string; type: EventType | LetterType }>(
          `UPDATE outbox SET ${setMessage('told')} WHERE id = ANY($1) AND lane <> 'leads' AND NOT ${isTold}
             AND NOT (${isInFlight('$2')}) RETURNING lead_id, type`,
          [ids, tx.at],
        )
        // A stop stays, as one that was delivered does.
        const done = `DELETE FROM outbox WHERE id = ANY($1) AND ${isTold} AND type <> 'lead.do_not_call'`
        await tx(done, [ids])
        for (const row of rows) await recordDecision(tx, row, 'dismissed', by)
        return rows.length
      }),
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
  }
}

type MessageRow = Omit<LeasedMessage, 'detail' | 'lead'> & { readonly detail: string }

type SettledRow = { readonly leadId: string; readonly attempts: number } & (
  | { readonly lane: 'leads' }
  | { readonly lane: 'stops' | 'calls'; readonly type: EventType }
  | { readonly lane: 'mail'; readonly type: LetterType }
)

const stateAfter = { delivered: 'delivered', retry: 'pending', dead: 'dead' } as const
const leadHistory = { delivered: 'delivered', retry: 'delivery failed', dead: 'delivery dead' } as const
const updateHistory = { delivered: 'event delivered', retry: null, dead: 'event failed' } as const
const letterHistory = { delivered: 'letter sent', retry: null, dead: 'letter failed' } as const

const reasonOf = (settlement: Settlement) => (settlement.result === 'delivered' ? 'delivered' : settlement.reason)

const chooseFrom = {
  leads: openLeads,
  stops: async (tx: Tx, limit: number, candidates: Candidates) => standing(tx, await candidates(limit)),
  calls: async (_: Tx, limit: number, candidates: Candidates) => (await candidates(limit)).map(({ id }) => id),
  mail: async (tx: Tx, limit: number, candidates: Candidates) => lettersToSend(tx, await candidates(limit)),
}

interface Candidate {
  readonly id: string
  readonly leadId: string
  readonly type: MessageType
  readonly createdAt: number
  readonly detail: string
}

type Candidates = (limit: number, order?: 'ASC' | 'DESC', putOff?: 0 | 1) => Promise<readonly Candidate[]>

/**
 * Due leads whose number is open. While many closed ones come first, the newest leads go out before them: no index can skip them, because
 * the list is another table. Closed ones are put off once nothing else is due.
 */
async function openLeads(tx: Tx, limit: number, candidates: Candidates): Promise<readonly string[]> {
  const idsOf = (rows: readonly Candidate[]) => rows.map(({ id }) => id)
  const due = idsOf(await candidates(limit))
  let open = await openAmong(tx, due)
  if (open.length < due.length) open = [...open, ...(await openAmong(tx, idsOf(await candidates(limit, 'DESC'))))]
  if (open.length === 0) {
    const closed = idsOf(await candidates(PUT_OFF_AT_ONCE, 'ASC', due.length > 0 ? 0 : 1))
    open = await putOffClosed(tx, closed)
  }
  return [...new Set(open)].slice(0, limit)
}

/** Returns the others. The CRM hears of a stop if it may have the lead: a capture or an approval may not have seen the entry. */
async function putOffClosed(tx: Tx, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const isOpen = new Set(await openAmong(tx, ids))
  const closed = ids.filter(id => !isOpen.has(id))
  if (closed.length > 0) {
    await tx(
      `UPDATE outbox SET next_at = $2, put_off = 1, lease_token = NULL,
         interrupted = CASE WHEN lease_token IS NULL THEN interrupted ELSE 1 END
       WHERE id = ANY($1)`,
      [closed, tx.at + PUT_OFF_MS],
    )
    await tellOfStop(tx, { leadIds: closed, contact: 'phone' })
  }
  return ids.filter(id => isOpen.has(id))
}

/** Leaves out stops that don't hold anymore: their number is open. */
async function standing(tx: Tx, due: readonly Candidate[]): Promise<readonly string[]> {
  const ofList = due.filter(({ detail }) => JSON.parse(detail).callId === undefined).map(({ leadId }) => leadId)
  const open = new Set(await openAmong(tx, ofList))
  await takeBackStops(tx, [...open])
  return due
    .filter(({ leadId, detail }) => !open.has(leadId) || JSON.parse(detail).callId !== undefined)
    .map(({ id }) => id)
}

interface SettledMessage<Type> {
  readonly leadId: string
  readonly type: Type
  readonly attempts: number
}

async function recordEvent(
  tx: Tx,
  { leadId, type, attempts: attempt }: SettledMessage<EventType>,
  result: Settlement['result'],
  outcome: string,
): Promise<void> {
  const kind = updateHistory[result]
  if (kind) await addHistory(tx, { leadId, event: { kind, type, attempt, outcome } })
}

/** The team's letters are about many people, so they're in nobody's history. */
async function recordLetter(
  tx: Tx,
  { leadId, type }: SettledMessage<LetterType>,
  result: Settlement['result'],
): Promise<void> {
  if (type === 'mail.team') return result === 'delivered' ? rememberTeamLetter(tx) : undefined
  const kind = letterHistory[result]
  if (kind) await addHistory(tx, { leadId, event: { kind } })
}

/** What a person decided about one that failed. */
async function recordDecision(
  tx: Tx,
  { leadId, type }: Pick<SettledMessage<EventType | LetterType>, 'leadId' | 'type'>,
  what: 'resent' | 'dismissed',
  by: string,
): Promise<void> {
  if (type === 'mail.visitor') await addHistory(tx, { leadId, event: { kind: `letter ${what}`, by } })
  else if (type !== 'mail.team') await addHistory(tx, { leadId, event: { kind: `event ${what}`, type, by } })
}

/** A stop that reached the CRM after it was taken back: someone is to tell the CRM that already. */
async function wasTakenBack(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ leadId: string }>(
    `SELECT lead_id FROM outbox WHERE id = $1 AND type = 'lead.calls_allowed'`,
    [id],
  )
  const event = { kind: 'event delivered', type: 'lead.do_not_call', attempt: 1, outcome: 'delivered' } as const
  if (row) await addHistory(tx, { leadId: row.leadId, event })
  return row !== undefined
}

async function leadsToSend(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, LeadToSend>> {
  const rows = await sql<RowOf<LeadToSend>>(
    `SELECT leads.id AS lead_id, ${leadColumns}, ${presentedColumns} FROM leads ${presentedJoins}
     WHERE leads.id = ANY($1) AND ${isNotErased}`,
    [ids],
  )
  return new Map(rows.map(row => [row.leadId, readLead(row) as LeadToSend]))
}

/** Whether the lead was erased while its delivery was in flight, which took it out of the outbox. */
async function wasErased(sql: Sql, lockLeads: string, leadId: string): Promise<boolean> {
  const erased = await sql(
    `SELECT 1 FROM leads WHERE id = $1 AND ${isLead('erased')} AND NOT EXISTS (SELECT 1 FROM outbox WHERE id = leads.id) ${lockLeads}`,
    [leadId],
  )
  return erased.length > 0
}

/** The delivery is part of the proof. */
async function keepAsDelivered(tx: Tx, leadId: string): Promise<void> {
  const row = { ...messageOf(leadId, 'lead.created', tx.at), state: 'delivered', attempts: 1, finishedAt: tx.at }
  await insert(tx, 'outbox', row, 'ON CONFLICT (id) DO NOTHING')
}

/** Reads only indexes and leads on hold, which are few. IDs start with the time of receipt. */
async function backlog(sql: Sql, at: number): Promise<Backlog> {
  const toSend = `FROM outbox JOIN leads ON leads.id = outbox.id WHERE outbox.lane = 'leads' AND NOT ${isClosedByList}`
  const dead = (lane: Lane) => `(SELECT COUNT(*) FROM outbox WHERE ${isDead} AND lane = '${lane}')`
  // What's told about a closed lead waits with it.
  const events = `FROM outbox WHERE ${isPending} AND lane IN ('stops', 'calls') AND NOT ${aboutLead(`${isUnsent} AND ${isClosedLead}`)}`
  const letters = `FROM outbox WHERE ${isPending} AND lane = 'mail' AND id <> '${TEAM_LETTER}'`
  const heldLeads = `FROM leads WHERE ${isHeld} AND ${isUndecided}`
  const [row] = await sql<
    Record<
      'pending' | 'dead' | 'held' | 'events' | 'deadStops' | 'deadCalls' | 'byHand' | 'letters' | 'deadLetters',
      number
    > &
      Record<'oldest' | 'oldestHeld' | 'oldestEvent' | 'oldestLetter' | 'newest', number | null>
  >(
    `SELECT COUNT(*) AS pending, MIN(outbox.created_at) AS oldest,
       (SELECT COUNT(*) ${toSend} AND ${isDead}) AS dead, ${dead('stops')} AS dead_stops, ${dead('calls')} AS dead_calls,
       (SELECT COUNT(*) ${events}) AS events, (SELECT MIN(created_at) ${events}) AS oldest_event,
       (SELECT COUNT(*) ${letters}) AS letters, (SELECT MIN(created_at) ${letters}) AS oldest_letter, ${dead('mail')} AS dead_letters,
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
    },
  }
}
