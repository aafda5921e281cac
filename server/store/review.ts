/** What operators decide about leads: release or reject held ones, deliver leads again. */
import { ABOUT_TO_BE_SENT_MS } from '../../domain/lead-actions.ts'
import { suppressedAmong } from './do-not-call.ts'
import { type FilterSql, filterSql } from './filter.ts'
import { markLeadChanged } from './funnel.ts'
import { addHistory } from './history.ts'
import type { LeadFilter } from './lead-records.ts'
import { putIntoOutbox, reopenDelivery } from './outbox.ts'
import { DO_NOT_CALL, REPEAT_WINDOW_MS } from './repeats.ts'
import { number, text, textOrNull } from './rows.ts'
import type { Dialect, Row, Sql, SqlPort, Value } from './sql.ts'

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

export function createReview(port: SqlPort, onDue: () => void): ReviewStore {
  const { read, now, dialect } = port
  const signalDue = (leads: number) => {
    if (leads > 0) onDue()
    return leads
  }
  return {
    async release({ ids, by }) {
      const occasion = { at: await now(), by }
      if (ids !== 'all held') return signalDue(await allOrNone(port, sql => releaseAll(sql, dialect, ids, occasion)))
      const held = select({ state: 'held' }, [`leads.held_reason <> '${DO_NOT_CALL}'`], dialect)
      const release: Change = (sql, lead) => releaseOne(sql, dialect, lead, occasion)
      return signalDue(await inBatches(port, held, { leaveOutSuppressed: true, change: release }))
    },
    async reject({ ids, reason, by }) {
      const occasion = { at: await now(), by }
      return allOrNone(port, sql => rejectAll(sql, dialect, ids, reason, occasion))
    },
    async redeliver({ by, ...selection }) {
      const occasion = { at: await now(), by }
      const chosen = redeliverable(selection, occasion.at, dialect)
      const change: Change = (sql, lead) => redeliverOne(sql, lead, occasion)
      return signalDue(await inBatches(port, chosen, { leaveOutSuppressed: !isByName(selection), change }))
    },
    async countRedeliverable(selection) {
      const chosen = redeliverable(selection, await now(), dialect)
      const [listed] = await read('SELECT contact FROM suppressions LIMIT 1')
      // Who is on the list shows only by looking at each lead.
      if (!isByName(selection) && listed) return countOneByOne(port, chosen)
      const { from, conditions, parameters } = chosen
      const [counted] = await read(
        `SELECT COUNT(*) AS total FROM ${from} WHERE ${conditions.join(' AND ')}`,
        parameters,
      )
      return { leads: number(counted, 'total'), suppressed: 0 }
    },
  }
}

/** Somebody asked for these very leads, whoever they are of. */
function isByName(selection: Selection): boolean {
  return 'id' in selection || ('ids' in selection && !selection.leaveOutSuppressed)
}

/** Nobody who asked not to be called gets a call because their lead was one of many. */
async function withoutSuppressed(sql: Sql, dialect: Dialect, found: readonly Row[]): Promise<readonly Row[]> {
  const suppressed = await suppressedAmong(sql, dialect, found)
  return found.filter(lead => !suppressed.has(text(lead, 'id')))
}

async function countOneByOne({ read, dialect }: SqlPort, chosen: FilterSql): Promise<Redeliverable> {
  let [leads, found, last] = [0, 0, '']
  for (;;) {
    const { statement, values } = pageOf(chosen, last, COUNTED_AT_ONCE)
    const rows = await read(statement, values)
    found += rows.length
    leads += (await withoutSuppressed(read, dialect, rows)).length
    if (rows.length < COUNTED_AT_ONCE) return { leads, suppressed: found - leads }
    last = text(rows.at(-1), 'id')
  }
}

/** True when the lead was still as it was when it was chosen, and is changed now. */
type Change = (sql: Sql, lead: Row) => Promise<boolean>

async function releaseOne(sql: Sql, dialect: Dialect, lead: Row, { at, by }: Occasion): Promise<boolean> {
  const [id, state] = [text(lead, 'id'), text(lead, 'state')]
  const released = await sql(
    `UPDATE leads SET state = 'accepted', held_reason = NULL, rejected_reason = NULL
     WHERE id = $1 AND state = $2 RETURNING id`,
    [id, state],
  )
  if (released.length === 0) return false
  await putIntoOutbox(sql, dialect, [{ id, at }])
  const detail = { heldReason: textOrNull(lead, 'held_reason'), ...(state === 'rejected' && { was: state }), by }
  await addHistory(sql, { leadId: id, at, event: 'released', detail })
  await markLeadChanged(sql, id, at)
  return true
}

/** Ends a transaction of which nothing may be kept. */
class NotAll extends Error {}

async function allOrNone({ transact }: SqlPort, change: (sql: Sql) => Promise<number>): Promise<number> {
  return transact(change).catch(error => {
    if (error instanceof NotAll) return 0
    throw error
  })
}

async function releaseAll(sql: Sql, dialect: Dialect, ids: readonly string[], occasion: Occasion): Promise<number> {
  // People first and leads second, as captures do. Also of leads that are still held: somebody may reject them before we
  // get to them, and a new lead of a rejected person comes in on its own.
  const people = await leadsOf(sql, dialect, ids, `state IN ('held', 'rejected')`)
  if (people.length > 0) {
    await dialect.lockPeople(
      sql,
      people.map(row => text(row, 'person_key')),
    )
  }
  const chosen = await leadsOf(sql, dialect, ids, `state IN ('held', 'rejected')`, dialect.lockLeads)
  if (chosen.length < new Set(ids).size) throw new NotAll()
  for (const lead of chosen) {
    if (text(lead, 'state') === 'rejected' && (await cameAgain(sql, lead))) throw new NotAll()
    await releaseOne(sql, dialect, lead, occasion)
  }
  return chosen.length
}

/** A rejected lead makes no repeats: a newer one of the same person counts by itself. */
async function cameAgain(sql: Sql, lead: Row): Promise<boolean> {
  const others = await sql(
    `SELECT id FROM leads WHERE person_key = $1 AND received_at > $2 AND id <> $3 AND state IN ('accepted', 'held') LIMIT 1`,
    [text(lead, 'person_key'), number(lead, 'received_at') - REPEAT_WINDOW_MS, text(lead, 'id')],
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
  for (const lead of held) {
    const leadId = text(lead, 'id')
    await sql(`UPDATE leads SET state = 'rejected', rejected_reason = $2 WHERE id = $1`, [leadId, reason])
    // Without the reason: it may be about the person, and history outlives an erasure.
    await addHistory(sql, {
      leadId,
      at,
      event: 'rejected',
      detail: { heldReason: textOrNull(lead, 'held_reason'), by },
    })
  }
  return held.length
}

/** In the order of their ids: two writers that lock the same leads crosswise would deadlock. */
function leadsOf(
  sql: Sql,
  { rowsOf }: Dialect,
  ids: readonly string[],
  condition: string,
  lockLeads = '',
): Promise<readonly Row[]> {
  return sql(
    `SELECT id, state, held_reason, person_key, received_at FROM leads
     WHERE id IN (SELECT id FROM ${rowsOf('$1', { text: ['id'], bigint: [] })} AS asked) AND ${condition} ORDER BY id ${lockLeads}`,
    [JSON.stringify(ids.map(id => ({ id })))],
  )
}

async function redeliverOne(sql: Sql, lead: Row, { at, by }: Occasion): Promise<boolean> {
  const [leadId, was] = [text(lead, 'id'), text(lead, 'was')]
  if (!(await reopenDelivery(sql, leadId, at, { state: was, nextAt: number(lead, 'next_at') }))) return false
  await addHistory(sql, { leadId, at, event: 'put into the outbox again', detail: { was, by } })
  if (was === 'delivered') await markLeadChanged(sql, leadId, at)
  return true
}

function redeliverable(selection: Selection, now: number, dialect: Dialect): FilterSql {
  return select(
    selection,
    [
      `leads.state IN ('accepted', 'repeat')`,
      `(deliveries.state <> 'pending' OR deliveries.next_at > ${now + ABOUT_TO_BE_SENT_MS})`,
    ],
    dialect,
  )
}

function select(selection: Selection, conditions: readonly string[], dialect: Dialect): FilterSql {
  const chosen = 'id' in selection || 'ids' in selection ? selectIds(selection, dialect) : filterSql(selection, dialect)
  return { ...chosen, conditions: [...chosen.conditions, ...conditions] }
}

function selectIds(selection: { readonly id: string } | SelectedLeads, dialect: Dialect): FilterSql {
  const ids = 'id' in selection ? [selection.id] : selection.ids
  const asked = dialect.rowsOf('$1', { text: ['id'], bigint: [] })
  const conditions = [`leads.id IN (SELECT id FROM ${asked} AS asked)`]
  if ('ids' in selection && !selection.again) conditions.push(`deliveries.state <> 'delivered'`)
  return { ...filterSql({}, dialect), conditions, parameters: [JSON.stringify(ids.map(id => ({ id })))] }
}

function pageOf({ from, id, conditions, parameters }: FilterSql, after: string, limit: number) {
  const values: Value[] = [...parameters, after, limit]
  const where = [...conditions, `${id} > $${values.length - 1}`].join(' AND ')
  const statement = `SELECT leads.id, leads.state, leads.held_reason, leads.email, leads.phone, deliveries.state AS was,
      deliveries.next_at FROM ${from} WHERE ${where} ORDER BY ${id} LIMIT $${values.length}`
  return { statement, values }
}

/** Each batch is chosen and changed in one transaction, so nothing changes in between. */
async function inBatches(
  { transact, dialect }: SqlPort,
  chosen: FilterSql,
  { leaveOutSuppressed, change }: { readonly leaveOutSuppressed: boolean; readonly change: Change },
): Promise<number> {
  let total = 0
  let last = ''
  for (;;) {
    const { statement, values } = pageOf(chosen, last, BATCH)
    const batch = await transact(async sql => {
      const found = await sql(`${statement} ${dialect.lockLeads}`, values)
      const leads = leaveOutSuppressed ? await withoutSuppressed(sql, dialect, found) : found
      let changed = 0
      for (const lead of leads) changed += (await change(sql, lead)) ? 1 : 0
      return { changed, found: found.length, last: found.length > 0 ? text(found.at(-1), 'id') : last }
    })
    total += batch.changed
    if (batch.found < BATCH) return total
    last = batch.last
  }
}
