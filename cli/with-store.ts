/** Opens the store for a command, and says who runs the command: the store records it. */
import { hostname, userInfo } from 'node:os'
import { type Calendar, createCalendar } from '../server/calendar.ts'
import { plain } from '../server/export/plain-text.ts'
import type { DeliveryPause } from '../server/store/delivery-pause.ts'
import { connectStore } from '../server/store/open-store.ts'
import type { Store } from '../server/store/store.ts'
import { type CliContext, type ParsedArgs, UsageError } from './command.ts'

export async function withStore<T>(
  { readConfig, now, busyTimeoutMs }: CliContext,
  access: 'read' | 'write',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await connectStore(readConfig(), { access, now, busyTimeoutMs })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

export const byOption = {
  by: { value: 'NAME', about: 'Name to record in the history. Default: the system user.' },
} as const

export function whoRuns(args: ParsedArgs): string {
  const name = args.text('by')
  if (name === undefined) return systemUser()
  if (name.trim() === '') throw new UsageError('--by needs a name.')
  return name.trim()
}

export function systemUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // In a container the user may have no name.
    return hostname()
  }
}

/** Viewing a lead again within this time is recorded once, as at the desk. */
const VIEW_REST_MS = 5 * 60_000

/** Recorded before anything is shown, as at the desk. */
export async function recordViews(store: Store, ids: readonly string[], by: string): Promise<void> {
  for (const id of ids) await store.recordLook({ id, by, restMs: VIEW_REST_MS })
}

/** With days in TIME_ZONE. */
export function calendarOf({ readConfig }: Pick<CliContext, 'readConfig'>): Calendar {
  return createCalendar(readConfig().timeZone)
}

/** Why leads that are ready to be sent may have to wait. */
export async function waitingNote({ readConfig }: CliContext, store: Pick<Store, 'deliveryPause'>): Promise<string> {
  if (readConfig().webhookUrl === null) return ' LEAD_WEBHOOK_URL is not set; leads stay queued until you set it.'
  if (await store.deliveryPause()) return ' Deliveries are paused. To resume: npm run leads -- resume'
  return ''
}

export function pauseInWords({ since, by, reason }: DeliveryPause, calendar: Calendar): string {
  const why = reason === '' ? '' : ` (${plain(reason)})`
  return `Deliveries have been paused since ${calendar.inWords(since)} by ${plain(by)}${why}.`
}
