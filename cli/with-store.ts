/** Opens the store for a command, and says who runs the command: the store records it. */
import { hostname, userInfo } from 'node:os'
import { type Calendar, createCalendar } from '../server/calendar.ts'
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

export function actingUser(args: ParsedArgs): string {
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

/** With days in TIME_ZONE. */
export function calendarOf({ readConfig }: Pick<CliContext, 'readConfig'>): Calendar {
  return createCalendar(readConfig().timeZone)
}
