/** What the operator changes: releases held leads, has leads delivered again. Shared by the engines. */
import { type FilterSql, filterSql } from './lead-filter.ts'
import { number, text, textOrNull } from './rows.ts'
import type { Dialect, Row, Sql, SqlPort, Value } from './sql.ts'
import { addHistory, putIntoOutbox } from './statements.ts'
import type { Selection, Store } from './store.ts'

/** Few enough at a time that captures, which wait meanwhile, go on. */
const BATCH = 500

/** A pending delivery that is due within this time is on its way already, or just being sent. */
const ON_ITS_WAY_MS = 60_000

type Changes = Pick<Store, 'release' | 'redeliver' | 'countRedeliverable'>

export function createChanges(port: SqlPort): Changes {
  const { read, transact, now, dialect } = port
  return {
    release: async which => {
      const at = await now()
      if (which === 'all held') return inBatches(port, select({ state: 'held' }, [], dialect), '', releaseOne(at))
      return transact(sql => releaseAllOrNone(sql, dialect, which.ids, at))
    },
    redeliver: async selection => {
      const at = await now()
      const columns = ', deliveries.state AS was, deliveries.next_at'
      return inBatches(port, redeliverable(selection, at, dialect), columns, redeliverOne(at))
    },
    countRedeliverable: async selection => {
      const { from, conditions, parameters } = redeliverable(selection, await now(), dialect)
      const [counted] = await read(
        `SELECT COUNT(*) AS total FROM ${from} WHERE ${conditions.join(' AND ')}`,
        parameters,
      )
      return number(counted, 'total')
    },
  }
}

/** True when the lead was still as it was when it was chosen, and is changed now. */
type Change = (sql: Sql, lead: Row) => Promise<boolean>

function releaseOne(now: number): Change {
  return async (sql, lead) => {
    const id = text(lead, 'id')
    const released = await sql(
      `UPDATE leads SET state = 'accepted', held_reason = NULL WHERE id = $1 AND state = 'held' RETURNING id`,
      [id],
    )
    if (released.length === 0) return false
    await sql(...putIntoOutbox(id, now))
    await sql(...addHistory(id, now, 'released', { heldReason: textOrNull(lead, 'held_reason') }))
    return true
  }
}

async function releaseAllOrNone(
  sql: Sql,
  { lockLeads }: Dialect,
  ids: readonly string[],
  now: number,
): Promise<number> {
  // In one order for all writers: two that lock the same leads crosswise would wait for each other for ever.
  const sorted = [...new Set(ids)].toSorted()
  const held: Row[] = []
  for (const id of sorted) {
    held.push(...(await sql(`SELECT id, held_reason FROM leads WHERE id = $1 AND state = 'held' ${lockLeads}`, [id])))
  }
  if (held.length < sorted.length) return 0
  for (const lead of held) await releaseOne(now)(sql, lead)
  return held.length
}

/** Due now, with all attempts before it again, and no longer under any lease. */
function redeliverOne(now: number): Change {
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
    await sql(...addHistory(id, now, 'put into the outbox again', { was }))
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
  const chosen =
    'id' in selection
      ? { ...filterSql({}, dialect), conditions: ['leads.id = $1'], parameters: [selection.id] }
      : filterSql(selection, dialect)
  return { ...chosen, conditions: [...chosen.conditions, ...conditions] }
}

/** Each batch is a transaction: chosen and changed in one, so that nothing changes in between. */
async function inBatches(
  { transact, dialect }: SqlPort,
  { from, id, conditions, parameters }: FilterSql,
  moreColumns: string,
  change: Change,
): Promise<number> {
  let total = 0
  let last = ''
  for (;;) {
    const values: Value[] = [...parameters, last, BATCH]
    const where = [...conditions, `${id} > $${values.length - 1}`].join(' AND ')
    const choose = `SELECT leads.id, leads.held_reason${moreColumns} FROM ${from} WHERE ${where}
      ORDER BY ${id} LIMIT $${values.length} ${dialect.lockLeads}`
    const batch = await transact(async sql => {
      const chosen = await sql(choose, values)
      let changed = 0
      for (const lead of chosen) changed += (await change(sql, lead)) ? 1 : 0
      return { changed, chosen: chosen.length, last: chosen.length > 0 ? text(chosen.at(-1), 'id') : last }
    })
    total += batch.changed
    if (batch.chosen < BATCH) return total
    last = batch.last
  }
}
