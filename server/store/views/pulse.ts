/** Whether anything has changed, for desks that poll. */
import { quietEvents } from '../../../domain/events/lead-events.ts'
import { isOfCall } from '../facts/calls/story-rows.ts'
import { isEvent } from '../facts/leads/events.ts'
import type { SqlPort } from '../sql.ts'

/**
 * How many rows the mark covers. On PostgreSQL, a transaction can commit after one with a higher rowid. Its row then pushes the
 * oldest one out of this window, so the mark still changes.
 */
const NEWEST = 200

export function createPulse({ read }: SqlPort) {
  return {
    /**
     * The desk polls this mark. It changes when a lead or a delivery changes, or when deliveries are paused or resumed, but not
     * on page views, health checks, sign-ins, or lead views. `calls` changes when someone opens, finishes, or undoes a call: only
     * pages that show calls watch it, so ten agents don't make every desk reload its lists.
     */
    async pulse() {
      const [row] = await read<{ changes: string; paused: string | null; calls: string }>(
        `SELECT COALESCE(max(id), 0) || '-' || COALESCE(min(id), 0) || '-' || count(*) AS changes,
           (SELECT CAST(paused_at AS TEXT) FROM delivery_pause) AS paused,
           (SELECT count(*) || '-' || COALESCE(max(since), 0) || '-' || COALESCE(sum(dialed), 0) FROM call_claims) || '-' ||
             COALESCE((SELECT max(at) FROM story_events WHERE ${isOfCall()}), 0) AS calls
         FROM (
           SELECT rowid AS id FROM history WHERE NOT (${isEvent(...quietEvents)}) ORDER BY rowid DESC LIMIT ${NEWEST}
         ) AS newest`,
      )
      const paused = (row?.paused ?? null) !== null
      return { mark: `${row?.changes} ${row?.paused ?? ''}`, calls: row?.calls ?? '', paused }
    },
  }
}
