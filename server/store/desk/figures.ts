/** The few figures of Today that no report of the commands has. Shared by the engines. */
import { firstIdAt } from '../lead-id.ts'
import { number } from '../rows.ts'
import type { SqlPort } from '../sql.ts'
import type { DeskLeadsStore } from './leads-store.ts'

export function createFigures({ read, dialect }: SqlPort): Pick<DeskLeadsStore, 'webhookTimes' | 'changeMark'> {
  return {
    async webhookTimes({ since, limit }) {
      const rows = await read(
        `SELECT deliveries.finished_at - leads.received_at AS took FROM leads
         JOIN deliveries ON deliveries.lead_id = leads.id AND deliveries.state = 'delivered'
         WHERE leads.id >= $1 ORDER BY leads.id DESC LIMIT $2`,
        [firstIdAt(since), limit],
      )
      return rows.map(row => Math.max(0, number(row, 'took')))
    },
    async changeMark() {
      const [row] = await read(dialect.changeMark)
      return String(row?.['mark'] ?? '')
    },
  }
}
