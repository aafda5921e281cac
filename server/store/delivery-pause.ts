/** The operator's word that nothing is delivered for now. Kept in the store, so that it holds for all servers. */
import { randomUUID } from 'node:crypto'
import { number, text } from './rows.ts'
import type { SqlPort } from './sql.ts'
import type { Store } from './store.ts'

/** Part of whatever takes deliveries, in the same statement: a server that asked beforehand might take one too many. */
export const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM delivery_pause)'

export function createDeliveryPause(
  port: SqlPort,
  onResumed: () => void,
  keepAlert: Store['keepAlert'],
): Pick<Store, 'pauseDeliveries' | 'resumeDeliveries' | 'deliveryPause'> {
  return {
    async pauseDeliveries({ reason, by }) {
      const now = await port.now()
      return port.transact(async sql => {
        const begun = await sql(
          `INSERT INTO delivery_pause (id, paused_at, reason, paused_by) VALUES (1, $1, $2, $3)
           ON CONFLICT (id) DO NOTHING RETURNING id`,
          [now, reason, by],
        )
        if (begun.length > 0) return true
        if (reason !== '') await sql('UPDATE delivery_pause SET reason = $1, paused_by = $2', [reason, by])
        return false
      })
    },
    async resumeDeliveries({ by }) {
      const [ended] = await port.transact(sql => sql('DELETE FROM delivery_pause RETURNING paused_at, paused_by'))
      if (!ended) return false
      onResumed()
      await keepAlert({
        id: randomUUID(),
        code: 'deliveries_paused',
        // Without the reason: alerts are read by more people than it was written for.
        text: `Deliveries were paused by ${text(ended, 'paused_by')}, and resumed by ${by}.`,
        source: by,
        startedAt: number(ended, 'paused_at'),
        endedAt: await port.now(),
      })
      return true
    },
    async deliveryPause() {
      const [row] = await port.read('SELECT paused_at, reason, paused_by FROM delivery_pause')
      if (!row) return null
      const since = number(row, 'paused_at')
      const ageMs = Math.max(0, (await port.now()) - since)
      return { since, ageMs, reason: text(row, 'reason'), by: text(row, 'paused_by') }
    },
  }
}
