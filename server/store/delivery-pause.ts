/** Operators can pause deliveries. Kept in the store, so it holds for all servers; leads are accepted all the same. */
import { randomUUID } from 'node:crypto'
import type { AlertStore } from './alerts.ts'
import { number, text } from './rows.ts'
import type { SqlPort } from './sql.ts'

export interface DeliveryPauseStore {
  /** False when they were paused already: the time stays, a new reason replaces the old one. */
  pauseDeliveries(order: { readonly reason: string; readonly by: string }): Promise<boolean>
  /** False when they were not paused. A pause that is over is kept among the alerts, with who started and who ended it. */
  resumeDeliveries(order: { readonly by: string }): Promise<boolean>
  deliveryPause(): Promise<DeliveryPause | null>
}

/** The reason is in the operator's words, so it is for operators only: never for a log or an alert. */
export interface DeliveryPause {
  readonly since: number
  readonly ageMs: number
  /** Empty when none was given. */
  readonly reason: string
  readonly by: string
}

/** Part of every statement that takes deliveries: a server that asked beforehand might take one too many. */
export const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM delivery_pause)'

export function createDeliveryPause(
  port: SqlPort,
  onResumed: () => void,
  keepAlert: AlertStore['keepAlert'],
): DeliveryPauseStore {
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
        // Without the reason: more people read alerts.
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
