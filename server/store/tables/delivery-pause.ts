/** Operators can pause deliveries. The pause is stored, so it applies to all servers. Leads are still accepted. */
import { insert, type SqlPort } from '../sql.ts'
import { recordDecision } from './alerts.ts'

/** The reason is free text from an operator, so it's never logged or included in an alert. */
export interface DeliveryPause {
  readonly since: number
  readonly ageMs: number
  readonly reason: string
  readonly by: string
}

/** Part of every statement that leases deliveries; with a separate check, one could slip through. */
export const NOT_PAUSED = 'NOT EXISTS (SELECT 1 FROM delivery_pause)'

export function createDeliveryPause({ read, transact, now }: SqlPort, onResumed: () => void) {
  return {
    /** False if deliveries were already paused. In that case, keeps the start time and replaces the reason if there's a new one. */
    pauseDeliveries: ({ reason, by }: Pick<DeliveryPause, 'reason' | 'by'>) =>
      transact(async tx => {
        const row = { id: 1, pausedAt: tx.at, reason, pausedBy: by }
        const inserted = await insert(tx, 'delivery_pause', row, 'ON CONFLICT (id) DO NOTHING RETURNING id')
        if (inserted.length > 0) return true
        if (reason !== '') await tx('UPDATE delivery_pause SET reason = $1, paused_by = $2', [reason, by])
        return false
      }),
    /** False if deliveries weren't paused. Saves the pause as an alert that says who started it and who ended it. */
    async resumeDeliveries({ by }: { readonly by: string }) {
      const resumed = await transact(async tx => {
        const [ended] = await tx<{ since: number; by: string }>(
          'DELETE FROM delivery_pause RETURNING paused_at AS since, paused_by AS "by"',
        )
        if (!ended) return false
        // Leave out the reason, because more people see alerts.
        const text = `Deliveries were paused by ${ended.by} and resumed by ${by}.`
        await recordDecision(tx, { code: 'deliveries_paused', source: by, text, startedAt: ended.since })
        return true
      })
      if (resumed) onResumed()
      return resumed
    },
    async deliveryPause(): Promise<DeliveryPause | null> {
      const [pause] = await read<Omit<DeliveryPause, 'ageMs'>>(
        'SELECT paused_at AS since, reason, paused_by AS "by" FROM delivery_pause',
      )
      return pause ? { ...pause, ageMs: Math.max(0, (await now()) - pause.since) } : null
    },
  }
}
