/** What the desk's list and its search read of the leads. Shared by the engines. */
import { filterSql } from '../reports/lead-filter.ts'
import { leadRecordColumns, number, readLead, text } from '../rows.ts'
import type { Row, SqlPort, Value } from '../sql.ts'
import type { DeskLeadsStore } from './leads-store.ts'
import { searchableLead, searched } from './searchable-leads.ts'

/** Fewer than a statement has parameters. */
const BATCH = 500

type Finding = Pick<
  DeskLeadsStore,
  'leadsAmong' | 'countUpTo' | 'searchableLeads' | 'idsBetween' | 'countBetween' | 'erasedSince' | 'storeTime'
>

export function createFinding({ read, now, dialect }: SqlPort): Finding {
  /** For each batch of ids, with the places of their parameters behind others. */
  async function ofIds(ids: readonly string[], before: readonly Value[], ask: (places: string) => string) {
    const rows: Row[] = []
    for (let start = 0; start < ids.length; start += BATCH) {
      const some = ids.slice(start, start + BATCH)
      const places = some.map((_, index) => `$${before.length + index + 1}`).join()
      rows.push(...(await read(ask(places), [...before, ...some])))
    }
    return rows
  }

  return {
    async leadsAmong({ ids, filter }) {
      const { conditions, parameters } = filterSql(filter, dialect)
      // From the leads, whatever the filter: their ids are known.
      const rows = await ofIds(ids, parameters, places => {
        const where = [...conditions, `leads.id IN (${places})`].join(' AND ')
        return `SELECT ${leadRecordColumns} FROM leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id WHERE ${where}`
      })
      return rows.map(readLead)
    },
    async countUpTo({ filter, most }) {
      const { countedFrom, id, conditions, parameters } = filterSql(filter, dialect)
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
      // In an order, so that the same index is taken as for a page.
      const [row] = await read(
        `SELECT COUNT(*) AS total FROM (SELECT 1 FROM ${countedFrom} ${where} ORDER BY ${id} DESC LIMIT $${parameters.length + 1}) AS found`,
        [...parameters, most],
      )
      return number(row, 'total')
    },
    async searchableLeads(which) {
      if ('ids' in which) {
        const rows = await ofIds(which.ids, [], places => `SELECT ${searched} FROM leads WHERE id IN (${places})`)
        return rows.map(searchableLead)
      }
      const rows = await read(
        // Without a bound that bounds nothing: a planner without statistics takes two of them for a sign that few are between.
        `SELECT ${searched} FROM leads WHERE id > $1 ${which.before ? 'AND id < $3' : ''} ORDER BY id LIMIT $2`,
        [which.after, which.limit, ...(which.before ? [which.before] : [])],
      )
      return rows.map(searchableLead)
    },
    async idsBetween({ from, before, limit }) {
      const rows = await read('SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [
        from,
        before,
        limit,
      ])
      return rows.map(row => text(row, 'id'))
    },
    async countBetween({ from, before }) {
      const [row] = await read('SELECT COUNT(*) AS total FROM leads WHERE id >= $1 AND id < $2', [from, before])
      return number(row, 'total')
    },
    async erasedSince(time) {
      const rows = await read('SELECT lead_id FROM erased_people WHERE erased_at >= $1', [time])
      return rows.map(row => text(row, 'lead_id'))
    },
    storeTime: () => now(),
  }
}
