/** Today's figures, from the daily rollup where possible. Each figure includes the filter for its list of leads. */
import { Hono } from 'hono'
import { object, picklist } from 'valibot'
import type { CallingHours } from '../../domain/calling/hours.ts'
import { type Calendar, createCalendar } from '../../server/settings/calendar.ts'
import type { CampaignCalls } from '../../server/store/calls/stats.ts'
import type { Store } from '../../server/store/store.ts'
import type { FunnelLine } from '../../server/store/visits/funnel.ts'
import { type CallPeriodName, callPeriods } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { showsCalls } from './calls.ts'
import { type LeadsFilter, storeFilter } from './leads/filter.ts'
import { query } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const DAYS = 30

interface TodaySettings {
  readonly timeZone: string
  readonly webhookUrl: string | null
}

export interface Figure {
  readonly count: number
  readonly filter: LeadsFilter
}

const figure = (count: number, filter: LeadsFilter): Figure => ({ count, filter })

const periodQuery = object({ period: picklist(callPeriods) })

export function createTodayRoutes({ reader, config }: DeskServices) {
  const figures = shared(() => loadFigures(reader, config))
  const { timeZone, callingHours: hours } = config
  const callFigures = new Map(
    callPeriods.map(period => [period, shared(() => loadCallFigures(reader, { timeZone, hours, period }))]),
  )
  return new Hono<DeskRequest>()
    .get('/', async context => context.json(await figures()))
    .get('/calls', query(periodQuery), async context => {
      const load = callFigures.get(context.req.valid('query').period)
      if (!load || !(await showsCalls({ config, reader })))
        throw new ApiError('not found', 'The call list is turned off.')
      return context.json(await load())
    })
}

/** When something changes, all open pages ask at once. */
function shared<Figures>(load: () => Promise<Figures>) {
  let loading: Promise<Figures> | null = null
  return () => {
    loading ??= load().finally(() => {
      loading = null
    })
    return loading
  }
}

async function loadFigures(store: Store, { timeZone, webhookUrl }: TodaySettings) {
  const calendar = createCalendar(timeZone)
  const at = await store.storeTime()
  const today = calendar.dateOf(at)
  const since = calendar.daysAfter(today, 1 - DAYS)
  const month = { since, until: today, timeZone }
  const counted = async (filter: LeadsFilter) => figure(await store.count(storeFilter(filter, calendar)), filter)
  const lastWeek = weekBefore(calendar, at)
  // Run these one at a time: parallel queries would compete with captures for the database's CPUs.
  const lines = await store.funnel({ ...month, by: ['day'] })
  const received = await counted({ from: today })
  const before = await store.count(lastWeek.untilSameTime)
  const beforeWholeDay = await counted({ from: lastWeek.day, to: lastWeek.day })
  const deliveredToday = await counted({ from: today, delivery: 'delivered' })
  const { held, dead, oldestHeldAgeMs: oldestHeldMs } = await store.backlog()
  const days = daysOf(calendar, lines.day, today)
  const todayLine = lines.day.find(({ key }) => key === today)
  return {
    at,
    timeZone,
    today,
    received: { today: received, before, beforeWholeDay },
    funnel: {
      views: todayLine?.views ?? 0,
      declined: todayLine?.declined ?? 0,
      submitted: received,
      leads: todayLine?.leads ?? 0,
      delivered: deliveredToday,
    },
    days,
    webhook: webhookUrl !== null,
    waiting: {
      held: figure(held, { state: 'held' }),
      oldestHeldMs,
      dead: figure(dead, { delivery: 'dead' }),
    },
  }
}

function daysOf(calendar: Calendar, lines: readonly FunnelLine[], today: string) {
  const byDay = new Map(lines.map(line => [line.key, line]))
  return Array.from({ length: DAYS }, (_, index) => {
    const day = calendar.daysAfter(today, index + 1 - DAYS)
    const line = byDay.get(day)
    return {
      day,
      views: line?.views ?? 0,
      submitted: { count: line?.submitted ?? 0, filter: { from: day, to: day } },
      leads: line?.leads ?? 0,
      delivered: line?.delivered ?? 0,
      unfinished: day === today,
    }
  })
}

interface CallSettings {
  readonly timeZone: string
  readonly hours: CallingHours
  readonly period: CallPeriodName
}

/** Days before today. */
const periodDays: Readonly<Record<CallPeriodName, readonly [from: number, to: number]>> = {
  today: [0, 0],
  yesterday: [-1, -1],
  '7d': [-6, 0],
  '30d': [1 - DAYS, 0],
}

async function loadCallFigures(store: Store, { timeZone, hours, period }: CallSettings) {
  const calendar = createCalendar(timeZone)
  const today = calendar.dateOf(await store.storeTime())
  const [from, to] = periodDays[period].map(days => calendar.daysAfter(today, days)) as [string, string]
  const filter: LeadsFilter = { from, to }
  const instants = { since: calendar.startOf(from), until: calendar.startOf(calendar.daysAfter(to, 1)) }
  // One at a time, like the figures above.
  const received = await store.count(storeFilter(filter, calendar))
  const waiting = await store.callsWaiting(hours)
  const { campaign: lines } = await store.funnel({ since: from, until: to, timeZone, by: ['campaign'] })
  const { campaigns, ...calls } = await store.callStats(instants)
  return {
    ...calls,
    period,
    waiting,
    received: figure(received, filter),
    campaigns: campaignRows(lines, campaigns, filter),
  }
}

const noCalls = { called: 0, reached: 0, goingAhead: 0, wrongNumber: 0, neverCall: 0 }

/** Every campaign with leads or calls, most leads first. */
export function campaignRows(lines: readonly FunnelLine[], calls: readonly CampaignCalls[], period: LeadsFilter) {
  const leadsOf = new Map(lines.filter(({ leads }) => leads > 0).map(({ key, leads }) => [key, leads]))
  const callsOf = new Map(calls.map(({ campaign, ...counts }) => [campaign, counts]))
  const rows = [...new Set([...leadsOf.keys(), ...callsOf.keys()])].map(key => {
    const filter: LeadsFilter = { ...period, campaign: key }
    return { key, leads: leadsOf.get(key) ?? 0, ...(callsOf.get(key) ?? noCalls), filter }
  })
  return rows.toSorted((a, b) => b.leads - a.leads || b.called - a.called)
}

/** The same weekday a week ago: its date, and the period up to the same time of day. */
export function weekBefore(calendar: Calendar, at: number) {
  const day = calendar.daysAfter(calendar.dateOf(at), -7)
  const since = calendar.startOf(day)
  const end = calendar.startOf(calendar.daysAfter(day, 1))
  // Compare wall-clock times, because days when the clocks change have 23 or 25 hours.
  const timeOfDay = calendar.iso(at).slice('2030-01-31T'.length, '2030-01-31T09:00:00.000'.length)
  const sameTime = calendar.instantOf(`${day}T${timeOfDay}`)
  return { day, untilSameTime: { since, until: Math.min(Math.max(sameTime, since), end) } }
}
