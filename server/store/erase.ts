/** Erases people: their data goes, the proof that consent was given and that it was erased stays. Shared by the engines. */
import { textOrNull } from './rows.ts'
import type { Row, Sql, SqlPort } from './sql.ts'
import { addHistory } from './statements.ts'

const BATCH = 500
const NO_CAMPAIGN = '{}'

/**
 * Every column of every table that knows of leads, and what becomes of it when the lead is erased. Erasing follows this
 * list, and a test compares it with the tables: a new column must be listed here, or the test fails.
 */
export const columnsAfterErasure = {
  leads: {
    id: 'kept',
    received_at: 'kept',
    state: 'kept',
    held_reason: 'kept',
    repeat_of: 'kept',
    first_name: 'erased',
    last_name: 'erased',
    date_of_birth: 'erased',
    email: 'erased',
    phone: 'erased',
    person_key: 'erased',
    client_address: 'erased',
    user_agent: 'erased',
    page: 'kept',
    campaign: 'emptied',
    variant: 'kept',
    certificate_id: 'erased',
    consent_version: 'kept',
    questionnaire_version: 'kept',
    certificate_other: 'erased',
    trusted_form: 'kept',
    rejected_reason: 'erased',
  },
  // None of these has anything personal in it; a delivery that was not made is deleted as a whole.
  history: { lead_id: 'kept', at: 'kept', event: 'kept', detail: 'kept' },
  attempts: { lead_id: 'kept', at: 'kept', duration_ms: 'kept', outcome: 'kept', status: 'kept' },
  deliveries: {
    lead_id: 'kept',
    webhook_id: 'kept',
    state: 'kept',
    attempts: 'kept',
    next_at: 'kept',
    created_at: 'kept',
    finished_at: 'kept',
    lease_token: 'kept',
  },
  consents: { version: 'kept', presented: 'kept', first_seen_at: 'kept' },
  questionnaires: { version: 'kept', presented: 'kept', first_seen_at: 'kept' },
  // Numbers, and nobody's in particular.
  page_counts: {
    day: 'kept',
    page: 'kept',
    variant: 'kept',
    campaign: 'kept',
    asks: 'kept',
    views: 'kept',
    bots: 'kept',
    prefetches: 'kept',
    declined: 'kept',
    thanked: 'kept',
    submitted: 'kept',
    leads: 'kept',
    delivered: 'kept',
  },
  late_changes: { received_at: 'kept' },
  funnel_state: { id: 'kept', time_zone: 'kept', counted_until: 'kept', dealing_secret: 'kept' },
  readiness: { id: 'kept', written_at: 'kept' },
  clock: { id: 'kept', latest_at: 'kept' },
  alerts: {
    id: 'kept',
    code: 'kept',
    text: 'kept',
    source: 'kept',
    started_at: 'kept',
    ended_at: 'kept',
    told: 'kept',
    tell_at: 'kept',
  },
} as const satisfies Record<string, Record<string, 'kept' | 'erased' | 'emptied'>>

const newValues = Object.entries(columnsAfterErasure.leads).flatMap(([column, fate]) =>
  fate === 'erased' ? [`${column} = NULL`] : fate === 'emptied' ? [`${column} = '${NO_CAMPAIGN}'`] : [],
)

/** What a person's bytes would be found by in the database's files; see the engine. */
export type Trace = string

export interface ErasedLeads {
  readonly leads: number
  readonly traces: readonly Trace[]
}

export async function eraseLeads({ transact, now, dialect }: SqlPort, ids: readonly string[]): Promise<ErasedLeads> {
  const at = await now()
  const traces = new Set<Trace>()
  let leads = 0
  // In one order for all writers: two that lock the same leads crosswise would wait for each other for ever.
  const sorted = ids.toSorted()
  for (let start = 0; start < sorted.length; start += BATCH) {
    const erased = await transact(async sql => {
      const rows: Row[] = []
      for (const id of sorted.slice(start, start + BATCH))
        rows.push(...(await eraseOne(sql, id, at, dialect.lockLeads)))
      return rows
    })
    leads += erased.length
    for (const trace of erased.flatMap(tracesOf)) traces.add(trace)
  }
  return { leads, traces: [...traces] }
}

/** The lead as it was, or nothing when it was erased already. */
async function eraseOne(sql: Sql, id: string, at: number, lockLeads: string): Promise<readonly Row[]> {
  const rows = await sql(
    `SELECT id, first_name, last_name, date_of_birth, email, phone, person_key, page, campaign FROM leads
     WHERE id = $1 AND state <> 'erased' ${lockLeads}`,
    [id],
  )
  if (rows.length === 0) return rows
  await sql(`UPDATE leads SET state = 'erased', ${newValues.join(', ')} WHERE id = $1 AND state <> 'erased'`, [id])
  // What was not delivered never will be. That something was delivered is part of the proof.
  const [cancelled] = await sql(`DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' RETURNING state`, [
    id,
  ])
  const cancelledDelivery = cancelled ? textOrNull(cancelled, 'state') : null
  await sql(...addHistory(id, at, 'erased', { cancelledDelivery }))
  return rows
}

/** A record's values stand one after the other in the file, so neighbours together are this person's and nobody else's. */
function tracesOf(lead: Row): readonly Trace[] {
  const { id, first_name, last_name, date_of_birth, email, phone, person_key, page, campaign } = lead
  return [
    `${first_name}${last_name}${date_of_birth}`,
    `${date_of_birth}${email}${phone}`,
    `${person_key}`,
    // As in the index of sources. Where there was no campaign, this is what stays.
    ...(campaign === NO_CAMPAIGN ? [] : [`${id}${page}${campaign}`]),
  ]
}
