/** What the operator changes: releases and rejects held leads, has leads delivered again. Shared by the engines. */

import { suppressedAmong } from './erasure/suppressions.ts'
import { DO_NOT_CALL, REPEAT_WINDOW_MS } from './repeats.ts'
import { type FilterSql, filterSql } from './reports/lead-filter.ts'
import { number, text, textOrNull } from './rows.ts'
import type { Dialect, Row, Sql, SqlPort, Value } from './sql.ts'
import { addHistory, putIntoOutbox } from './statements.ts'
import type { Redeliverable, SelectedLeads, Selection, Store } from './store.ts'

/** Few enough at a time that captures, which wait meanwhile, go on. */
const BATCH = 500
const COUNTED_AT_ONCE = 5000

/** A pending delivery that is due within this time is on its way already, or just being sent. */
const ON_ITS_WAY_MS = 60_000

type Changes = Pick<Store, 'release' | 'reject' | 'redeliver' | 'countRedeliverable'>

export function createChanges(port: SqlPort): Changes {
  const { read, now, dialect } = port
  return {
    release: async which => {
      const at = await now()
      if (which === 'all held') {
        const released = select({ state: 'held' }, [`leads.held_reason <> '${DO_NOT_CALL}'`], dialect)
        return inBatches(port, released, '', leavingOutSuppressed, releaseOne({ at }))
      }
      return allOrNone(port, sql => releaseAll(sql, dialect, inOrder(which.ids), { at, by: which.by }))
    },
    reject: async ({ ids, reason, by }) => {
      const at = await now()
      return allOrNone(port, sql => rejectAll(sql, dialect, inOrder(ids), reason, { at, by }))
    },
    redeliver: async selection => {
      const at = await now()
      const columns = ', deliveries.state AS was, deliveries.next_at'
      const by = 'ids' in selection ? selection.by : undefined
      const choice = isByName(selection) ? asChosen : leavingOutSuppressed
      return inBatches(port, redeliverable(selection, at, dialect), columns, choice, redeliverOne({ at, by }))
    },
    countRedeliverable: async selection => {
      const chosen = redeliverable(selection, await now(), dialect)
      const [listed] = await read('SELECT contact FROM suppressions LIMIT 1')
      // Who is on the list is found by looking at each lead, which takes as long as it takes.
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

/** Whether somebody has asked for these very leads, whoever they are of. */
function isByName(selection: Selection): boolean {
  return 'id' in selection || ('ids' in selection && !selection.leaveOutSuppressed)
}

/** Of the leads that were found, those to change. */
type Choice = (sql: Sql, dialect: Dialect, found: readonly Row[]) => Promise<readonly Row[]>

const asChosen: Choice = async (_sql, _dialect, found) => found

/** Nobody who asked not to be called is called because their lead was among many. */
const leavingOutSuppressed: Choice = async (sql, dialect, found) => {
  const suppressed = await suppressedAmong(sql, dialect, found)
  return found.filter(lead => !suppressed.has(text(lead, 'id')))
}

async function countOneByOne(
  { read, dialect }: SqlPort,
  { from, id, conditions, parameters }: FilterSql,
): Promise<Redeliverable> {
  let [leads, found, last] = [0, 0, '']
  for (;;) {
    const values: Value[] = [...parameters, last, COUNTED_AT_ONCE]
    const where = [...conditions, `${id} > $${values.length - 1}`].join(' AND ')
    const rows = await read(
      `SELECT leads.id, leads.email, leads.phone FROM ${from} WHERE ${where} ORDER BY ${id} LIMIT $${values.length}`,
      values,
    )
    found += rows.length
    leads += (await leavingOutSuppressed(read, dialect, rows)).length
    if (rows.length < COUNTED_AT_ONCE) return { leads, suppressed: found - leads }
    last = text(rows.at(-1), 'id')
  }
}

/** When something is changed, and who wants it so, if that is known. */
interface Occasion {
  readonly at: number
  readonly by?: string | undefined
}

/** For the history. */
const byWhom = ({ by }: Occasion) => (by === undefined ? {} : { by })

/** True when the lead was still as it was when it was chosen, and is changed now. */
type Change = (sql: Sql, lead: Row) => Promise<boolean>

function releaseOne(occasion: Occasion): Change {
  const { at: now } = occasion
  return async (sql, lead) => {
    const id = text(lead, 'id')
    const released = await sql(
      `UPDATE leads SET state = 'accepted', held_reason = NULL, rejected_reason = NULL
       WHERE id = $1 AND state = $2 RETURNING id`,
      [id, text(lead, 'state')],
    )
    if (released.length === 0) return false
    await sql(...putIntoOutbox(id, now))
    const was = text(lead, 'state') === 'rejected' ? { was: 'rejected' } : {}
    const detail = { heldReason: textOrNull(lead, 'held_reason'), ...was, ...byWhom(occasion) }
    await sql(...addHistory(id, now, 'released', detail))
    return true
  }
}

/** Ends a change of which nothing may be kept. */
class NotAll extends Error {}

async function allOrNone({ transact }: SqlPort, change: (sql: Sql) => Promise<number>): Promise<number> {
  return transact(change).catch(error => {
    if (error instanceof NotAll) return 0
    throw error
  })
}

async function releaseAll(
  sql: Sql,
  { lockLeads, lockPeople }: Dialect,
  ids: readonly string[],
  occasion: Occasion,
): Promise<number> {
  // Before the leads, as captures do: of those who were rejected a new lead is taken meanwhile. Also of those who are still
  // held, since somebody may reject them before we get to them.
  const people = await valuesOf(
    sql,
    ids,
    `SELECT person_key FROM leads WHERE id = $1 AND state IN ('held', 'rejected')`,
  )
  if (people.length > 0)
    await lockPeople(
      sql,
      people.map(row => text(row, 'person_key')),
    )
  const chosen = await valuesOf(
    sql,
    ids,
    `SELECT id, state, held_reason, person_key, received_at FROM leads WHERE id = $1 AND state IN ('held', 'rejected') ${lockLeads}`,
  )
  if (chosen.length < ids.length) throw new NotAll()
  for (const lead of chosen) {
    if (text(lead, 'state') === 'rejected' && (await cameAgain(sql, lead))) throw new NotAll()
    await releaseOne(occasion)(sql, lead)
  }
  return chosen.length
}

/** A rejected lead is nobody's earlier lead: a new one of the same person stands for itself. */
async function cameAgain(sql: Sql, lead: Row): Promise<boolean> {
  const others = await sql(
    `SELECT id FROM leads WHERE person_key = $1 AND received_at > $2 AND id <> $3 AND state IN ('accepted', 'held') LIMIT 1`,
    [text(lead, 'person_key'), number(lead, 'received_at') - REPEAT_WINDOW_MS, text(lead, 'id')],
  )
  return others.length > 0
}

async function rejectAll(
  sql: Sql,
  { lockLeads }: Dialect,
  ids: readonly string[],
  reason: string,
  occasion: Occasion,
): Promise<number> {
  const held = await valuesOf(
    sql,
    ids,
    `SELECT id, held_reason FROM leads WHERE id = $1 AND state = 'held' ${lockLeads}`,
  )
  if (held.length < ids.length) throw new NotAll()
  for (const lead of held) {
    const id = text(lead, 'id')
    await sql(`UPDATE leads SET state = 'rejected', rejected_reason = $2 WHERE id = $1 AND state = 'held'`, [
      id,
      reason,
    ])
    // Without the reason: what the operator wrote may be about the person, and history outlives an erasure.
    const detail = { heldReason: textOrNull(lead, 'held_reason'), ...byWhom(occasion) }
    await sql(...addHistory(id, occasion.at, 'rejected', detail))
  }
  return held.length
}

async function valuesOf(sql: Sql, ids: readonly string[], select: string): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const id of ids) rows.push(...(await sql(select, [id])))
  return rows
}

/** In one order for all writers: two that lock the same leads crosswise would wait for each other for ever. */
function inOrder(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)].toSorted()
}

/** Due now, with all attempts before it again, and no longer under any lease. */
function redeliverOne(occasion: Occasion): Change {
  const { at: now } = occasion
  return async (sql, lead) => {
    const id = text(lead, 'id')
    const was = text(lead, 'was')
    const put = await sql(
      `UPDATE deliveries SET state = 'pending', attempts = 0, next_at = $2, created_at = $2, finished_at = NULL,
         lease_token = NULL
       WHERE lead_id = $1 AND state = $3 AND next_at = $4 RETURNING lead_id`,
      [id, now, was, number(lead, 'next_at')],
    )
    if (put.length === 0) return false
    await sql(...addHistory(id, now, 'put into the outbox again', { was, ...byWhom(occasion) }))
    return true
  }
}

function redeliverable(selection: Selection, now: number, dialect: Dialect): FilterSql {
  return select(
    selection,
    [
      `leads.state IN ('accepted', 'repeat')`,
      `(deliveries.state <> 'pending' OR deliveries.next_at > ${now + ON_ITS_WAY_MS})`,
    ],
    dialect,
  )
}

function select(selection: Selection, conditions: readonly string[], dialect: Dialect): FilterSql {
  const chosen = 'id' in selection || 'ids' in selection ? selectIds(selection, dialect) : filterSql(selection, dialect)
  return { ...chosen, conditions: [...chosen.conditions, ...conditions] }
}

function selectIds(selection: { readonly id: string } | SelectedLeads, dialect: Dialect): FilterSql {
  if ('id' in selection) {
    return { ...filterSql({}, dialect), conditions: ['leads.id = $1'], parameters: [selection.id] }
  }
  const places = selection.ids.map((_, index) => `$${index + 1}`).join()
  const conditions = [selection.ids.length === 0 ? '1 = 0' : `leads.id IN (${places})`]
  if (!selection.again) conditions.push(`deliveries.state <> 'delivered'`)
  return { ...filterSql({}, dialect), conditions, parameters: selection.ids }
}

/** Each batch is a transaction: chosen and changed in one, so that nothing changes in between. */
async function inBatches(
  { transact, dialect }: SqlPort,
  { from, id, conditions, parameters }: FilterSql,
  moreColumns: string,
  choice: Choice,
  change: Change,
): Promise<number> {
  let total = 0
  let last = ''
  for (;;) {
    const values: Value[] = [...parameters, last, BATCH]
    const where = [...conditions, `${id} > $${values.length - 1}`].join(' AND ')
    const choose = `SELECT leads.id, leads.state, leads.held_reason, leads.email, leads.phone${moreColumns} FROM ${from} WHERE ${where}
      ORDER BY ${id} LIMIT $${values.length} ${dialect.lockLeads}`
    const batch = await transact(async sql => {
      const found = await sql(choose, values)
      let changed = 0
      for (const lead of await choice(sql, dialect, found)) changed += (await change(sql, lead)) ? 1 : 0
      return { changed, found: found.length, last: found.length > 0 ? text(found.at(-1), 'id') : last }
    })
    total += batch.changed
    if (batch.found < BATCH) return total
    last = batch.last
  }
}
