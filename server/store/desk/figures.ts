/** The few figures of Today that no report of the commands has. Shared by the engines. */
import { firstIdAt } from '../lead-id.ts'
import { number } from '../rows.ts'
import type { SqlPort } from '../sql.ts'
import type { DeskLeadsStore } from './leads-store.ts'

export function createFigures({ read, dialect }: SqlPort): Pick<DeskLeadsStore, 'webhookTimes' | 'changeMark'> {
  return {
    async webhookTimes({ since, limit }) {
      const rows = await read(
        // From the outbox, whose ids are in order and bounded themselves: no planner goes through all leads for the bound.
        `SELECT deliveries.finished_at - leads.received_at AS took FROM deliveries
         JOIN leads ON leads.id = deliveries.lead_id
         WHERE deliveries.state = 'delivered' AND deliveries.lead_id >= $1 ORDER BY deliveries.lead_id DESC LIMIT $2`,
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
