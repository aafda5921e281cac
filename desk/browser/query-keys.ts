/** The desk's query keys. Queries under `live` are refetched when the pulse reports a change. */
import type { CallGroup } from '../../domain/calling/list.ts'
import type { CallPeriodName, LeadSort } from '../limits.ts'
import type { JobSpec, LeadsFilter } from './client.ts'

const live = 'live'

export const queryKeys = {
  session: ['session'],
  sessionEnded: ['session ended'],
  invitation: ['invitation'],
  pulse: ['pulse'],
  passkeys: ['passkeys'],
  choices: ['choices'],
  people: ['people'],
  setup: ['setup'],
  texts: ['texts'],
  live: [live],
  today: [live, 'today'],
  todayCalls: (period: CallPeriodName) => [live, 'today calls', period],
  campaigns: (range: object) => ['campaigns', range],
  costs: (months: object) => ['costs', months],
  allCosts: ['costs'],
  health: [live, 'health'],
  siteHealth: ['site-health'],
  lead: (id: string) => [live, 'lead', id],
  doNotCall: (filter: object) => [live, 'do not call', filter],
  changedListBy: ['changed list by'],
  quickLists: [live, 'quick lists'],
  count: (filter: LeadsFilter) => [live, 'count', filter],
  // The list view refreshes these itself, because rows must not move while someone is reading them.
  list: (filter: LeadsFilter, sort: LeadSort) => ['list', filter, sort],
  lists: ['list'],
  /** Refetched when the pulse reports a change to calls, or to anything under `live`. */
  calls: ['calls'],
  callList: (only: CallGroup | null) => ['calls', 'list', only],
  callState: (id: string) => ['calls', 'state', id],
  unfinishedCalls: ['calls', 'unfinished'],
  recentCalls: ['calls', 'recent'],
  places: ['places'],
  colleagues: ['colleagues'],
  callWords: ['call words'],
  jobCount: (spec: JobSpec) => ['job count', spec],
  job: (id: string) => ['job', id],
} as const
