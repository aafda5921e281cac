/** What an operator does to leads that stand in the store: releases held ones, and has leads delivered again. */
import { putIntoOutbox } from './capture.ts'
import type { Database, Row, Sql, Value } from './database.ts'
import { addHistory } from './history.ts'
import { type FilterSql, filterSql, type LeadFilter } from './lead-filter.ts'

/** Few enough at a time that the server, which waits meanwhile, goes on taking leads. */
const BATCH = 500

/** A pending delivery that is due within this time is on its way already, or just being sent. */
const ON_ITS_WAY_MS = 60_000

export type Selection = { readonly id: string } | LeadFilter

/** How many held leads were released: they are accepted now, and wait in the outbox. */
export function releaseLeads(database: Database, which: { readonly id: string } | 'all', now: number): Promise<number> {
  const selection = which === 'all' ? { state: 'held' as const } : which
  const chosen = select(selection, [`leads.state = 'held'`])
  return inBatches(database, chosen, 'leads.id, leads.held_reason', async (sql, lead, id) => {
    await sql(`UPDATE leads SET state = 'accepted', held_reason = NULL WHERE id = $1`, [id])
    await putIntoOutbox(sql, id, now)
    await addHistory(sql, id, now, 'released', { heldReason: lead['held_reason'] ?? null })
  })
}

/** How many leads were put back into the outbox: they are due now, with all their attempts before them again. */
export function redeliverLeads(database: Database, selection: Selection, now: number): Promise<number> {
  const chosen = redeliverable(selection, now)
  return inBatches(database, chosen, 'leads.id, deliveries.state', async (sql, delivery, id) => {
    await sql(
      `UPDATE deliveries SET state = 'pending', attempts = 0, next_at = $2, created_at = $2, finished_at = NULL
       WHERE lead_id = $1`,
      [id, now],
    )
    await addHistory(sql, id, now, 'put into the outbox again', { was: delivery['state'] ?? null })
  })
}

export async function countRedeliverable(database: Database, selection: Selection, now: number): Promise<number> {
  const { from, conditions, parameters } = redeliverable(selection, now)
  const [counted] = await database.read(sql =>
    sql(`SELECT COUNT(*) AS total FROM ${from} WHERE ${conditions.join(' AND ')}`, parameters),
  )
  return Number(counted?.['total'] ?? 0)
}

function redeliverable(selection: Selection, now: number): FilterSql {
  return select(selection, [
    `leads.state = 'accepted'`,
    `(deliveries.state <> 'pending' OR deliveries.next_at > ${now + ON_ITS_WAY_MS})`,
  ])
}

function select(selection: Selection, conditions: readonly string[]): FilterSql {
  const chosen = 'id' in selection ? { ...filterSql({}), conditions: ['leads.id = $1'] } : filterSql(selection)
  return {
    ...chosen,
    conditions: [...chosen.conditions, ...conditions],
    parameters: 'id' in selection ? [selection.id] : chosen.parameters,
  }
}

/** Each batch is a transaction: chosen and changed in one, so that nothing changes in between. */
async function inBatches(
  database: Database,
  { from, id, conditions, parameters }: FilterSql,
  columns: string,
  change: (sql: Sql, row: Row, id: string) => Promise<void>,
): Promise<number> {
  let total = 0
  let last = ''
  for (;;) {
    const values: Value[] = [...parameters, last, BATCH]
    const text = `SELECT ${columns} FROM ${from} WHERE ${[...conditions, `${id} > $${values.length - 1}`].join(' AND ')}
      ORDER BY ${id} LIMIT $${values.length}`
    const rows = await database.write(async sql => {
      const found = await sql(text, values)
      for (const row of found) await change(sql, row, String(row['id']))
      return found
    })
    total += rows.length
    if (rows.length < BATCH) return total
    last = String(rows.at(-1)?.['id'])
  }
}
