/**
 * A page of a campaign's leads where campaigns have an index that knows no order. To read all leads in their order until enough
 * are found is best for a campaign that is running, and takes seconds for one that brought few; the index is best for few. A
 * planner takes all campaigns to be alike, so we find out, at little cost, which it is.
 */
import { number, text } from '../rows.ts'
import type { Row, Sql, Value } from '../sql.ts'
import type { PageRequest } from '../store.ts'
import type { FilterSql } from './lead-filter.ts'

export interface Reach {
  /** So many are looked through in their order first. */
  readonly lookedThrough: number
  /** So many the index may bring out of order: they are all read before the first is shown. */
  readonly mostOutOfOrder: number
}

const REACH: Reach = { lookedThrough: 10_000, mostOutOfOrder: 2000 }
/** Before and after all ids. */
const [START, END] = ['', 'g']

export async function pageOfCampaign(
  sql: Sql,
  { from, conditions, parameters }: FilterSql,
  { order, limit, after }: Omit<PageRequest, 'filter'>,
  columns: string,
  { lookedThrough, mostOutOfOrder } = REACH,
): Promise<readonly Row[]> {
  const newest = order === 'newest first'
  const direction = newest ? 'DESC' : 'ASC'
  const values: Value[] = [...parameters]
  const parameter = (value: Value) => `$${values.push(value)}`
  const within = newest ? `leads.id < ${parameter(after ?? END)}` : `leads.id > ${parameter(after ?? START)}`
  const most = parameter(limit)
  const found = [...conditions, within]
  const inOrder = (where: readonly string[]) =>
    sql(
      `SELECT ${columns} FROM ${from} WHERE ${where.join(' AND ')} ORDER BY leads.id ${direction} LIMIT ${most}`,
      values,
    )

  const farthest = `SELECT id FROM leads WHERE ${within} ORDER BY id ${direction} LIMIT 1 OFFSET ${lookedThrough}`
  const near = await inOrder([
    ...found,
    newest ? `leads.id > COALESCE((${farthest}), '${START}')` : `leads.id < COALESCE((${farthest}), '${END}')`,
  ])
  if (near.length === limit) return near

  const few = await sql(
    `WITH found AS MATERIALIZED (
       SELECT leads.id FROM ${from} WHERE ${found.join(' AND ')} LIMIT ${mostOutOfOrder + 1}
     )
     SELECT id, (SELECT COUNT(*) FROM found) AS total FROM found ORDER BY id ${direction} LIMIT ${most}`,
    values,
  )
  if (few.length === 0) return []
  if (number(few[0], 'total') > mostOutOfOrder) return inOrder(found)
  const ids = few.map(row => text(row, 'id'))
  const places = ids.map((_, index) => `$${index + 1}`).join()
  return sql(
    `SELECT ${columns} FROM leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id
     WHERE leads.id IN (${places}) ORDER BY leads.id ${direction}`,
    ids,
  )
}
