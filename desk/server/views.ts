/**
 * What counts as a view of personal data. Every route that shows a lead's name, number, or email records it here, before it's shown:
 * a person's page or record in the history of their leads; a list as a number per colleague and day, without who was in it or what
 * was searched for. views.test.ts tries every route.
 */
import type { CallingHours } from '../../domain/calling/hours.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { SESSION_MS } from './auth/cookie.ts'
import type { DeskServices } from './services.ts'

/** Opening someone again within this time isn't recorded as another view. */
const VIEW_INTERVAL_MS = 5 * 60_000
/** An open page that refreshes itself isn't another view. No session lasts longer than this. */
const REFRESH_INTERVAL_MS = SESSION_MS

/** For routes that show people. */
export interface RouteServices extends DeskServices {
  readonly views: ReturnType<typeof createViews>
  /** The setting's, without the days on which the organization is closed. */
  readonly hours: () => CallingHours
}

export const idsOf = (shown: readonly { readonly leadId: string }[]) => shown.map(({ leadId }) => leadId)

export function createViews({ store, config, now }: Pick<DeskServices, 'store' | 'config' | 'now'>) {
  const calendar = createCalendar(config.timeZone)

  /** Whom someone saw in a list today, so a list that refreshes itself isn't counted again. */
  const seen = { day: '', views: new Set<string>() }

  return {
    /** Opens a person's page or record. */
    async open(by: string, leadIds: readonly string[]): Promise<void> {
      for (const id of leadIds) await store.recordView({ id, by, intervalMs: VIEW_INTERVAL_MS })
    },
    /** What belongs to an open page. Even a refresh counts, unless the lead was opened in this session. */
    async refresh(by: string, leadId: string): Promise<void> {
      await store.recordView({ id: leadId, by, intervalMs: REFRESH_INTERVAL_MS })
    },
    /** Leads, by their IDs, or entries of the do-not-call list. */
    async list(by: string, whom: readonly string[]): Promise<void> {
      const day = calendar.dateOf(now())
      if (seen.day !== day) {
        seen.day = day
        seen.views.clear()
      }
      const added = [...new Set(whom.map(each => `${each} ${by}`))].filter(view => !seen.views.has(view))
      if (added.length > 0) await store.recordListView({ by, day, leads: added.length })
      for (const view of added) seen.views.add(view)
    },
    /** How many match a text tells what's in them: guess by guess, a whole phone number. */
    async count(by: string, { search = '' }: { readonly search?: string }): Promise<void> {
      if (search.trim() !== '') await this.list(by, [`leads that match ${search}`])
    },
  }
}
