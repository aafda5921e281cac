/**
 * The outbox: what the webhook is to hear, and letters, with one lease, one retry schedule, and one failed state for leads and events alike. A row
 * stays until it's delivered or a person dismisses it. Events have no personal data: the receiver knows the lead by its ID.
 */
import type { Contact } from '../../../../domain/leads/lead.ts'
import {
  aboutLead,
  isClosedLead,
  isInFlight,
  isUnsent,
  type Lane,
  type MessageType,
  webhookLanes,
} from '../../facts/deliveries/messages.ts'
import type { LeadDetails } from '../../facts/leads/lead-records.ts'
import { leadColumns, presentedColumns, presentedJoins, type RowOf, readLead } from '../../facts/leads/lead-rows.ts'
import { isMessage, isNotErased, isPending } from '../../facts/leads/states.ts'
import type { Sql, SqlPort, Tx } from '../../sql.ts'
import { NOT_PAUSED } from '../../tables/delivery-pause.ts'
import { type LeasedRow, leaseMessages, putOff } from '../../tables/outbox.ts'
import { openAmong, takeBackStops, tellOfStop } from '../do-not-call/tell-crm.ts'
import { lettersToSend } from './letters.ts'

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

/**
 * SQL for each lane: which due rows may be leased. An erased lead has nothing left to send. An event never overtakes earlier events of
 * its type about the lead, nor a lead that's still to be sent.
 */
const event = `NOT ${aboutLead(`${isInFlight('$1', 'lead')} OR ${isUnsent} OR ${isMessage('pending', 'lead')} AND NOT ${isClosedLead}`)}
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

export function createOutbox({ read, transact, now }: SqlPort) {
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
        const leased = await leaseMessages(tx, chosen, leaseMs)
        const rows = leased.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
        const isAboutContact = ({ type }: LeasedRow) => lane === 'leads' || lane === 'mail' || type === 'lead.corrected'
        const ids = rows.filter(isAboutContact).map(({ leadId }) => leadId)
        const leads = ids.length === 0 ? new Map<string, LeadToSend>() : await leadsToSend(tx, ids)
        return rows.map(({ detail, ...row }) => ({
          ...row,
          detail: JSON.parse(detail),
          lead: leads.get(row.leadId) ?? null,
        }))
      })
    },
    /** Milliseconds until the next message is due, including leased ones. Zero or less if one is due now; null if there are none. */
    async nextDue(lanes: readonly Lane[] = webhookLanes) {
      const at = await now()
      const query = `SELECT MIN(next_at) AS at FROM (${nextOf(lanes)}) AS next WHERE ${lanes.map(isRunning).join(' AND ')}`
      // PostgreSQL refuses a value that no lane's condition reads.
      const [next] = await read<{ at: number | null }>(query, query.includes('$1') ? [at] : [])
      return next?.at == null ? null : next.at - at
    },
  }
}

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
    await putOff(tx, closed, PUT_OFF_MS)
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

async function leadsToSend(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, LeadToSend>> {
  const rows = await sql<RowOf<LeadToSend>>(
    `SELECT leads.id AS lead_id, ${leadColumns}, ${presentedColumns} FROM leads ${presentedJoins}
     WHERE leads.id = ANY($1) AND ${isNotErased}`,
    [ids],
  )
  return new Map(rows.map(row => [row.leadId, readLead(row) as LeadToSend]))
}
