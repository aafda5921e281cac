/** Every query key of the desk. Queries below `live` are refetched when the pulse reports a change. */
import type { LeadSort } from '../limits.ts'
import type { JobOrder, LeadsFilter } from './client.ts'

const live = 'live'

export const queryKeys = {
  session: ['session'],
  sessionEnded: ['session ended'],
  invitation: ['invitation'],
  pulse: ['pulse'],
  passkeys: ['passkeys'],
  choices: ['choices'],
  live: [live],
  today: [live, 'today'],
  health: [live, 'health'],
  lead: (id: string) => [live, 'lead', id],
  count: (filter: LeadsFilter) => [live, 'count', filter],
  // Refreshed by their own view, because a list must not move while someone is reading it.
  list: (filter: LeadsFilter, sort: LeadSort) => ['list', filter, sort],
  lists: ['list'],
  jobCount: (order: JobOrder) => ['job count', order],
  job: (id: string) => ['job', id],
} as const
