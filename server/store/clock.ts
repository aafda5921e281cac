/** Health checks of the store, and what happens when the clock is set back: the store remembers the latest time it saw. */
import { number } from './rows.ts'
import type { SqlPort } from './sql.ts'

export interface ClockStore {
  /** Health check: performs a no-op write. Rejects with StoreUnavailable when the store takes no leads. */
  probe(): Promise<void>
  /**
   * After the clock was set back, what is due now would wait that much longer. Moves pending deliveries forward by as much as
   * the clock is behind the latest time seen here, and answers with that; 0 when the clock was not set back.
   */
  rescheduleAfterClockChange(limits: { readonly leaseMs: number }): Promise<number>
}

/** Small corrections of the clock don't matter. */
const TOLERANCE_MS = 60_000

export function createClock({ read, transact, now }: SqlPort): ClockStore {
  return {
    async probe() {
      const at = await now()
      await transact(sql =>
        sql('INSERT INTO readiness VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at', [
          at,
        ]),
      )
    },
    async rescheduleAfterClockChange({ leaseMs }) {
      const at = await now()
      const [clock] = await read('SELECT latest_at FROM clock WHERE id = 1')
      const latest = clock ? number(clock, 'latest_at') : at
      const setBackMs = latest - at > TOLERANCE_MS ? latest - at : 0
      return transact(async sql => {
        // Of several replicas that notice, one reschedules: the others find another time than they read.
        const [ours] = clock
          ? await sql('UPDATE clock SET latest_at = $1 WHERE id = 1 AND latest_at = $2 RETURNING id', [at, latest])
          : await sql('INSERT INTO clock (id, latest_at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING RETURNING id', [at])
        // No rule puts a first attempt off for longer than a lease: the clock was set back before the store looked at it.
        await sql(`UPDATE deliveries SET next_at = $1 WHERE state = 'pending' AND attempts = 0 AND next_at > $1`, [
          at + leaseMs,
        ])
        if (!ours || setBackMs === 0) return 0
        // A leased delivery may be under way: it waits for the end of a lease, whatever the clock says.
        await sql(
          `UPDATE deliveries SET next_at = CASE WHEN lease_token IS NULL THEN next_at - $1 WHEN next_at > $2 THEN $2 ELSE next_at END
           WHERE state = 'pending' AND next_at > $3`,
          [setBackMs, at + leaseMs, at],
        )
        await sql('UPDATE alerts SET tell_at = tell_at - $1 WHERE tell_at > $2', [setBackMs, at])
        return setBackMs
      })
    },
  }
}
