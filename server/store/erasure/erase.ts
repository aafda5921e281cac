/** Erases people: their data goes, the proof that consent was given and that it was erased stays. Shared by the engines. */

import { markLeadChanged } from '../funnel.ts'
import { firstIdAt } from '../lead-id.ts'
import { number, numberOrNull, text, textOrNull } from '../rows.ts'
import { forgetSearchText } from '../search.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import { addHistory } from '../statements.ts'
import type { Store } from '../store.ts'
import { rememberErased, verifyKey } from './erased-people.ts'
import type { Erasure, ErasureOrder, SentLead } from './erasure-records.ts'

/** Few at a time: captures wait meanwhile. */
const BATCH = 50
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
    contact: 'erased',
    email: 'erased',
    phone: 'erased',
    person_key: 'erased',
    client_address: 'erased',
    user_agent: 'erased',
    page: 'kept',
    campaign: 'emptied',
    campaign_key: 'emptied',
    variant: 'kept',
    // With the consent text, the time and the page it answers “you called me without consent”.
    certificate_id: 'kept',
    consent_version: 'kept',
    questionnaire_version: 'kept',
    certificate_other: 'kept',
    trusted_form: 'kept',
    rejected_reason: 'erased',
    search_text: 'erased',
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
  },
  question_counts: { day: 'kept', page: 'kept', variant: 'kept', question: 'kept', reached: 'kept' },
  lead_counts: {
    day: 'kept',
    page: 'kept',
    variant: 'kept',
    campaign: 'kept',
    submitted: 'kept',
    leads: 'kept',
    delivered: 'kept',
  },
  rolled_up_days: { day: 'kept', time_zone: 'kept' },
  dirty_days: { id: 'kept', received_at: 'kept' },
  variant_secret: { id: 'kept', secret: 'kept' },
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
  // By these an erased lead is found when the person gives their number; without ERASURE_KEY they tell nothing.
  erased_people: { lead_id: 'kept', email_mac: 'kept', phone_mac: 'kept', key_id: 'kept', erased_at: 'kept' },
  erasure_keys: { id: 'kept', first_used_at: 'kept' },
  // Who asked not to be called must not be called after the erasure either.
  suppressions: { contact: 'kept', added_at: 'kept' },
  last_backup: { id: 'kept', made_at: 'kept', leads: 'kept' },
  // The operator's own people.
  desk_people: {
    id: 'kept',
    name: 'kept',
    name_key: 'kept',
    role: 'kept',
    handle: 'kept',
    invited_at: 'kept',
    dismissed_at: 'kept',
  },
  desk_passkeys: {
    id: 'kept',
    person_id: 'kept',
    public_key: 'kept',
    counter: 'kept',
    transports: 'kept',
    synced: 'kept',
    added_at: 'kept',
    last_used_at: 'kept',
  },
  desk_invitations: {
    token_hash: 'kept',
    person_id: 'kept',
    role: 'kept',
    invited_by: 'kept',
    invited_at: 'kept',
    ends_at: 'kept',
  },
  desk_challenges: { id: 'kept', challenge: 'kept', purpose: 'kept', person_id: 'kept', ends_at: 'kept' },
  desk_sessions: { token_hash: 'kept', person_id: 'kept', began_at: 'kept', ends_at: 'kept' },
  delivery_pause: { id: 'kept', paused_at: 'kept', reason: 'kept', paused_by: 'kept' },
  chores: { name: 'kept', asked_at: 'kept' },
  notes: { id: 'deleted', lead_id: 'deleted', written_at: 'deleted', written_by: 'deleted', words: 'deleted' },
  // Which leads a person of the desk changed, and how many: the words of a rejection are gone when the job is over.
  desk_jobs: {
    id: 'kept',
    action: 'kept',
    started_by: 'kept',
    started_at: 'kept',
    finished_at: 'kept',
    message: 'kept',
    total: 'kept',
    changed: 'kept',
    skipped: 'kept',
    failed: 'kept',
    reason: 'kept',
    again: 'kept',
    leased_until: 'kept',
  },
  exports: {
    id: 'kept',
    exported_at: 'kept',
    exported_by: 'kept',
    format: 'kept',
    filter: 'kept',
    leads: 'kept',
  },
  desk_job_leads: { job_id: 'kept', lead_id: 'kept', outcome: 'kept' },
} as const satisfies Record<string, Record<string, 'kept' | 'erased' | 'emptied' | 'deleted'>>

const changed = Object.entries(columnsAfterErasure.leads).filter(([, fate]) => fate !== 'kept')
const newValues = changed
  .map(
    ([column, fate]) => `${column} = ${fate === 'erased' ? 'NULL' : `'${column === 'campaign' ? NO_CAMPAIGN : ''}'`}`,
  )
  .join(', ')

/** What a person's bytes would be found by in the database's files; see the engine. */
export type Trace = string

export interface ErasedLeads extends Pick<Erasure, 'leads' | 'sent'> {
  readonly traces: readonly Trace[]
}

export async function eraseLeads(port: SqlPort, order: ErasureOrder): Promise<ErasedLeads> {
  const { ids, key, newKey = false, because, by } = order
  // In one order for all writers: two that lock the same leads crosswise would wait for each other for ever.
  const sorted = ids.toSorted()
  const erased: ErasedLead[] = []
  for (let start = 0; start < sorted.length; start += BATCH) {
    const at = await port.now()
    erased.push(
      ...(await port.transact(async sql => {
        await verifyKey(sql, key, at, newKey)
        return eraseBatch(sql, port.dialect, sorted.slice(start, start + BATCH), { key, at, because, by })
      })),
    )
  }
  return summaryOf(erased)
}

/** The next few leads of before a time, going on after an id. Of several servers that do this at once, one gets to it. */
export async function eraseNextBefore(
  port: SqlPort,
  { before, after, limit, key }: Parameters<Store['eraseBefore']>[0],
): Promise<ErasedLeads & { readonly last: string | null }> {
  const { read, transact, now, dialect } = port
  const at = await now()
  // Outside of the change: what was erased long ago is passed over, and captures must not wait for that.
  const old = await read(`SELECT id FROM leads WHERE id > $1 AND id < $2 AND state <> 'erased' ORDER BY id LIMIT $3`, [
    after,
    firstIdAt(before),
    limit,
  ])
  const ids = old.map(row => text(row, 'id'))
  const last = ids.length < limit ? null : (ids.at(-1) ?? null)
  if (ids.length === 0) return { ...summaryOf([]), last }
  const erased = await transact(async sql => {
    const [turn] = dialect.soleRunner === null ? [{ locked: 1 }] : await sql(dialect.soleRunner)
    if (number(turn, 'locked') === 0) return null
    await verifyKey(sql, key, at, false)
    return eraseBatch(sql, dialect, ids, { key, at, because: 'retention' })
  })
  return erased ? { ...summaryOf(erased), last } : { ...summaryOf([]), last: null }
}

interface ErasedLead {
  readonly sent: SentLead | null
  readonly trace: Trace | null
}

interface Circumstances {
  readonly key: string
  readonly at: number
  readonly because?: ErasureOrder['because']
  readonly by?: ErasureOrder['by']
}

async function eraseBatch(
  sql: Sql,
  dialect: Dialect,
  ids: readonly string[],
  circumstances: Circumstances,
): Promise<readonly ErasedLead[]> {
  const erased: ErasedLead[] = []
  for (const id of ids) {
    const one = await eraseOne(sql, dialect, id, circumstances)
    if (one) erased.push(one)
  }
  return erased
}

function summaryOf(erased: readonly ErasedLead[]): ErasedLeads {
  return {
    leads: erased.length,
    sent: erased.flatMap(({ sent }) => sent ?? []),
    traces: erased.flatMap(({ trace }) => trace ?? []),
  }
}

/** Null when it was erased already. */
async function eraseOne(
  sql: Sql,
  dialect: Dialect,
  id: string,
  { key, at, because, by }: Circumstances,
): Promise<ErasedLead | null> {
  const [lead] = await sql(
    `SELECT page, campaign, email, phone FROM leads WHERE id = $1 AND state <> 'erased' ${dialect.lockLeads}`,
    [id],
  )
  if (!lead) return null
  const sent = await sentSoFar(sql, id, at)
  await forgetSearchText(sql, dialect, [id])
  await sql(`UPDATE leads SET state = 'erased', ${newValues} WHERE id = $1`, [id])
  await sql('DELETE FROM notes WHERE lead_id = $1', [id])
  await rememberErased(sql, { id, email: text(lead, 'email'), phone: text(lead, 'phone') }, { key, at })
  // What was not delivered never will be. That something was delivered is part of the proof.
  const [cancelled] = await sql(`DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' RETURNING state`, [
    id,
  ])
  const state = cancelled ? textOrNull(cancelled, 'state') : null
  const detail = {
    cancelledDelivery: sent?.underWay ? 'under way' : state,
    ...(because && { because }),
    ...(by && { by }),
  }
  await sql(...addHistory(id, at, 'erased', detail))
  await markLeadChanged(sql, id, at)
  const campaign = text(lead, 'campaign')
  // As in the index of sources. Where there was no campaign, this is what stays.
  return { sent, trace: campaign === NO_CAMPAIGN ? null : `${id}${text(lead, 'page')}${campaign}` }
}

/** Each attempt has carried the person's data away, confirmed or not. Null when there was none. */
async function sentSoFar(sql: Sql, id: string, now: number): Promise<SentLead | null> {
  const [made] = await sql(
    `SELECT COUNT(*) AS attempts, MAX(CASE WHEN outcome = 'delivered' THEN at + duration_ms END) AS delivered_at
     FROM attempts WHERE lead_id = $1`,
    [id],
  )
  const [delivery] = await sql('SELECT state, next_at, lease_token, finished_at FROM deliveries WHERE lead_id = $1', [
    id,
  ])
  const finishedAt = delivery?.['state'] === 'delivered' ? numberOrNull(delivery, 'finished_at') : null
  const deliveredAt = numberOrNull(made, 'delivered_at') ?? finishedAt
  const leased = delivery?.['state'] === 'pending' && delivery['lease_token'] !== null
  const underWay = leased && number(delivery, 'next_at') > now
  const attempts = number(made, 'attempts')
  return attempts > 0 || underWay || deliveredAt !== null ? { id, deliveredAt, attempts, underWay } : null
}

/** Of these leads those that are in the store and not erased: a restored backup has brought them back. */
export async function findNotErased({ read }: Pick<SqlPort, 'read'>, ids: readonly string[]): Promise<string[]> {
  const back: string[] = []
  for (let start = 0; start < ids.length; start += BATCH) {
    const some = ids.slice(start, start + BATCH)
    const places = some.map((_, index) => `$${index + 1}`).join()
    const rows = await read(`SELECT id FROM leads WHERE id IN (${places}) AND state <> 'erased'`, some)
    back.push(...rows.map(row => text(row, 'id')))
  }
  return back
}
