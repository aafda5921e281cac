/** Plans that are made after an upgrade, before the server listens. A plan is code, so an upgrade only marks it as stale. */
import { setImmediate } from 'node:timers/promises'
import type { CallingHours } from '../../../domain/calling/hours.ts'
import type { SqlPort } from '../sql.ts'
import { planStale } from './stories.ts'

const BATCH = 500

export function createPlanning({ transact }: SqlPort) {
  return {
    /** Returns how many plans were made. */
    async planStaleStories(hours: CallingHours) {
      let planned = 0
      for (let made = BATCH; made === BATCH; planned += made) {
        made = await transact(tx => planStale(tx, BATCH, hours))
        await setImmediate()
      }
      return planned
    },
  }
}
