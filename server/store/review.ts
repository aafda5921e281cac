/** What operators decide about leads: release or reject held ones, deliver leads again. */
import { ABOUT_TO_BE_SENT_MS } from '../../domain/lead-actions.ts'
import { type LeadContacts, suppressedAmong } from './do-not-call.ts'
import { type FilterSql, filterSql } from './filter.ts'
import { markLeadChanged } from './funnel.ts'
import { addHistory } from './history.ts'
import type { LeadFilter } from './lead-records.ts'
import { putIntoOutbox, reopenDelivery } from './outbox.ts'
import { DO_NOT_CALL, REPEAT_WINDOW_MS } from './repeats.ts'
import type { Dialect, Sql, SqlPort, Value } from './sql.ts'

/** `by`: a desk person's name, or the terminal's system user. It goes into the lead's history. */
export interface ReviewStore {
  /**
   * How many were released. Leads given by id must all be held or rejected, or none is released and the answer is 0. The same
   * if one was rejected and its person has come again since: that newer lead is the one to decide about. "All held" leaves
   * out people on the do-not-call list, who must be named.
   */
  release(order: { readonly ids: readonly string[] | 'all held'; readonly by: string }): Promise<number>
  /** How many were rejected: kept, and never delivered. All must be held, or none is rejected and the answer is 0. */
  reject(order: { readonly ids: readonly string[]; readonly reason: string; readonly by: string }): Promise<number>
  /**
   * How many were put back into the outbox: accepted leads whose delivery isn't due within a minute anyway. People on the
   * do-not-call list are left out unless their leads are named.
   */
  redeliver(order: Selection & { readonly by: string }): Promise<number>
  countRedeliverable(selection: Selection): Promise<Redeliverable>
}

export type Selection = { readonly id: string } | SelectedLeads | LeadFilter

/** Leads by their ids. */
export interface SelectedLeads {
  readonly ids: readonly string[]
  /** Include delivered ones. */
  readonly again?: boolean
  /** They were found by a filter, not named: leave out people on the do-not-call list. */
  readonly leaveOutSuppressed?: boolean
}

export interface Redeliverable {
  readonly leads: number
  /** Would be among them, but their people are on the do-not-call list. */
  readonly suppressed: number
}

/** Few enough that captures, which wait behind a batch, stay quick. */
const BATCH = 500
const COUNTED_AT_ONCE = 5000

/** When something is changed, and by whom. */
interface Occasion {
  readonly at: number
  readonly by: string
}

interface LeadToDecide {
  readonly id: string
  readonly state: string
  readonly heldReason: string | null
}

interface LeadOfPerson extends LeadToDecide {
  readonly personKey: string
  readonly receivedAt: number
}

interface SelectedLead extends LeadToDecide, LeadContacts {
  readonly delivery: string
  readonly nextAt: number
}

export function createReview(port: SqlPort, onDue: () => void): ReviewStore {
  const { read, now, dialect } = port
  const signalDue = (leads: number) => {
    if (leads > 0) onDue()
    return leads
  }
  return {
    async release({ ids, by }) {
      if (ids !== 'all held') {
        return signalDue(await allOrNone(port, (sql, at) => releaseAll(sql, dialect, ids, { at, by })))
      }
      const held = select({ state: 'held' }, [`leads.held_reason <> '${DO_NOT_CALL}'`], dialect)
      const change: Change = (sql, lead, at) => releaseOne(sql, dialect, lead, { at, by })
      return signalDue(await inBatches(port, held, { leaveOutSuppressed: true, change }))
    },
    reject: ({ ids, reason, by }) => allOrNone(port, (sql, at) => rejectAll(sql, dialect, ids, reason, { at, by })),
    async redeliver({ by, ...selection }) {
      const chosen = redeliverable(selection, await now(), dialect)
      const change: Change = (sql, lead, at) => redeliverOne(sql, lead, { at, by })
      return signalDue(await inBatches(port, chosen, { leaveOutSuppressed: !isByName(selection), change }))
    },
    async countRedeliverable(selection) {
      const chosen = redeliverable(selection, await now(), dialect)
      const [listed] = await read('SELECT contact FROM suppressions LIMIT 1')
      // Whether a person is on the list shows only by looking at each lead.
      if (!isByName(selection) && listed) return countOneByOne(port, chosen)
      const { from, conditions, parameters } = chosen
      const [counted] = await read<{ total: number }>(
        `SELECT COUNT(*) AS total FROM ${from} WHERE ${conditions.join(' AND ')}`,
        parameters,
      )
      return { leads: counted?.total ?? 0, suppressed: 0 }
    },
  }
}

/** Somebody asked for these very leads. */
function isByName(selection: Selection): boolean {
  return 'id' in selection || ('ids' in selection && !selection.leaveOutSuppressed)
}

/** Nobody on the do-not-call list gets a call because their lead was one of many. */
async function withoutSuppressed<Lead extends LeadContacts>(sql: Sql, dialect: Dialect, found: readonly Lead[]) {
  const suppressed = await suppressedAmong(sql, dialect, found)
  return found.filter(({ id }) => !suppressed.has(id))
}

async function countOneByOne({ read, dialect }: SqlPort, chosen: FilterSql): Promise<Redeliverable> {
  let [leads, found, last] = [0, 0, '']
  for (;;) {
    const { statement, values } = pageOf(chosen, last, COUNTED_AT_ONCE)
    const rows = await read<SelectedLead>(statement, values)
    found += rows.length
    leads += (await withoutSuppressed(read, dialect, rows)).length
    if (rows.length < COUNTED_AT_ONCE) return { leads, suppressed: found - leads }
    last = rows.at(-1)?.id ?? last
  }
}

async function releaseOne(
  sql: Sql,
  dialect: Dialect,
  { id, state, heldReason }: LeadToDecide,
  { at, by }: Occasion,
): Promise<boolean> {
  const released = await sql(
    `UPDATE leads SET state = 'accepted', held_reason = NULL, rejected_reason = NULL
     WHERE id = $1 AND state = $2 RETURNING id`,
    [id, state],
  )
  if (released.length === 0) return false
  await putIntoOutbox(sql, dialect, [{ id, at }])
  const detail = { heldReason, ...(state === 'rejected' && { was: state }), by }
  await addHistory(sql, { leadId: id, at, event: 'released', detail })
  await markLeadChanged(sql, id, at)
  return true
}

/** Ends a transaction of which nothing may be kept. */
class NotAll extends Error {}

async function allOrNone({ transact }: SqlPort, change: (sql: Sql, at: number) => Promise<number>): Promise<number> {
  return transact(change).catch(error => {
    if (error instanceof NotAll) return 0
    throw error
  })
}

async function releaseAll(sql: Sql, dialect: Dialect, ids: readonly string[], occasion: Occasion): Promise<number> {
  // People first and leads second, as captures do. Also of leads that are still held: somebody may reject them before we
  // get to them, and a new lead of a rejected person comes in on its own.
  const undecided = `state IN ('held', 'rejected')`
  const people = await leadsOf(sql, dialect, ids, undecided)
  if (people.length > 0) {
    await dialect.lockPeople(
      sql,
      people.map(({ personKey }) => personKey),
    )
  }
  const chosen = await leadsOf(sql, dialect, ids, undecided, dialect.lockLeads)
  if (chosen.length < new Set(ids).size) throw new NotAll()
  for (const lead of chosen) {
    if (lead.state === 'rejected' && (await cameAgain(sql, lead))) throw new NotAll()
    await releaseOne(sql, dialect, lead, occasion)
  }
  return chosen.length
}

/** A rejected lead makes no repeats: a newer one of the same person counts by itself. */
async function cameAgain(sql: Sql, { id, personKey, receivedAt }: LeadOfPerson): Promise<boolean> {
  const others = await sql(
    `SELECT id FROM leads WHERE person_key = $1 AND received_at > $2 AND id <> $3 AND state IN ('accepted', 'held') LIMIT 1`,
    [personKey, receivedAt - REPEAT_WINDOW_MS, id],
  )
  return others.length > 0
}

async function rejectAll(
  sql: Sql,
  dialect: Dialect,
  ids: readonly string[],
  reason: string,
  { at, by }: Occasion,
): Promise<number> {
  const held = await leadsOf(sql, dialect, ids, `state = 'held'`, dialect.lockLeads)
  if (held.length < new Set(ids).size) throw new NotAll()
  for (const { id, heldReason } of held) {
    await sql(`UPDATE leads SET state = 'rejected', rejected_reason = $2 WHERE id = $1`, [id, reason])
    // Without the reason: it may be about the person, and history outlives an erasure.
    await addHistory(sql, { leadId: id, at, event: 'rejected', detail: { heldReason, by } })
  }
  return held.length
}

/** In the order of their ids: two writers that lock the same leads in different orders would deadlock. */
function leadsOf(sql: Sql, { valuesOf }: Dialect, ids: readonly string[], condition: string, lockLeads = '') {
  return sql<LeadOfPerson>(
    `SELECT id, state, held_reason AS "heldReason", person_key AS "personKey", received_at AS "receivedAt" FROM leads
     WHERE id IN ${valuesOf('$1')} AND ${condition} ORDER BY id ${lockLeads}`,
    [JSON.stringify(ids)],
  )
}

async function redeliverOne(sql: Sql, { id, delivery, nextAt }: SelectedLead, { at, by }: Occasion): Promise<boolean> {
  if (!(await reopenDelivery(sql, id, at, { state: delivery, nextAt }))) return false
  await addHistory(sql, { leadId: id, at, event: 'put into the outbox again', detail: { was: delivery, by } })
  if (delivery === 'delivered') await markLeadChanged(sql, id, at)
  return true
}

function redeliverable(selection: Selection, now: number, dialect: Dialect): FilterSql {
  const conditions = [
    `leads.state IN ('accepted', 'repeat')`,
    `(deliveries.state <> 'pending' OR deliveries.next_at > ${now + ABOUT_TO_BE_SENT_MS})`,
  ]
  return select(selection, conditions, dialect)
}

function select(selection: Selection, conditions: readonly string[], dialect: Dialect): FilterSql {
  const chosen = 'id' in selection || 'ids' in selection ? selectIds(selection, dialect) : filterSql(selection, dialect)
  return { ...chosen, conditions: [...chosen.conditions, ...conditions] }
}

function selectIds(selection: { readonly id: string } | SelectedLeads, dialect: Dialect): FilterSql {
  const ids = 'id' in selection ? [selection.id] : selection.ids
  const conditions = [`leads.id IN ${dialect.valuesOf('$1')}`]
  if ('ids' in selection && !selection.again) conditions.push(`deliveries.state <> 'delivered'`)
  return { ...filterSql({}, dialect), conditions, parameters: [JSON.stringify(ids)] }
}

function pageOf({ from, id, conditions, parameters }: FilterSql, after: string, limit: number) {
  const values: Value[] = [...parameters, after, limit]
  const where = [...conditions, `${id} > $${values.length - 1}`].join(' AND ')
  const statement = `SELECT leads.id, leads.state, leads.held_reason AS "heldReason", leads.email, leads.phone,
      deliveries.state AS delivery, deliveries.next_at AS "nextAt" FROM ${from} WHERE ${where} ORDER BY ${id} LIMIT $${values.length}`
  return { statement, values }
}

/** True when the lead was still as it was when it was selected, and is changed now. */
type Change = (sql: Sql, lead: SelectedLead, at: number) => Promise<boolean>

/** Each batch is selected and changed in one transaction, so nothing changes in between. */
async function inBatches(
  { transact, dialect }: SqlPort,
  chosen: FilterSql,
  { leaveOutSuppressed, change }: { readonly leaveOutSuppressed: boolean; readonly change: Change },
): Promise<number> {
  let [total, last] = [0, '']
  for (;;) {
    const { statement, values } = pageOf(chosen, last, BATCH)
    const batch = await transact(async (sql, at) => {
      const found = await sql<SelectedLead>(`${statement} ${dialect.lockLeads}`, values)
      const leads = leaveOutSuppressed ? await withoutSuppressed(sql, dialect, found) : found
      let changed = 0
      for (const lead of leads) changed += (await change(sql, lead, at)) ? 1 : 0
      return { changed, found }
    })
    total += batch.changed
    if (batch.found.length < BATCH) return total
    last = batch.found.at(-1)?.id ?? last
  }
}
