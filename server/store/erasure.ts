/** Erases people: their data goes; proof that they consented, and that they were erased, stays. */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { phoneDigits } from '../../domain/phone.ts'
import { markLeadChanged } from './funnel.ts'
import { addHistory } from './history.ts'
import { firstIdAt } from './lead-id.ts'
import { canonicalEmail } from './repeats.ts'
import { forgetSearchText } from './search.ts'
import type { Dialect, Sql, SqlPort } from './sql.ts'
import { StoreUnusable } from './store-errors.ts'

/** Small enough that captures, which wait for each batch, barely notice. */
const BATCH = 5
/** Longer than another process waits before it asks for SQLite's lock again: otherwise it would wait for all batches. */
const TURN_MS = 30
const SCANNED_AT_ONCE = 1000
const DAY_MS = 24 * 60 * 60 * 1000

export interface ErasureStore {
  erase(order: ErasureOrder): Promise<Erasure>
  /**
   * Erases the next few leads older than so many days by the store's clock, starting after an id. Leaves alone what is still
   * to be delivered. When several servers do this at once, one of them gets to it.
   */
  eraseExpired(order: ExpiryOrder): Promise<Expiry>
  /** Null when there are no leads. */
  newestLeadAt(): Promise<number | null>
  /** Which of these leads are in the store and not erased. */
  notErased(ids: readonly string[]): Promise<readonly string[]>
  /** The erased leads with this email or phone, and how many could not be compared because of another key. */
  erasedLeadsOf(request: {
    readonly person: { readonly email: string } | { readonly phone: string }
    readonly key: string | null
  }): Promise<{ readonly ids: readonly string[]; readonly underOtherKeys: number }>
  /** Whether an erased lead was this person's; null when it was erased with another key. */
  wasErasedPerson(request: {
    readonly id: string
    readonly email: string
    readonly phone: string
    readonly key: string
  }): Promise<boolean | null>
  /** Ids of the keys that this store was used with. The keys themselves are never in the store. */
  installationKeys(): Promise<readonly InstallationKey[]>
  /** Rejects with StoreUnusable when another key was used before, unless it is said to be lost. */
  registerKey(order: { readonly id: string; readonly newKey?: boolean; readonly signing?: boolean }): Promise<void>
}

export interface InstallationKey {
  readonly id: string
  /** When it first signed a consent record; null when it never did. */
  readonly signingSince: number | null
}

export interface ErasureOrder {
  readonly ids: readonly string[]
  /** The installation's key: hashes what remains of the email and phone. */
  readonly key: string
  /** The key may differ from the one used before, which is lost. */
  readonly newKey?: boolean
  /** Who asked for it, for the history. */
  readonly by: string
  readonly because?: 'restored backup'
}

export interface Erasure {
  readonly leads: number
  /** Leads whose data went to the webhook before, or is on its way there now. */
  readonly sent: readonly SentLead[]
}

export interface SentLead {
  readonly id: string
  readonly deliveredAt: number | null
  /** Each one carried the data away, confirmed or not. */
  readonly attempts: number
  readonly underWay: boolean
}

export interface ExpiryOrder {
  readonly days: number
  readonly after: string
  readonly key: string
}

export interface Expiry {
  readonly leads: number
  /** Old leads that are still to be delivered. */
  readonly undelivered: number
  /** Where to go on; null at the end. */
  readonly last: string | null
}

/**
 * What erasing a lead does to each table, and to each column of `leads`. A test compares this with the schema, so a new
 * table or column has to be decided about here.
 */
export const erasurePolicy = {
  consents: 'kept',
  questionnaires: 'kept',
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
    search_text: 'erased',
    page: 'kept',
    campaign: 'emptied',
    campaign_key: 'emptied',
    variant: 'kept',
    // With the consent text, the time, and the page, it answers "you called me without consent".
    certificate_id: 'kept',
    consent_version: 'kept',
    questionnaire_version: 'kept',
    certificate_other: 'kept',
    trusted_form: 'kept',
    rejected_reason: 'erased',
  },
  // Never hold personal data. A delivery that was not made yet is deleted.
  history: 'kept',
  attempts: 'kept',
  deliveries: 'kept',
  notes: 'deleted',
  // An erased lead is found by these when the person gives their number. Without the key they reveal nothing.
  erasure_keys: 'kept',
  erased_people: 'kept',
  // People who asked not to be called must not be called after they were erased either.
  suppressions: 'kept',
  do_not_call_history: 'kept',
  // Counts, not people.
  page_counts: 'kept',
  question_counts: 'kept',
  lead_counts: 'kept',
  rolled_up_days: 'kept',
  dirty_days: 'kept',
  variant_secret: 'kept',
  alerts: 'kept',
  clock: 'kept',
  readiness: 'kept',
  delivery_pause: 'kept',
  last_backup: 'kept',
  // The operator's own people, and what they did.
  desk_people: 'kept',
  desk_passkeys: 'kept',
  desk_invitations: 'kept',
  desk_challenges: 'kept',
  desk_sessions: 'kept',
  desk_jobs: 'kept',
  desk_job_leads: 'kept',
  exports: 'kept',
} as const satisfies Record<string, 'kept' | 'deleted' | Record<string, 'kept' | 'erased' | 'emptied'>>

const newValues = Object.entries(erasurePolicy.leads)
  .filter(([, fate]) => fate !== 'kept')
  .map(([column, fate]) => `${column} = ${fate === 'erased' ? 'NULL' : column === 'campaign' ? "'{}'" : "''"}`)
  .join(', ')

/** Tells keys apart and reveals nothing about them. */
export function keyIdOf(key: string): string {
  return macOf('which key', key).slice(0, 12)
}

/** Keyed, because ten digits are quickly guessed: a plain hash would give the number to anyone who has the store. */
function macOf(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

const emailMac = (email: string, key: string) => macOf(`email:${canonicalEmail(email)}`, key)
const phoneMac = (phone: string, key: string) => macOf(`phone:${phoneDigits(phone)}`, key)

export function createErasure(port: SqlPort): ErasureStore {
  const { read, transact, now, dialect } = port
  return {
    async erase({ ids, key, newKey = false, by, because }) {
      // In one order for all writers: two that lock the same leads in different orders would deadlock.
      const sorted = [...new Set(ids)].toSorted()
      const erased: ErasedLead[] = []
      for (let start = 0; start < sorted.length; start += BATCH) {
        if (start > 0) await sleep(TURN_MS)
        const batch = sorted.slice(start, start + BATCH)
        erased.push(
          ...(await transact(async (sql, at) => {
            await registerKey(sql, { id: keyIdOf(key), newKey, at })
            return eraseBatch(sql, dialect, batch, { key, at, by, because })
          })),
        )
      }
      await port.emptyLog?.()
      return { leads: erased.length, sent: erased.flatMap(({ sent }) => sent ?? []) }
    },

    async eraseExpired({ days, after, key }) {
      // Outside the transaction, and few at a time: passing over what was erased long ago must not delay captures.
      const old = await read<{ id: string; state: string; delivery: string | null }>(
        `SELECT leads.id, leads.state, deliveries.state AS delivery FROM leads
         LEFT JOIN deliveries ON deliveries.lead_id = leads.id
         WHERE leads.id > $1 AND leads.id < $2 ORDER BY leads.id LIMIT $3`,
        [after, firstIdAt((await now()) - days * DAY_MS), SCANNED_AT_ONCE],
      )
      const isUndelivered = (row: (typeof old)[number]) => row.delivery === 'pending'
      const expired = old.filter(row => row.state !== 'erased' && !isUndelivered(row)).map(({ id }) => id)
      const ids = expired.slice(0, BATCH)
      const looked = expired.length > BATCH ? old.findIndex(({ id }) => id === ids.at(-1)) + 1 : old.length
      const undelivered = old.slice(0, looked).filter(isUndelivered).length
      const last = looked < old.length || old.length === SCANNED_AT_ONCE ? (old[looked - 1]?.id ?? null) : null
      if (ids.length === 0) return { leads: 0, undelivered, last }
      const erased = await transact(async (sql, at) => {
        const [turn] = dialect.soleRunner === null ? [] : await sql<{ locked: number }>(dialect.soleRunner)
        if (turn?.locked === 0) return null
        await registerKey(sql, { id: keyIdOf(key), newKey: false, at })
        return eraseBatch(sql, dialect, ids, { key, at, by: 'system', because: 'retention' })
      })
      if (erased === null) return { leads: 0, undelivered, last: null }
      await port.emptyLog?.()
      return { leads: erased.length, undelivered, last }
    },

    async newestLeadAt() {
      const [newest] = await read<{ at: number }>('SELECT received_at AS at FROM leads ORDER BY id DESC LIMIT 1')
      return newest?.at ?? null
    },

    async notErased(ids) {
      const rows = await read<{ id: string }>(
        `SELECT id FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased'`,
        [JSON.stringify(ids)],
      )
      return rows.map(({ id }) => id)
    },

    async erasedLeadsOf({ person, key }) {
      const [column, mac] =
        'email' in person
          ? (['email_mac', key && emailMac(person.email, key)] as const)
          : (['phone_mac', key && phoneMac(person.phone, key)] as const)
      const found = await read<{ id: string }>(
        `SELECT lead_id AS id FROM erased_people WHERE ${column} = $1 ORDER BY lead_id`,
        [mac],
      )
      const [unseen] = await read<{ total: number }>('SELECT COUNT(*) AS total FROM erased_people WHERE key_id <> $1', [
        key ? keyIdOf(key) : '',
      ])
      return { ids: found.map(({ id }) => id), underOtherKeys: unseen?.total ?? 0 }
    },

    async wasErasedPerson({ id, email, phone, key }) {
      const [known] = await read<{ email_mac: string; phone_mac: string; key_id: string }>(
        'SELECT email_mac, phone_mac, key_id FROM erased_people WHERE lead_id = $1',
        [id],
      )
      if (!known) return false
      if (known.key_id !== keyIdOf(key)) return null
      return known.email_mac === emailMac(email, key) && known.phone_mac === phoneMac(phone, key)
    },

    installationKeys: () =>
      read('SELECT id, signing_since AS "signingSince" FROM erasure_keys ORDER BY first_used_at DESC'),

    async registerKey({ id, newKey = false, signing = false }) {
      await transact(async (sql, at) => {
        await registerKey(sql, { id, newKey, at })
        if (signing) {
          await sql('UPDATE erasure_keys SET signing_since = COALESCE(signing_since, $2) WHERE id = $1', [id, at])
        }
      })
    },
  }
}

/** One key cannot look up what was hashed with another, so a different key needs the operator's word. */
async function registerKey(
  sql: Sql,
  { id, newKey, at }: { readonly id: string; readonly newKey: boolean; readonly at: number },
): Promise<void> {
  const known = (await sql<{ id: string }>('SELECT id FROM erasure_keys')).map(row => row.id)
  if (known.includes(id)) return
  if (known.length > 0 && !newKey) {
    throw new StoreUnusable(
      `This machine’s key (key id ${id}) is not the store’s key (${known.join(', ')}). Copy ` +
        'erasure.key from a machine that has it, or set ERASURE_KEY. If the key is lost, erase with --new-key: ' +
        'people erased before then can no longer be found by phone number or email.',
    )
  }
  await sql('INSERT INTO erasure_keys (id, first_used_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [id, at])
}

interface ErasedLead {
  readonly sent: SentLead | null
}

interface Circumstances {
  readonly key: string
  readonly at: number
  readonly by: string
  readonly because?: ErasureOrder['because'] | 'retention' | undefined
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

/** Null when it was erased before, or is to be delivered after all. */
async function eraseOne(
  sql: Sql,
  dialect: Dialect,
  id: string,
  { key, at, by, because }: Circumstances,
): Promise<ErasedLead | null> {
  const [lead] = await sql<{ email: string; phone: string }>(
    `SELECT email, phone FROM leads WHERE id = $1 AND state <> 'erased' ${dialect.lockLeads}`,
    [id],
  )
  if (!lead) return null
  if (because === 'retention') {
    const pending = await sql(`SELECT 1 FROM deliveries WHERE lead_id = $1 AND state = 'pending'`, [id])
    if (pending.length > 0) return null
  }
  const sent = await sentSoFar(sql, id, at)
  // What was not delivered never will be. That something was delivered is part of the proof.
  const [cancelled] = await sql<{ state: string }>(
    `DELETE FROM deliveries WHERE lead_id = $1 AND state <> 'delivered' RETURNING state`,
    [id],
  )
  await forgetSearchText(sql, dialect, id)
  await sql(`UPDATE leads SET state = 'erased', ${newValues} WHERE id = $1`, [id])
  await sql('DELETE FROM notes WHERE lead_id = $1', [id])
  await markLeadChanged(sql, id, at)
  await sql(
    'INSERT INTO erased_people (lead_id, email_mac, phone_mac, key_id, erased_at) VALUES ($1, $2, $3, $4, $5)',
    [id, emailMac(lead.email, key), phoneMac(lead.phone, key), keyIdOf(key), at],
  )
  const cancelledDelivery = sent?.underWay ? 'under way' : (cancelled?.state ?? null)
  const detail = { cancelledDelivery, by, ...(because && { because }) }
  await addHistory(sql, { leadId: id, at, event: 'erased', detail })
  return { sent }
}

/** Null when the lead was never sent. */
async function sentSoFar(sql: Sql, id: string, now: number): Promise<SentLead | null> {
  const [made] = await sql<{ attempts: number; delivered_at: number | null }>(
    `SELECT COUNT(*) AS attempts, MAX(CASE WHEN outcome = 'delivered' THEN at + duration_ms END) AS delivered_at
     FROM attempts WHERE lead_id = $1`,
    [id],
  )
  const [delivery] = await sql<{
    state: string
    next_at: number
    lease_token: string | null
    finished_at: number | null
  }>('SELECT state, next_at, lease_token, finished_at FROM deliveries WHERE lead_id = $1', [id])
  const deliveredAt = made?.delivered_at ?? (delivery?.state === 'delivered' ? delivery.finished_at : null)
  const underWay = delivery?.state === 'pending' && delivery.lease_token !== null && delivery.next_at > now
  const attempts = made?.attempts ?? 0
  return attempts > 0 || underWay || deliveredAt !== null ? { id, deliveredAt, attempts, underWay } : null
}
