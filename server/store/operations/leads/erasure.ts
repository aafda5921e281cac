/** Erases people's data but keeps the proof that they consented and were erased. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall } from '../../../../domain/do-not-call/do-not-call.ts'
import type { CanceledDelivery } from '../../../../domain/events/lead-events.ts'
import { lockFound } from '../../facts/calls/numbers.ts'
import { deliveryAttemptsOf, sentToCrm } from '../../facts/deliveries/sent-to-crm.ts'
import { isClosedByList } from '../../facts/do-not-call/stops.ts'
import { chainOf } from '../../facts/leads/chains.ts'
import { emailMac, keyIdOf, phoneMac } from '../../facts/leads/hashes.ts'
import { firstIdAt } from '../../facts/leads/lead-id.ts'
import type { KnownLead } from '../../facts/leads/lead-records.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import { phoneMark, phoneMarkOfKey } from '../../facts/leads/person-keys.ts'
import { isNotErased, isPending } from '../../facts/leads/states.ts'
import { BATCH_PAUSE_MS, type Sql, type SqlPort, type Tx } from '../../sql.ts'
import { StoreUnavailable } from '../../store-errors.ts'
import { clockTimes, forgetErasure, markErasure } from '../../tables/clock.ts'
import { eraseCorrections } from '../../tables/corrections.ts'
import { forgetStoppedNumber } from '../../tables/do-not-call.ts'
import { addErasedPerson, markSigning, registerKey } from '../../tables/erased-people.ts'
import { addHistory } from '../../tables/history.ts'
import { recountDayOf } from '../../tables/lead-counts.ts'
import { removeSearchText } from '../../tables/lead-search.ts'
import { eraseLead } from '../../tables/leads.ts'
import { deleteNotes } from '../../tables/notes.ts'
import { eraseMessages } from '../../tables/outbox.ts'
import { forgetTokens } from '../../tables/sent-leads.ts'
import { eraseFromStory } from '../../tables/stories.ts'
import { removeUnqueued } from '../../tables/unqueued-leads.ts'

/** Small enough that captures, which wait for each batch, are barely delayed. */
const BATCH = 5
const SCANNED_AT_ONCE = 500

export interface ErasureOrder {
  readonly ids: readonly string[]
  /** The installation's key, used to hash the email and phone. */
  readonly key: string
  /** Accept a different key, because the previous one is lost. */
  readonly newKey?: boolean
  readonly by: string
  readonly reason?: 'restored backup' | 'retention'
  /** Skips people who have a lead that's kept. */
  readonly expired?: Expiry
}

interface Expiry {
  readonly before: number
  /** Keep leads with a pending delivery. */
  readonly keepPending: boolean
}

export interface ExpiryOrder extends Pick<ErasureOrder, 'key'>, Expiry {
  readonly after: string
}

/** A lead whose data was sent to the webhook or is being sent right now. */
export interface SentLead {
  readonly id: string
  readonly deliveredAt: number | null
  /** Every attempt may have sent the data, whether or not it was confirmed. None: one was interrupted before it was recorded. */
  readonly attempts: number
  readonly inFlight: boolean
}

export const ERASED_IN_LOG =
  'The old data is still in the store’s log (leads.sqlite-wal), because a backup or another program is reading the store. The server removes it when that ends.'

export async function emptyLog({ read, transact, emptyLog: empty }: SqlPort): Promise<boolean> {
  if (!empty) return true
  try {
    const erasedAt = (await clockTimes(read))('erasure')
    if (erasedAt === null) return true
    if (!(await empty())) return false
    await transact(tx => forgetErasure(tx, erasedAt))
    return true
  } catch (error) {
    if (error instanceof StoreUnavailable) return false
    throw error
  }
}

export type ErasureStore = ReturnType<typeof createErasure>

export function createErasure(port: SqlPort) {
  const { read, transact } = port

  async function erase({ ids, ...order }: ErasureOrder) {
    const erased: (SentLead | null)[] = []
    for (let start = 0; start < ids.length; start += BATCH) {
      if (start > 0) await sleep(BATCH_PAUSE_MS)
      const batch = ids.slice(start, start + BATCH)
      const found = await transact(async tx => {
        const leads = await eraseBatch(tx, { ...order, ids: batch })
        if (port.emptyLog && leads.length > 0) await markErasure(tx)
        return leads
      })
      erased.push(...found)
    }
    const inLog = erased.length > 0 && !(await emptyLog(port))
    return { leads: erased.length, sent: erased.filter(sent => sent !== null), inLog }
  }

  return {
    /** `inLog`: SQLite's log still has the data, because another program is reading the store. `emptyLog` removes it later. */
    erase,

    /** Removes erased people from SQLite's log. False if that isn't possible yet: try again later. */
    emptyLog: () => emptyLog(port),

    /**
     * Erases people whose leads were all received before a given time, starting after the ID `after`.
     * `last`: the ID to continue from; null at the end.
     */
    async eraseExpired({ before, after, keepPending, key }: ExpiryOrder) {
      // Outside the transaction, so skipping leads that were erased long ago doesn't delay captures.
      const old = await read<{ id: string; state: string; delivery: string | null }>(
        `SELECT leads.id, leads.state, CASE WHEN ${isClosedByList} THEN 'closed' ELSE outbox.state END AS delivery FROM leads
         LEFT JOIN outbox ON outbox.id = leads.id
         WHERE leads.id > $1 AND leads.id < $2 ORDER BY leads.id LIMIT $3`,
        [after, firstIdAt(before), SCANNED_AT_ONCE],
      )
      const isKept = ({ state, delivery }: (typeof old)[number]) =>
        state === 'erased' || (keepPending && delivery === 'pending')
      const ids = old.filter(row => !isKept(row)).map(({ id }) => id)
      const { leads } = await erase({ ids, key, by: 'system', reason: 'retention', expired: { before, keepPending } })
      return { leads, last: old.length < SCANNED_AT_ONCE ? null : (old.at(-1)?.id ?? null) }
    },

    async newestLeadAt() {
      const [newest] = await read<{ at: number }>('SELECT received_at AS at FROM leads ORDER BY id DESC LIMIT 1')
      return newest?.at ?? null
    },

    /** All leads of the people who have these: someone with another number has several. */
    leadsOfPeople: (ids: readonly string[]) => chainOf(read, ids),

    /** Which of these leads are in the store and not erased. */
    async notErased(ids: readonly string[]) {
      const rows = await read<{ id: string }>(`SELECT id FROM leads WHERE id = ANY($1) AND ${isNotErased}`, [ids])
      return rows.map(({ id }) => id)
    },

    /** Leads that someone erased, in the order of their IDs. Not those that retention erased: after a restore, it does so again. */
    erasures({ after, limit }: { readonly after: string; readonly limit: number }) {
      return read<{ id: string; at: number }>(
        `SELECT lead_id AS id, COALESCE(erased_at, 0) AS at FROM erased_people
         WHERE lead_id > $1 AND NOT EXISTS (SELECT 1 FROM history WHERE history.lead_id = erased_people.lead_id
           AND event = 'erased' AND detail LIKE '%"because":"retention"%')
         ORDER BY lead_id LIMIT $2`,
        [after, limit],
      )
    },

    /** The erased leads with this email or phone, and how many couldn't be checked because they were erased with another key. */
    async erasedLeadsOf({ person, key }: { readonly person: DoNotCall; readonly key: string | null }) {
      const column = 'email' in person ? 'email_mac' : 'phone_mac'
      const mac = key && ('email' in person ? emailMac(person.email, key) : phoneMac(person.phone, key))
      const found = await read<{ id: string }>(
        `SELECT lead_id AS id FROM erased_people WHERE ${column} = $1
         ${'email' in person ? 'UNION SELECT lead_id FROM corrections WHERE email_mac = $1' : ''} ORDER BY 1`,
        [mac],
      )
      const others = 'SELECT COUNT(*) AS total FROM erased_people WHERE key_id <> $1'
      const [unchecked] = await read<{ total: number }>(others, [key ? keyIdOf(key) : ''])
      return { ids: found.map(({ id }) => id), underOtherKeys: unchecked?.total ?? 0 }
    },

    /** Whether an erased lead belonged to this person; null if it was erased with another key. */
    async wasErasedPerson({ id, email, phone, key }: Readonly<Record<'id' | 'email' | 'phone' | 'key', string>>) {
      const [known] = await read<{ emailMac: string; phoneMac: string; keyId: string }>(
        'SELECT email_mac, phone_mac, key_id FROM erased_people WHERE lead_id = $1',
        [id],
      )
      if (!known) return false
      if (known.keyId !== keyIdOf(key)) return null
      // The lead may have been corrected after that.
      const former = await read<{ emailMac: string | null }>('SELECT email_mac FROM corrections WHERE lead_id = $1', [
        id,
      ])
      const all = [known, ...former]
      return all.some(each => each.emailMac === emailMac(email, key)) && known.phoneMac === phoneMac(phone, key)
    },

    /** IDs of the keys this store has been used with, and when each first signed a record. Never the keys themselves. */
    installationKeys: () =>
      read<{ readonly id: string; readonly signingSince: number | null }>(
        'SELECT id, signing_since FROM erasure_keys ORDER BY first_used_at DESC',
      ),

    /** Rejects with StoreUnusable if a different key was used before, unless `newKey` is set. */
    async registerKey({ id, newKey = false, signing = false }: { id: string; newKey?: boolean; signing?: boolean }) {
      await transact(async tx => {
        await registerKey(tx, { id, newKey })
        if (signing) await markSigning(tx, id)
      })
    },
  }
}

/** Returns what was sent for each lead it erased. Skips leads already erased. */
async function eraseBatch(
  tx: Tx,
  { ids, key, newKey = false, by, reason, expired }: ErasureOrder,
): Promise<readonly (SentLead | null)[]> {
  await registerKey(tx, { id: keyIdOf(key), newKey })
  const erased: (SentLead | null)[] = []
  for (const leads of await lockPeople(tx, ids)) {
    if (expired && (await isKept(tx, leads, expired))) continue
    for (const { id, email, phone } of leads) {
      const cancelledDelivery = await eraseMessages(tx, id)
      await removeSearchText(tx, id)
      await eraseLead(tx, id)
      await deleteNotes(tx, id)
      await removeUnqueued(tx, [id])
      await forgetTokens(tx, id)
      await eraseCorrections(tx, id, each => emailMac(each, key))
      const others = `SELECT 1 FROM leads WHERE ${phoneMarkOfKey} = $1 AND phone = $2 LIMIT 1`
      const isLast = (await tx(others, [phoneMark(phone), phone])).length === 0
      await eraseFromStory(tx, id, phone, isLast)
      // The last lead with the number takes along that an email on the list closed it.
      if (isLast) await forgetStoppedNumber(tx, phone)
      await recountDayOf(tx, id)
      // After a restore, retention erases its leads again.
      await addErasedPerson(tx, { leadId: id, email, phone, key, isLogged: reason !== 'retention' })
      const event = { kind: 'erased', cancelledDelivery, by, because: reason } as const
      await addHistory(tx, { leadId: id, event })
      erased.push(await sentSoFar(tx, id, cancelledDelivery))
    }
  }
  return erased
}

/**
 * Locks what these people have in the store: a person with another number has several leads, which are one request. Their numbers come
 * first, as in captures and corrections, so neither adds a lead until it's done.
 */
async function lockPeople(tx: Tx, ids: readonly string[]): Promise<readonly (readonly KnownLead[])[]> {
  await lockFound(tx, async () => (await storedLeads(tx, await chainOf(tx, ids))).map(({ phone }) => phone))
  const leads = await storedLeads(tx, await chainOf(tx, ids), { lock: tx.dialect.lockLeads })
  const people: (readonly KnownLead[])[] = []
  const isKnown = (id: string) => people.some(person => person.some(lead => lead.id === id))
  for (const { id } of leads) {
    if (isKnown(id)) continue
    const chain = new Set(await chainOf(tx, [id]))
    people.push(leads.filter(lead => chain.has(lead.id)))
  }
  return people
}

/** One lead that's kept keeps all of them. */
async function isKept(tx: Tx, leads: readonly KnownLead[], { before, keepPending }: Expiry): Promise<boolean> {
  const ids = leads.map(({ id }) => id)
  if (ids.some(id => id >= firstIdAt(before))) return true
  if (!keepPending) return false
  const pending = await tx(
    `SELECT 1 FROM outbox JOIN leads ON leads.id = outbox.id WHERE outbox.id = ANY($1) AND ${isPending} AND NOT ${isClosedByList} LIMIT 1`,
    [ids],
  )
  return pending.length > 0
}

/** Null if the lead was never sent. */
async function sentSoFar(sql: Sql, id: string, canceled: CanceledDelivery | null): Promise<SentLead | null> {
  if (!(await sentToCrm(sql, [id])).has(id)) return null
  const attempts = await deliveryAttemptsOf(sql, id)
  const delivered = attempts.filter(({ outcome }) => outcome === 'delivered')
  return {
    id,
    attempts: attempts.length,
    deliveredAt: delivered.length === 0 ? null : Math.max(...delivered.map(({ at, durationMs }) => at + durationMs)),
    inFlight: canceled === 'under way',
  }
}
