/** Lead counts by state and delivery, grouped by page, campaign parameter, or day. */
import { createCalendar } from '../calendar.ts'
import { filterSql } from './filter.ts'
import { QUARTER_MS } from './funnel.ts'
import { type DeliveryState, type LeadState, type LeadTally, noLeads, type TallyRequest } from './lead-records.ts'
import { number, text, textOrNull } from './rows.ts'
import type { SqlPort } from './sql.ts'

export async function tally(
  { read, dialect }: Pick<SqlPort, 'read' | 'dialect'>,
  { filter, by }: TallyRequest,
): Promise<readonly LeadTally[]> {
  const { from, conditions, parameters } = filterSql(filter, dialect)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const key = keyOf(by, dialect.jsonField)
  const rows = await read(
    `SELECT ${key.expression} AS key, leads.state, deliveries.state AS delivery, COUNT(*) AS total
     FROM ${from} ${where} GROUP BY 1, 2, 3`,
    parameters,
  )
  const groups = new Map<string, LeadTally>()
  if (by === 'all') groups.set('all', { key: null, ...noLeads })
  for (const row of rows) {
    const state = text(row, 'state') as LeadState
    // An erased lead has lost its campaign: it must not look like one that came without.
    const keyErased = state === 'erased' && typeof by === 'object' && 'parameters' in by
    const value = by === 'all' ? null : key.read(row['key'] === null ? null : String(row['key']))
    const name = keyErased ? 'erased' : by === 'all' ? 'all' : JSON.stringify(value)
    const group = groups.get(name) ?? { key: keyErased ? null : value, ...(keyErased && { keyErased }), ...noLeads }
    groups.set(name, added(group, state, textOrNull(row, 'delivery') as DeliveryState | null, number(row, 'total')))
  }
  return [...groups.values()]
}

function added(group: LeadTally, state: LeadState, delivery: DeliveryState | null, total: number): LeadTally {
  const counts = { ...group, received: group.received + total, [state]: group[state] + total }
  return delivery === null ? counts : { ...counts, [delivery]: group[delivery] + total }
}

interface Key {
  readonly expression: string
  read(value: string | null): string | null
}

function keyOf(by: TallyRequest['by'], jsonField: SqlPort['dialect']['jsonField']): Key {
  const asIs = (value: string | null) => value
  if (by === 'all') return { expression: '1', read: asIs }
  if (by === 'page') return { expression: 'leads.page', read: asIs }
  if ('parameters' in by) {
    const values = by.parameters.map(name => jsonField('leads.campaign', name))
    return { expression: values.length === 1 ? `${values[0]}` : `COALESCE(${values.join(', ')})`, read: asIs }
  }
  // No time zone divides a quarter of an hour.
  const calendar = createCalendar(by.timeZone)
  return {
    expression: `leads.received_at / ${QUARTER_MS}`,
    read: quarter => calendar.dateOf(Number(quarter) * QUARTER_MS),
  }
}
