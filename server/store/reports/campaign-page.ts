/**
 * A page of a campaign's leads where campaigns have an index that knows no order. To read all leads in their order until enough
 * are found is best for a campaign that is running, and takes seconds for one that brought few; the index is best for few. A
 * planner takes all campaigns to be alike, so we find out, at little cost, which it is.
 */
import { number } from '../rows.ts'
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
  { from, conditions, parameters, ofCampaign }: FilterSql,
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
  const where = conditions.join(' AND ')

  /** OFFSET keeps the planner from another order: it takes ten conditions for a sign that there are next to none. */
  const inOrder = (...bounds: readonly string[]) =>
    sql(
      `SELECT ${columns} FROM (
         SELECT * FROM leads WHERE ${[within, ...bounds].join(' AND ')} ORDER BY leads.id ${direction} OFFSET 0
       ) AS leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id
       WHERE ${where} ORDER BY leads.id ${direction} LIMIT ${most}`,
      values,
    )

  const farthest = `SELECT id FROM leads WHERE ${within} ORDER BY id ${direction} LIMIT 1 OFFSET ${lookedThrough}`
  const near = await inOrder(
    newest ? `leads.id > COALESCE((${farthest}), '${START}')` : `leads.id < COALESCE((${farthest}), '${END}')`,
  )
  if (near.length === limit || !ofCampaign) return near

  const [candidates] = await sql(
    `SELECT COUNT(*) AS total FROM (
       SELECT 1 FROM leads WHERE ${ofCampaign.condition} LIMIT ${mostOutOfOrder + 1}
     ) AS candidates`,
    ofCampaign.parameters,
  )
  if (number(candidates, 'total') > mostOutOfOrder) return inOrder()
  // Not by the id itself: the index of ids would be read through.
  return sql(
    `SELECT ${columns} FROM ${from} WHERE ${where} AND ${within} ORDER BY leads.id || '' ${direction} LIMIT ${most}`,
    values,
  )
}
