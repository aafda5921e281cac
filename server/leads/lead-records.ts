/** Reads leads for the operator: in order, a batch at a time, or one with everything that is known of it. */
import type { Database, Row, Value } from './database.ts'
import { type DeliveryState, filterSql, type LeadFilter, type LeadState } from './lead-filter.ts'

/** The person's data is null once erased. */
export interface LeadRecord {
  readonly id: string
  readonly receivedAt: number
  readonly state: LeadState
  readonly heldReason: string | null
  readonly repeatOf: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly dateOfBirth: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  readonly certificateId: string | null
  readonly consentVersion: string
  readonly delivery: DeliveryRecord | null
}

export interface DeliveryRecord {
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: number
  readonly finishedAt: number | null
}

export interface LeadDossier extends LeadRecord {
  /** The text and the button as the visitor saw them. */
  readonly consentPresented: string
  readonly history: readonly { readonly at: number; readonly event: string; readonly detail: string }[]
  readonly deliveryAttempts: readonly DeliveryAttempt[]
  readonly otherLeadsOfThePerson: readonly string[]
}

export interface DeliveryAttempt {
  readonly at: number
  readonly durationMs: number
  readonly outcome: string
  readonly status: number | null
}

const columns = `leads.id, leads.received_at, leads.state, leads.held_reason, leads.repeat_of, leads.first_name,
  leads.last_name, leads.date_of_birth, leads.email, leads.phone, leads.client_address, leads.user_agent, leads.page,
  leads.campaign, leads.certificate_id, leads.consent_version, deliveries.state AS delivery_state, deliveries.attempts,
  deliveries.next_at, deliveries.finished_at`

/**
 * Each batch goes on after the last id of the one before, in a read of its own: a reader that takes its time, such as a
 * pager, then keeps no old state alive and the log from being emptied.
 */
export async function* leadsInOrder(
  database: Database,
  filter: LeadFilter,
  order: 'newest first' | 'oldest first',
  batchSize: number,
): AsyncIterable<readonly LeadRecord[]> {
  const { from, id, conditions, parameters } = filterSql(filter)
  const [beyond, direction] = order === 'newest first' ? ['<', 'DESC'] : ['>', 'ASC']
  let last: string | null = null
  for (;;) {
    const values: Value[] = [...parameters, batchSize]
    const limit = `$${values.length}`
    const where: string[] = last === null ? [...conditions] : [...conditions, `${id} ${beyond} $${values.push(last)}`]
    const rows = await database.read(sql =>
      sql(`SELECT ${columns} FROM ${from} ${whereOf(where)} ORDER BY ${id} ${direction} LIMIT ${limit}`, values),
    )
    if (rows.length > 0) yield rows.map(leadRecord)
    if (rows.length < batchSize) return
    last = String(rows.at(-1)?.['id'])
  }
}

/** In their order, so many at most. Few letters stand for a stretch of time, whose leads an index finds at once. */
export async function idsBeginningWith(
  database: Database,
  beginning: string,
  most: number,
): Promise<readonly string[]> {
  const rows = await database.read(sql =>
    // No letter of an id comes after f.
    sql('SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [beginning, `${beginning}g`, most]),
  )
  return rows.map(row => String(row['id']))
}

export async function countLeads(database: Database, filter: LeadFilter): Promise<number> {
  const { from, conditions, parameters } = filterSql(filter)
  // Without a filter there is nothing to join for: the count of the smallest index will do.
  const text = `SELECT COUNT(*) AS total FROM ${conditions.length === 0 ? 'leads' : from} ${whereOf(conditions)}`
  const [counted] = await database.read(sql => sql(text, parameters))
  return Number(counted?.['total'] ?? 0)
}

export function findLead(database: Database, id: string): Promise<LeadDossier | null> {
  return database.read(async sql => {
    const [lead] = await sql(
      `SELECT ${columns}, leads.person_key, consents.presented FROM leads
       LEFT JOIN deliveries ON deliveries.lead_id = leads.id
       JOIN consents ON consents.version = leads.consent_version WHERE leads.id = $1`,
      [id],
    )
    if (!lead) return null
    const history = await sql('SELECT at, event, detail FROM history WHERE lead_id = $1 ORDER BY at', [id])
    const attempts = await sql('SELECT at, duration_ms, outcome, status FROM attempts WHERE lead_id = $1 ORDER BY at', [
      id,
    ])
    const others = await sql('SELECT id FROM leads WHERE person_key = $1 AND id <> $2 ORDER BY received_at', [
      lead['person_key'] ?? null,
      id,
    ])
    return {
      ...leadRecord(lead),
      consentPresented: String(lead['presented']),
      history: history.map(row => ({
        at: Number(row['at']),
        event: String(row['event']),
        detail: String(row['detail']),
      })),
      deliveryAttempts: attempts.map(row => ({
        at: Number(row['at']),
        durationMs: Number(row['duration_ms']),
        outcome: String(row['outcome']),
        status: numberOrNull(row['status']),
      })),
      otherLeadsOfThePerson: others.map(row => String(row['id'])),
    }
  })
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

function leadRecord(row: Row): LeadRecord {
  return {
    id: String(row['id']),
    receivedAt: Number(row['received_at']),
    state: row['state'] as LeadState,
    heldReason: textOrNull(row['held_reason']),
    repeatOf: textOrNull(row['repeat_of']),
    firstName: textOrNull(row['first_name']),
    lastName: textOrNull(row['last_name']),
    dateOfBirth: textOrNull(row['date_of_birth']),
    email: textOrNull(row['email']),
    phone: textOrNull(row['phone']),
    clientAddress: textOrNull(row['client_address']),
    userAgent: textOrNull(row['user_agent']),
    page: String(row['page']),
    campaign: JSON.parse(String(row['campaign'])) as Readonly<Record<string, string>>,
    certificateId: textOrNull(row['certificate_id']),
    consentVersion: String(row['consent_version']),
    delivery: deliveryRecord(row),
  }
}

function deliveryRecord(row: Row): DeliveryRecord | null {
  if (row['delivery_state'] === null) return null
  return {
    state: row['delivery_state'] as DeliveryState,
    attempts: Number(row['attempts']),
    nextAt: Number(row['next_at']),
    finishedAt: numberOrNull(row['finished_at']),
  }
}

function textOrNull(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function numberOrNull(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}
