/** Counts leads apart by what they have in common, mostly from indexes: a million must take less than a second. */

import { firstIdAt } from '../lead-id.ts'
import type { DeliveryState, LeadFilter, LeadState, LeadTally, TallyRequest } from '../lead-records.ts'
import { number, text, textOrNull } from '../rows.ts'
import type { Dialect, Row, Sql, Value } from '../sql.ts'
import { filterSql } from './lead-filter.ts'

type Part =
  | keyof Omit<LeadTally, 'key' | 'keyErased' | 'accepted' | 'delivered'>
  | ('repeatPending' | 'repeatDelivered' | 'repeatDead' | 'erasedDelivered')

/**
 * Most leads are accepted and delivered, and these are what is left of all: to look up the delivery of a million leads
 * takes seconds. Each accepted lead has a delivery. A repeat may have one; an erased lead, if it was made.
 */
const parts: Readonly<Record<Part, (filter: LeadFilter) => LeadFilter | null>> = {
  received: filter => filter,
  held: filter => withState(filter, 'held'),
  repeat: filter => withState(filter, 'repeat'),
  rejected: filter => withState(filter, 'rejected'),
  erased: filter => withState(filter, 'erased'),
  pending: filter => withDelivery(filter, 'pending'),
  dead: filter => withDelivery(filter, 'dead'),
  repeatPending: filter => withDelivery(withState(filter, 'repeat'), 'pending'),
  repeatDelivered: filter => withDelivery(withState(filter, 'repeat'), 'delivered'),
  repeatDead: filter => withDelivery(withState(filter, 'repeat'), 'dead'),
  erasedDelivered: filter => withDelivery(withState(filter, 'erased'), 'delivered'),
}

export async function tally(sql: Sql, dialect: Dialect, { filter, by }: TallyRequest): Promise<readonly LeadTally[]> {
  const counts = new Map<string | null, Partial<Record<Part, number>>>()
  if (typeof by === 'object' && 'spans' in by) for (const { key } of by.spans) counts.set(key, {})
  else if (by === 'all') counts.set(null, {})
  for (const [part, narrow] of Object.entries(parts) as [Part, (filter: LeadFilter) => LeadFilter | null][]) {
    const narrowed = narrow(filter)
    if (!narrowed) continue
    for (const { key, total } of await countBy(sql, dialect, narrowed, by)) {
      counts.set(key, { ...counts.get(key), [part]: total })
    }
  }
  const erased = typeof by === 'object' && 'parameters' in by ? takeErased(counts) : []
  return [...[...counts].map(([key, found]) => tallyOf(key, found)), ...erased]
}

/** An erased lead has lost its campaign: it must not look like one that came without. */
function takeErased(counts: Map<string | null, Partial<Record<Part, number>>>): readonly LeadTally[] {
  const { erased = 0, erasedDelivered = 0, received = 0, ...others } = counts.get(null) ?? {}
  if (erased === 0) return []
  if (received > erased) counts.set(null, { ...others, received: received - erased })
  else counts.delete(null)
  return [{ ...tallyOf(null, { received: erased, erased, erasedDelivered }), keyErased: true }]
}

function tallyOf(key: string | null, found: Partial<Record<Part, number>>): LeadTally {
  const { received = 0, held = 0, repeat = 0, rejected = 0, erased = 0, pending = 0, dead = 0 } = found
  const accepted = received - held - repeat - rejected - erased
  const { repeatPending = 0, repeatDelivered = 0, repeatDead = 0, erasedDelivered = 0 } = found
  const delivered = accepted - (pending - repeatPending) - (dead - repeatDead) + repeatDelivered + erasedDelivered
  return { key, received, accepted, held, repeat, rejected, erased, pending, delivered, dead }
}

/** Null when no lead can have both. */
function withState(filter: LeadFilter, state: LeadState): LeadFilter | null {
  return filter.state === undefined || filter.state === state ? { ...filter, state } : null
}

function withDelivery(filter: LeadFilter | null, delivery: DeliveryState): LeadFilter | null {
  if (!filter) return null
  return filter.delivery === undefined || filter.delivery === delivery ? { ...filter, delivery } : null
}

interface Count {
  readonly key: string | null
  readonly total: number
}

async function countBy(
  sql: Sql,
  dialect: Dialect,
  filter: LeadFilter,
  by: TallyRequest['by'],
): Promise<readonly Count[]> {
  const { id, conditions, parameters, ...chosen } = filterSql(filter, dialect)
  // Nothing is joined for nothing.
  const from = filter.delivery === undefined ? 'leads' : chosen.from
  const where = (more: readonly string[] = []) => {
    const all = [...conditions, ...more]
    return all.length === 0 ? '' : `WHERE ${all.join(' AND ')}`
  }
  if (by === 'all') {
    const [row] = await sql(`SELECT COUNT(*) AS total FROM ${from} ${where()}`, parameters)
    return [{ key: null, total: number(row, 'total') }]
  }
  if (by !== 'page' && 'spans' in by) {
    return countSpans(
      sql,
      by.spans,
      parameters,
      span => `SELECT COUNT(*) FROM ${from} ${where([`${id} >= ${span}.since`, `${id} < ${span}.until`])}`,
    )
  }
  const { expression, decode } = by === 'page' ? page : dialect.campaignValue(by.parameters)
  const rows = await sql(
    `SELECT ${expression} AS key, COUNT(*) AS total FROM ${from} ${where()} GROUP BY 1`,
    parameters,
  )
  return rows.map(row => ({ key: decode(textOrNull(row, 'key')), total: number(row, 'total') }))
}

const page = { expression: 'leads.page', decode: (stored: string | null) => stored }

/** Each span by itself: ids begin with the time, so an index has its leads side by side. */
async function countSpans(
  sql: Sql,
  spans: readonly { readonly key: string; readonly since: number; readonly until: number }[],
  parameters: readonly Value[],
  count: (span: string) => string,
): Promise<readonly Count[]> {
  if (spans.length === 0) return []
  const values: Value[] = [...parameters]
  const parameter = (value: Value) => `$${values.push(value)}`
  const rows = spans.map(
    ({ key, since, until }) => `(${parameter(key)}, ${parameter(firstIdAt(since))}, ${parameter(firstIdAt(until))})`,
  )
  const counted: readonly Row[] = await sql(
    `WITH span (key, since, until) AS (VALUES ${rows.join(', ')}) SELECT span.key, (${count('span')}) AS total FROM span`,
    values,
  )
  return counted.map(row => ({ key: text(row, 'key'), total: number(row, 'total') }))
}
