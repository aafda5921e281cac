/**
 * The do-not-call list, the only record of stops. A stop changes no lead: whether a number is stopped is read from the list, by
 * everyone who calls and by the outbox. An email on the list stops the numbers of all leads that have it, past and future, and no
 * further. To call or send such a lead, an editor removes the entry first, which records who asked for that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DoNotCall, RemovalRequest, StopSource } from '../../domain/do-not-call.ts'
import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import { addHistory } from './history.ts'
import {
  canceled,
  EVENT_DELIVERED,
  EVENT_DISMISSED,
  inLane,
  MAY_BE_SENT,
  queueEvents,
  type UnfinishedDelivery,
  unfinishedColumns,
} from './messages.ts'
import { canonicalEmail, emailMark, KEY_VERSION, phoneMark, phoneMarkOfKey } from './repeats.ts'
import { BATCH_PAUSE_MS, type Dialect, insert, type Sql, type SqlPort } from './sql.ts'

/** Small enough that captures, which wait for each batch, are barely delayed by an import of half a million entries. */
const BATCH = 200

export type ContactKind = 'email' | 'phone'

export interface DoNotCallOrder {
  readonly contacts: readonly DoNotCall[]
  readonly by: string
  /** The lead the email or phone number came from, perhaps erased since. The change is recorded in its history. */
  readonly leadId?: string
  /** How the request came in. */
  readonly source?: StopSource
}

export interface RemovalOrder extends DoNotCallOrder {
  /** Null if a restore removes it: the request was recorded before. */
  readonly request: RemovalRequest | null
}

/** An entry on the list: when it was added and by whom, as far as we know. */
export interface DoNotCallEntry {
  readonly contact: ContactKind
  /** Ten digits, or a lowercase email address. */
  readonly entry: string
  readonly at: number
  readonly by: string | null
  readonly source: StopSource | null
}

/** An entry that closes a lead. */
export interface ClosingEntry extends DoNotCallEntry {
  /** Whether it's the lead's own phone number or email. If not, it's the email of another lead with the number. */
  readonly isOwn: boolean
}

/** Which of a lead's contacts are on the list, and emails of other leads with its number. */
export function listedContacts(entries: readonly ClosingEntry[]) {
  const isListed = (kind: ContactKind) => entries.some(({ contact, isOwn }) => isOwn && contact === kind)
  const others = entries.filter(({ isOwn }) => !isOwn).map(({ entry }) => entry)
  return { email: isListed('email'), phone: isListed('phone'), others }
}

/** What a stop did to the outbox. */
export interface StoppedLeads {
  /** Leads that were waiting or had failed, and won't be sent. */
  readonly stopped: readonly string[]
  /** Of those: being sent right now, or perhaps sent before a worker was killed. */
  readonly inFlight: readonly string[]
  readonly interrupted: readonly string[]
  /** Leads that the CRM has or may have: it will be told. */
  readonly told: readonly string[]
}

export function entriesOf({ email, phone }: Pick<Contact, 'email' | 'phone'>): readonly [string, string] {
  return [canonicalEmail(email), phoneDigits(phone)]
}

export function entryOf(contact: DoNotCall): string {
  return 'email' in contact ? canonicalEmail(contact.email) : phoneDigits(contact.phone)
}

export function contactOfEntry(entry: string): DoNotCall {
  return entry.includes('@') ? { email: entry } : { phone: entry }
}

export const kindOf = (entry: string): ContactKind => (entry.includes('@') ? 'email' : 'phone')

/** SQL: this number, a column or parameter, isn't to be called. */
export const isStopped = (phone: string): string =>
  `(EXISTS (SELECT 1 FROM do_not_call WHERE do_not_call.contact = ${phone})
    OR EXISTS (SELECT 1 FROM stopped_numbers WHERE stopped_numbers.phone = ${phone}))`

/** SQL: the list closes the lead. It isn't called, sent, or approved. */
export const isClosedByList = isStopped('leads.phone')

/** SQL, for leads on hold: someone has to review it, as `isClosed` in domain/hold-reasons.ts defines it. */
export const isUndecided = `(leads.held_reason = '${DO_NOT_CALL}' OR NOT ${isClosedByList})`

/** The last time the entry was added. */
const addedAs = (column: string, name: string) =>
  `(SELECT ${column} FROM do_not_call_history WHERE contact = do_not_call.contact AND event = 'added'
    ORDER BY at DESC LIMIT 1) AS "${name}"`
const entryColumns = `do_not_call.contact AS entry, do_not_call.added_at AS at, ${addedAs('done_by', 'by')}, ${addedAs('source', 'source')}`

type EntryRow = Omit<DoNotCallEntry, 'contact'>
const readEntry = (row: EntryRow): DoNotCallEntry => ({ ...row, contact: kindOf(row.entry) })

export type DoNotCallStore = ReturnType<typeof createDoNotCall>

export function createDoNotCall(port: SqlPort, onDue: () => void) {
  const { read, transact, dialect } = port

  /** Batches keep captures from waiting for a long import. */
  async function inBatches<Order extends DoNotCallOrder, Result>(
    order: Order,
    change: (sql: Sql, at: number, batch: Order) => Promise<Result>,
  ): Promise<readonly Result[]> {
    const results: Result[] = []
    for (let start = 0; start < order.contacts.length; start += BATCH) {
      if (start > 0) await sleep(BATCH_PAUSE_MS)
      const batch = { ...order, contacts: order.contacts.slice(start, start + BATCH) }
      results.push(await transact((sql, at) => change(sql, at, batch)))
    }
    return results
  }

  return {
    /**
     * Adds emails and phone numbers to the list. Returns how many entries were `added`, and what it did to the outbox. A delivery in
     * flight can't be recalled: its result is recorded when it ends, it isn't retried, and the CRM hears of the stop after it.
     */
    async addToDoNotCall(order: DoNotCallOrder) {
      const batches = await inBatches(order, (sql, at, batch) => addToDoNotCallIn(sql, dialect, at, batch))
      onDue()
      return {
        added: batches.reduce((sum, { added }) => sum + added, 0),
        stopped: batches.flatMap(({ stopped }) => stopped),
        inFlight: batches.flatMap(({ inFlight }) => inFlight),
        interrupted: batches.flatMap(({ interrupted }) => interrupted),
        told: batches.flatMap(({ told }) => told),
      }
    },
    /** Removes entries at someone's request, which is recorded. `told`: the CRM has heard of the stop. */
    async removeFromDoNotCall(order: RemovalOrder) {
      const batches = await inBatches(order, (sql, at, batch) => removeFromDoNotCallIn(sql, dialect, at, batch))
      onDue()
      return {
        removed: batches.reduce((sum, { removed }) => sum + removed, 0),
        told: batches.some(({ told }) => told),
      }
    },
    /**
     * Takes back entries that this person added by mistake. Keeps those that a colleague added or confirmed, and returns who: one
     * person's Undo must never lose another's request.
     */
    async undoDoNotCall(order: DoNotCallOrder) {
      const undone = await transact((sql, at) => undoDoNotCallIn(sql, dialect, at, order))
      onDue()
      return undone
    },
    /** Which of these leads the list closes. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const rows = await read<{ id: string }>(
        `SELECT id FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND state <> 'erased' AND ${isClosedByList}`,
        [JSON.stringify(ids)],
      )
      return new Set(rows.map(({ id }) => id))
    },
    /** The entries that close the lead: its own phone number and email, then emails of other leads with the number. */
    async doNotCallEntriesOf(leadId: string): Promise<readonly ClosingEntry[]> {
      const [lead] = await read<{ email: string; phone: string }>(
        `SELECT email, phone FROM leads WHERE id = $1 AND state <> 'erased'`,
        [leadId],
      )
      if (!lead) return []
      const isOwn = ({ entry }: { readonly entry: string }) => entry === lead.email || entry === lead.phone
      const entries = (await stopsOf(read, lead.phone)).map(entry => ({ ...entry, isOwn: isOwn(entry) }))
      return [...entries.filter(isOwn), ...entries.filter(entry => !isOwn(entry))]
    },
    /**
     * Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. `search`: part of an
     * email or a phone number.
     */
    async doNotCallList({ after, limit, search = '' }: { after: string; limit: number; search?: string }) {
      const digits = phoneDigits(search)
      const wanted = /[a-z@]/i.test(search) || digits === '' ? canonicalEmail(search) : digits
      const rows = await read<EntryRow>(
        `SELECT ${entryColumns} FROM do_not_call
         WHERE contact > $1 AND contact LIKE $2 ESCAPE '!' ORDER BY contact LIMIT $3`,
        [after, `%${wanted.replaceAll(/[!%_]/g, '!$&')}%`, limit],
      )
      return rows.map(({ entry, at, by, source }) => ({ contact: entry, addedAt: at, by, source }))
    },
  }
}

/** The entries that stop a number: itself first, then emails. */
export async function stopsOf(sql: Sql, phone: string): Promise<readonly DoNotCallEntry[]> {
  const rows = await sql<EntryRow>(
    `SELECT ${entryColumns} FROM do_not_call
     WHERE contact = $1 OR contact IN (SELECT email FROM stopped_numbers WHERE phone = $1) ORDER BY contact`,
    [phone],
  )
  return rows.map(readEntry).toSorted((one, other) => Number(other.entry === phone) - Number(one.entry === phone))
}

/** Locks entries, so that adding, confirming, and taking back the same one, and a capture from the same person, wait for each other. */
export const contactKeys = (entries: readonly string[]): readonly string[] => entries.map(entry => `contact ${entry}`)

/** Within the caller's transaction, so that a call and the request it led to are recorded together. */
export async function addToDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: DoNotCallOrder) {
  const entries = entriesIn(order)
  await dialect.lockKeys(sql, contactKeys(entries))
  const results: StoppedLeads[] = []
  let added = 0
  for (const entry of entries) {
    if (await addEntry(sql, entry, at)) {
      added++
      await record(sql, at, { event: 'added', entry, order })
      const ids = await closedBy(sql, dialect, entry)
      // An erased lead is found only by the page that asked.
      if (order.leadId !== undefined && !ids.includes(order.leadId)) ids.push(order.leadId)
      const except = order.source === 'crm' ? order.leadId : undefined
      results.push(await stopLeads(sql, dialect, at, { ids, contact: kindOf(entry), by: order.by, except }))
    }
    // A second request is evidence, too, and keeps the first person's Undo from removing the entry. A list that is imported every
    // night is recorded once.
    else if (order.leadId !== undefined || !(await hasAsked(sql, entry, order.by))) {
      await record(sql, at, { event: 'confirmed', entry, order })
    }
  }
  return {
    added,
    stopped: results.flatMap(({ stopped }) => stopped),
    inFlight: results.flatMap(({ inFlight }) => inFlight),
    interrupted: results.flatMap(({ interrupted }) => interrupted),
    told: results.flatMap(({ told }) => told),
  }
}

async function removeFromDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: RemovalOrder) {
  await dialect.lockKeys(sql, contactKeys(entriesIn(order)))
  const removed: string[] = []
  let told = false
  for (const entry of entriesIn(order)) {
    const result = await removeEntry(sql, dialect, at, entry)
    if (!result) continue
    removed.push(entry)
    told ||= result.told
    await record(sql, at, { event: 'removed', entry, order, request: order.request })
  }
  return { removed: removed.length, told }
}

/** Later, taking an entry off the list is a removal, and someone has to say who asked for it. */
const UNDO_MS = 60 * 60_000

/** Within the caller's transaction. */
export async function undoDoNotCallIn(sql: Sql, dialect: Dialect, at: number, order: DoNotCallOrder) {
  await dialect.lockKeys(sql, contactKeys(entriesIn(order)))
  const kept: DoNotCallEntry[] = []
  const undone: string[] = []
  let told = false
  for (const entry of entriesIn(order)) {
    const [{ addedAt } = { addedAt: null }] = await sql<{ addedAt: number }>(
      'SELECT added_at AS "addedAt" FROM do_not_call WHERE contact = $1',
      [entry],
    )
    if (addedAt === null) continue
    const asked = await sql<{ at: number; by: string; event: string; source: StopSource | null }>(
      `SELECT at, done_by AS "by", event, source FROM do_not_call_history
       WHERE contact = $1 AND at >= $2 AND event IN ('added', 'confirmed') ORDER BY at`,
      [entry, addedAt],
    )
    const colleague = asked.find(({ by }) => by !== order.by)
    const own = asked.find(({ event, by }) => event === 'added' && by === order.by)
    if (colleague || !own || addedAt <= at - UNDO_MS) {
      const { by = null, source = null, at: since = addedAt } = colleague ?? own ?? {}
      kept.push({ contact: kindOf(entry), entry, at: since, by, source })
      continue
    }
    const result = await removeEntry(sql, dialect, at, entry)
    told ||= result?.told ?? false
    await record(sql, at, { event: 'undone', entry, order })
    undone.push(entry)
  }
  return { undone, kept, told }
}

/** The event in a lead's history for each change of the list. Stored values never change. */
export const leadEvents = {
  added: 'suppressed',
  removed: 'unsuppressed',
  confirmed: 'confirmed do not call',
  undone: 'undid do not call',
}

/** Whether this person added the entry or confirmed it since. */
async function hasAsked(sql: Sql, contact: string, by: string): Promise<boolean> {
  const asked = await sql(
    `SELECT 1 FROM do_not_call JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact
     WHERE do_not_call.contact = $1 AND at >= added_at AND event IN ('added', 'confirmed') AND done_by = $2 LIMIT 1`,
    [contact, by],
  )
  return asked.length > 0
}

/** Sorted, because two writers that change the same entries in different orders would deadlock. */
const entriesIn = ({ contacts }: DoNotCallOrder) => [...new Set(contacts.map(entryOf))].toSorted()

/** False if it was on the list already. */
async function addEntry(sql: Sql, contact: string, at: number): Promise<boolean> {
  const row = { contact, added_at: at }
  return (await insert(sql, 'do_not_call', row, 'ON CONFLICT DO NOTHING RETURNING 1')).length > 0
}

/** Null if it wasn't on the list. Leads that nothing else stops go on as before. */
async function removeEntry(
  sql: Sql,
  dialect: Dialect,
  at: number,
  entry: string,
): Promise<{ readonly told: boolean } | null> {
  const [removed] = await sql<{ addedAt: number }>(
    'DELETE FROM do_not_call WHERE contact = $1 RETURNING added_at AS "addedAt"',
    [entry],
  )
  if (!removed) return null
  const numbers = await sql<{ phone: string }>('DELETE FROM stopped_numbers WHERE email = $1 RETURNING phone', [entry])
  const phones = kindOf(entry) === 'phone' ? [entry] : numbers.map(({ phone }) => phone)
  const ids = await leadsWithNumbers(sql, dialect, phones)
  return resumeLeads(sql, dialect, at, { ids, since: removed.addedAt })
}

interface ListChange {
  readonly event: keyof typeof leadEvents
  readonly entry: string
  readonly order: DoNotCallOrder
  readonly request?: RemovalRequest | null
}

async function record(sql: Sql, at: number, change: ListChange): Promise<void> {
  const { event, entry, order, request } = change
  const { by, leadId, source = null } = order
  const requested = request ? { asked_by: request.askedBy, asked_on: request.askedOn } : {}
  await insert(sql, 'do_not_call_history', { contact: entry, at, event, done_by: by, source, ...requested })
  if (leadId === undefined) return
  // Record only whether it was an email or a phone number, not the value, because history survives an erasure.
  const detail = { contact: kindOf(entry), by, ...(source !== null && { source }), ...request }
  await addHistory(sql, { leadId, at, event: leadEvents[event], detail })
}

/** The leads that an entry closes. For an email, remembers the numbers that it stops. */
async function closedBy(sql: Sql, dialect: Dialect, entry: string): Promise<string[]> {
  if (kindOf(entry) === 'phone') return leadsWithNumbers(sql, dialect, [entry])
  const prefix = `${KEY_VERSION}${emailMark(entry)}`
  const found = await sql<{ phone: string }>(
    'SELECT DISTINCT phone FROM leads WHERE person_key >= $1 AND person_key < $2 AND email = $3',
    [prefix, `${prefix}~`, entry],
  )
  const phones = found.map(({ phone }) => phone)
  await stopNumbers(
    sql,
    phones.map(phone => ({ phone, email: entry })),
  )
  return leadsWithNumbers(sql, dialect, phones)
}

/** Numbers of leads with an email on the list. Captures call this, too. */
export async function stopNumbers(
  sql: Sql,
  numbers: readonly { readonly phone: string; readonly email: string }[],
): Promise<void> {
  for (const { phone, email } of numbers) {
    await insert(sql, 'stopped_numbers', { phone, email }, 'ON CONFLICT DO NOTHING')
  }
}

async function leadsWithNumbers(sql: Sql, { valuesOf }: Dialect, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const rows = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} IN ${valuesOf('$1')} AND phone IN ${valuesOf('$2')} ORDER BY id`,
    [JSON.stringify(phones.map(phoneMark)), JSON.stringify(phones)],
  )
  return rows.map(({ id }) => id)
}

interface StopOrder {
  readonly ids: readonly string[]
  readonly contact: ContactKind
  readonly by?: string
  /** A lead whose stop came from the CRM itself. */
  readonly except?: string | undefined
}

/**
 * Takes closed leads out of the outbox, and tells the CRM about those it has or may have, unless it was told about an earlier stop that
 * still stands.
 */
export async function stopLeads(
  sql: Sql,
  dialect: Dialect,
  at: number,
  { ids, contact, by = 'system', except }: StopOrder,
): Promise<StoppedLeads> {
  const among = dialect.valuesOf('$1')
  const chosen = JSON.stringify(ids)
  if (ids.length === 0) return { stopped: [], inFlight: [], interrupted: [], told: [] }
  const rows = await sql<UnfinishedDelivery & { id: string }>(
    `UPDATE outbox SET state = 'stopped' WHERE id IN ${among} AND lane = 'leads' AND state IN ('pending', 'dead')
     RETURNING id, ${unfinishedColumns}`,
    [chosen],
  )
  for (const row of rows) {
    const detail = { cancelledDelivery: canceled(row, at), by }
    await addHistory(sql, { leadId: row.id, at, event: 'delivery stopped', detail })
  }
  const sent = await sql<{ id: string }>(
    `SELECT DISTINCT sent.lead_id AS id FROM (
       SELECT lead_id FROM outbox WHERE id IN ${among} AND lane = 'leads' AND ${MAY_BE_SENT}
       UNION ALL SELECT lead_id FROM attempts WHERE lead_id IN ${among}
     ) AS sent
     WHERE sent.lead_id <> $2 AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.lead_id = sent.lead_id AND ${inLane('stops')})
     ORDER BY 1`,
    [chosen, except ?? ''],
  )
  const known = await toldOfStop(sql, dialect, sent)
  const told = sent.map(({ id }) => id).filter(id => !known.has(id))
  const events = told.map(leadId => ({ leadId, type: 'lead.do_not_call' as const, detail: { contact } }))
  await queueEvents(sql, dialect, at, events)
  const those = (what: string) => rows.filter(row => canceled(row, at) === what).map(({ id }) => id)
  return { stopped: rows.map(({ id }) => id), inFlight: those('under way'), interrupted: those('interrupted'), told }
}

/** SQL: the CRM heard of a stop. */
const heardOfStop = ({ jsonField }: Dialect) =>
  `history.event IN ('${EVENT_DELIVERED}', '${EVENT_DISMISSED}') AND ${jsonField('history.detail', 'type')} = 'lead.do_not_call'`

/** Which of these leads the CRM knows about: it was told about a stop that still stands. */
async function toldOfStop(
  sql: Sql,
  dialect: Dialect,
  leads: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string; at: number; phone: string | null }>(
    `SELECT history.lead_id AS id, MAX(history.at) AS at, MAX(leads.phone) AS phone FROM history JOIN leads ON leads.id = history.lead_id
     WHERE history.lead_id IN ${dialect.valuesOf('$1')} AND ${heardOfStop(dialect)} GROUP BY history.lead_id`,
    [JSON.stringify(leads.map(({ id }) => id))],
  )
  const told = new Set<string>()
  for (const { id, at, phone } of rows) {
    const stops = phone === null ? [] : await stopsOf(sql, phone)
    if (phone === null || at >= Math.min(...stops.map(stop => stop.at))) told.add(id)
  }
  return told
}

/** After an entry was removed: brings the outbox back as it was, except for leads that another entry stops. */
async function resumeLeads(
  sql: Sql,
  dialect: Dialect,
  at: number,
  { ids, since }: { readonly ids: readonly string[]; readonly since: number },
): Promise<{ readonly told: boolean }> {
  if (ids.length === 0) return { told: false }
  const open = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE id IN ${dialect.valuesOf('$1')} AND NOT ${isClosedByList}`,
    [JSON.stringify(ids)],
  )
  const chosen = JSON.stringify(open.map(({ id }) => id))
  const among = dialect.valuesOf('$1')
  await sql(
    `UPDATE outbox SET state = CASE WHEN finished_at IS NULL THEN 'pending' ELSE 'dead' END
     WHERE id IN ${among} AND lane = 'leads' AND state = 'stopped'`,
    [chosen],
  )
  const unsent = await sql<{ isSent: number }>(
    `DELETE FROM outbox WHERE lead_id IN ${among} AND ${inLane('stops')} AND (lease_token IS NULL OR next_at <= $2)
     RETURNING CASE WHEN ${MAY_BE_SENT} THEN 1 ELSE 0 END AS "isSent"`,
    [chosen, at],
  )
  const heard = await sql(
    `SELECT 1 FROM outbox WHERE lead_id IN ${among} AND ${inLane('stops')}
     UNION ALL SELECT 1 FROM history WHERE lead_id IN ${among} AND at >= $2 AND ${heardOfStop(dialect)} LIMIT 1`,
    [chosen, since],
  )
  return { told: heard.length > 0 || unsent.some(({ isSent }) => isSent === 1) }
}

export interface LeadContacts extends Pick<Contact, 'email' | 'phone'> {
  readonly id: string
}

/** Which of these leads, stored or not, the list closes. Remembers the numbers of those whose email is on it. */
export async function closeNewLeads(
  sql: Sql,
  dialect: Dialect,
  leads: readonly LeadContacts[],
): Promise<ReadonlySet<string>> {
  const contacts = leads.map(lead => ({ id: lead.id, entries: entriesOf(lead) }))
  const rows = await sql<{ contact: string }>(
    `SELECT contact FROM do_not_call WHERE contact IN ${dialect.valuesOf('$1')}
     UNION ALL SELECT phone FROM stopped_numbers WHERE phone IN ${dialect.valuesOf('$1')}`,
    [JSON.stringify(contacts.flatMap(({ entries }) => entries))],
  )
  if (rows.length === 0) return new Set()
  const found = new Set(rows.map(({ contact }) => contact))
  const closed = contacts.filter(({ entries }) => entries.some(entry => found.has(entry)))
  const byEmail = closed.filter(({ entries: [email] }) => found.has(email))
  await stopNumbers(
    sql,
    byEmail.map(({ entries: [email, phone] }) => ({ phone, email })),
  )
  return new Set(closed.map(({ id }) => id))
}
