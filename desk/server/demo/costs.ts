/** Made-up ad spend, and clients among the people who move forward, so Campaigns shows what a client costs. */
import { campaignKey } from '../../../domain/campaigns/campaign.ts'
import { DAY } from '../../../domain/durations.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import type { Store } from '../../../server/store/store.ts'
import type { DemoClock } from './month.ts'

/** Cents per lead, by source. Others cost nothing. */
const rates: Readonly<Record<string, number>> = { google: 3810, facebook: 2740, taboola: 2150, bing: 3390, radio: 9000 }
const SETTLED_MS = 8 * DAY

export async function fillCosts(store: Store, clock: DemoClock, timeZone: string): Promise<void> {
  const calendar = createCalendar(timeZone)
  const all = { order: 'oldest first', limit: 10_000, after: null } as const
  const spend = new Map<string, number>()
  for (const { campaign, receivedAt } of await store.page({ ...all, filter: { state: 'accepted' } })) {
    const entry = JSON.stringify([campaignKey(campaign), calendar.dateOf(receivedAt).slice(0, 7)])
    spend.set(entry, (spend.get(entry) ?? 0) + (rates[campaign['utm_source'] ?? ''] ?? 0))
  }
  const entries = [...spend].map(([entry, cents]) => {
    const [campaign = '', month = ''] = JSON.parse(entry) as string[]
    return { campaign, month, cents }
  })
  // This month's bill isn't there yet. On the 31st, all leads are from this month.
  const before = entries.filter(({ month }) => month < calendar.dateOf(clock.at).slice(0, 7))
  await store.enterSpend({ entries: before.length > 0 ? before : entries, by: 'Maria Lopez' })
  const goingAhead = await store.page({ ...all, filter: { soFar: 'goingAhead', until: clock.at - SETTLED_MS } })
  for (const [index, { id: leadId, receivedAt }] of goingAhead.entries()) {
    const on = calendar.dateOf(receivedAt + SETTLED_MS)
    if (index % 3 === 0) await store.markClient({ leadId, on, by: 'Dana Reyes' })
  }
}
