/** The daily rollup of leads for the funnel: the counts, and which days they're for. */
import { DAY } from '../../../domain/durations.ts'
import { createCalendar } from '../../settings/calendar.ts'
import { timeOfId } from '../facts/leads/lead-id.ts'
import { daysNotRolledUp, leadsOn, RECOUNT_DAYS } from '../facts/visits/funnel-days.ts'
import { insert, insertAll, type Sql, type SqlPort, type Tx } from '../sql.ts'

/** A day is rolled up this long after it ends. Most of its leads have been delivered and reviewed by then. */
const ROLL_UP_DELAY_MS = 2 * DAY
const RECOUNT_MS = DAY

export function createRollup({ read, transact, now }: SqlPort) {
  return {
    /** Updates the daily rollup, one day per call. Returns false if there's nothing left to do. */
    async rollUpLeads({ timeZone }: { readonly timeZone: string }) {
      const calendar = createCalendar(timeZone)
      const at = await now()
      const until = calendar.daysAfter(calendar.dateOf(at - ROLL_UP_DELAY_MS), -1)
      async function nextDay(sql: Sql): Promise<string | undefined> {
        const [missing] = await daysNotRolledUp(sql, calendar, at, { since: '', until })
        if (missing !== undefined) return missing
        const [outdated] = await sql<{ day: string }>(
          'SELECT day FROM rolled_up_days WHERE day >= $1 AND day <= $2 AND counted_at NOT BETWEEN $3 AND $4 ORDER BY day LIMIT 1',
          [calendar.daysAfter(until, -RECOUNT_DAYS), until, at - RECOUNT_MS, at],
        )
        return outdated?.day
      }
      // Check before starting a transaction, because there's almost never anything to do.
      if ((await nextDay(read)) === undefined) return false
      return transact(async sql => {
        await sql.dialect.lockKeys(sql, ['daily rollup'])
        const day = await nextDay(sql)
        if (day === undefined) return false
        await sql('DELETE FROM rolled_up_days WHERE day = $1', [day])
        await sql('DELETE FROM lead_counts WHERE day = $1', [day])
        await insert(sql, 'rolled_up_days', { day, timeZone, countedAt: at })
        await insertAll(sql, 'lead_counts', await leadsOn(sql, calendar, day))
        return true
      })
    },
  }
}

/** An erased lead isn't in any list of leads anymore. Days that are final stay as they are. */
export async function recountDayOf(tx: Tx, leadId: string): Promise<void> {
  const at = timeOfId(leadId)
  if (tx.at - at > RECOUNT_DAYS * DAY) return
  // Whatever the time zone, its day is one of these. They're counted directly until they're rolled up again.
  const days = [at - DAY, at, at + DAY].map(time => new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length))
  await tx('DELETE FROM rolled_up_days WHERE day = ANY($1)', [days])
}
