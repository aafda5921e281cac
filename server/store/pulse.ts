/**
 * What the desk polls: a mark that moves when something happened to a lead or a delivery, or when deliveries are paused
 * or resumed. Page views, health checks, sign-ins, and people who merely view a lead don't move it.
 */
import { textOrNull } from './rows.ts'
import type { SqlPort } from './sql.ts'

export interface PulseStore {
  pulse(): Promise<Pulse>
}

export interface Pulse {
  readonly mark: string
  readonly paused: boolean
}

/**
 * On PostgreSQL a transaction may commit after one with a higher id. It then pushes the oldest of the newest rows out,
 * which moves the mark as well.
 */
const NEWEST = 200

export function createPulse({ read, dialect: { historyId: id } }: SqlPort): PulseStore {
  return {
    async pulse() {
      const [row] = await read(
        `SELECT COALESCE(max(id), 0) || '-' || COALESCE(min(id), 0) || '-' || count(*) AS changes,
           (SELECT CAST(paused_at AS TEXT) FROM delivery_pause) AS paused
         FROM (SELECT ${id} AS id FROM history WHERE event NOT IN ('looked', 'exported') ORDER BY ${id} DESC LIMIT ${NEWEST}) AS newest`,
      )
      const paused = row ? textOrNull(row, 'paused') : null
      return { mark: `${row?.['changes']} ${paused ?? ''}`, paused: paused !== null }
    },
  }
}
