/** How many leads there are, by state, by delivery and by day: read from indexes alone, so that a million are quick. */
import type { Database } from './database.ts'
import type { DeliveryState, LeadState } from './lead-filter.ts'
import { countLeads } from './lead-records.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface LeadSummary {
  readonly states: Readonly<Record<LeadState, number>>
  readonly deliveries: Readonly<Record<DeliveryState, number>>
  /** The last days in UTC, the newest first. */
  readonly days: readonly { readonly date: string; readonly leads: number }[]
}

export async function summarizeLeads(database: Database, now: number, days: number): Promise<LeadSummary> {
  const count = async (text: string) => Number((await database.read(sql => sql(text)))[0]?.['total'] ?? 0)
  const total = await countLeads(database, {})
  const setAside = await database.read(sql =>
    sql(`SELECT state, COUNT(*) AS total FROM leads WHERE state <> 'accepted' GROUP BY state`),
  )
  const stateCount = (state: LeadState) => Number(setAside.find(row => row['state'] === state)?.['total'] ?? 0)
  const [held, repeat, erased] = [stateCount('held'), stateCount('repeat'), stateCount('erased')]
  const pending = await count(`SELECT COUNT(*) AS total FROM deliveries WHERE state = 'pending'`)
  const dead = await count(`SELECT COUNT(*) AS total FROM deliveries WHERE state = 'dead'`)
  // What most leads are is not counted, but what is left of all.
  const delivered = (await count('SELECT COUNT(*) AS total FROM deliveries')) - pending - dead
  return {
    states: { accepted: total - held - repeat - erased, held, repeat, erased },
    deliveries: { pending, delivered, dead },
    days: await Promise.all(lastDays(now, days).map(day => leadsOf(database, day))),
  }
}

function lastDays(now: number, days: number): readonly number[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  return Array.from({ length: days }, (_, ago) => today - ago * DAY_MS)
}

async function leadsOf(database: Database, since: number) {
  const leads = await countLeads(database, { since, until: since + DAY_MS })
  return { date: new Date(since).toISOString().slice(0, 10), leads }
}
