/** The few figures of Today that no report of the commands has. Shared by the engines. */
import { firstIdAt } from '../lead-id.ts'
import { number } from '../rows.ts'
import type { SqlPort } from '../sql.ts'
import type { DeskLeadsStore } from './leads-store.ts'

/** While the webhook is away, a hundred thousand may wait that are not to be gone through at every look. */
const LOOKED_THROUGH = 10
/**
 * A lead that goes straight to the webhook is in the outbox as soon as it is received; one that was held, or that is sent
 * again, is there from the moment at which somebody decided so. A little apart are the clocks of server and database.
 */
const STRAIGHT_MS = 60_000

export function createFigures({ read }: SqlPort): Pick<DeskLeadsStore, 'webhookTimes'> {
  return {
    async webhookTimes({ since, limit }) {
      const rows = await read(
        // From the outbox, whose ids are in order and bounded themselves: no planner goes through all leads for the bound.
        `SELECT latest.finished_at - leads.received_at AS took FROM (
           SELECT lead_id, state, created_at, finished_at FROM deliveries WHERE lead_id >= $1 ORDER BY lead_id DESC LIMIT $3
         ) AS latest JOIN leads ON leads.id = latest.lead_id
         WHERE latest.state = 'delivered' AND latest.created_at - leads.received_at < ${STRAIGHT_MS} ORDER BY latest.lead_id DESC LIMIT $2`,
        [firstIdAt(since), limit, limit * LOOKED_THROUGH],
      )
      return rows.map(row => Math.max(0, number(row, 'took')))
    },
  }
}
