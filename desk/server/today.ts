/** Today's figures, from the daily rollup where possible. */
import { Hono } from 'hono'
import * as v from 'valibot'
import type { CallingHours } from '../../domain/calling/hours.ts'
import type { CallGroup } from '../../domain/calling/list.ts'
import { type CalledSoFar, calledSoFarKeys, isSaid } from '../../domain/calling/outcomes.ts'
import { ENGLISH } from '../../domain/languages.ts'
import { type CameIn, waysIn } from '../../domain/leads/came-in.ts'
import { completedBy } from '../../domain/visits/drop-off.ts'
import { copyIn } from '../../server/http/site-manifest.ts'
import { type Calendar, createCalendar } from '../../server/settings/calendar.ts'
import type { Store } from '../../server/store/store.ts'
import type { CampaignCalls } from '../../server/store/views/call-stats.ts'
import type { FunnelLine } from '../../server/store/views/funnel.ts'
import { type CallPeriodName, callPeriods } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { type Figure, figure } from './figures.ts'
import { type LeadsFilter, storeFilter } from './leads/filter.ts'
import { query } from './request-body.ts'
import { type DeskRequest, showsCalls } from './services.ts'
import type { RouteServices } from './views.ts'

const DAYS = 30

const periodQuery = v.object({ period: v.picklist(callPeriods) })

export function createTodayRoutes({ reader, config, site, views, hours }: RouteServices) {
  const { timeZone } = config
  const figures = shared(() => loadFigures(reader, timeZone, copyIn(site().copy, ENGLISH).questions.length))
  const callFigures = new Map(
    callPeriods.map(period => [period, shared(() => loadCallFigures(reader, { timeZone, hours: hours(), period }))]),
  )
  return new Hono<DeskRequest>()
    .get('/', async context => context.json(await figures()))
    .get('/calls', query(periodQuery), async context => {
      const load = callFigures.get(context.req.valid('query').period)
      if (!load || !(await showsCalls({ config, reader })))
        throw new ApiError('not found', 'The call list is turned off.')
      const loaded = await load()
      const named = [...loaded.missed, ...loaded.waiting.longest].filter(({ firstName }) => firstName !== null)
      await views.list(context.get('person').name, [...new Set(named.map(({ leadId }) => leadId))])
      return context.json(loaded)
    })
}

/** When something changes, all open pages ask at once. A load that began before they asked may lack the change: they share the next. */
export function shared<Figures>(load: () => Promise<Figures>) {
  let current: Promise<Figures> | null = null
  let next: Promise<Figures> | null = null
  const start = () => {
    next = null
    current = load().finally(() => {
      current = null
    })
    return current
  }
  return () => {
    if (current === null) return start()
    next ??= current.then(start, start)
    return next
  }
}

/** `questions`: how many there are. */
async function loadFigures(store: Store, timeZone: string, questions: number) {
  const calendar = createCalendar(timeZone)
  const at = await store.storeTime()
  const today = calendar.dateOf(at)
  const since = calendar.daysAfter(today, 1 - DAYS)
  const month = { since, until: today, timeZone }
  const counted = async (filter: LeadsFilter) => figure(await store.count(storeFilter(filter, calendar)), filter)
  const lastWeek = sameTimeBefore(calendar, at, 7)
  // Run these one at a time: parallel queries would compete with captures for the database's CPUs.
  const lines = await store.funnel({ ...month, by: ['day'] })
  const received = await counted({ from: today, cameIn: 'form' })
  const before = await store.count({ ...lastWeek.untilSameTime, cameIn: 'form' })
  const beforeWholeDay = await counted({ from: lastWeek.day, to: lastWeek.day, cameIn: 'form' })
  const leads = await counted({ from: today, state: 'accepted', cameIn: 'form' })
  const delivered = await counted({ from: today, delivery: 'delivered', cameIn: 'form' })
  const { held, dead, oldestHeldAgeMs } = await store.backlog()
  const days = daysOf(calendar, lines.day, today)
  const todayLine = lines.day.find(({ key }) => key === today)
  const { views = 0, declined = 0 } = todayLine ?? {}
  const reached = await store.questionsReached({ since: today, until: today })
  return {
    at,
    today,
    received: { today: received, before, beforeWholeDay, apart: await cameInApart(counted, { from: today }) },
    funnel: {
      views,
      declined,
      completed: completedBy(reached, questions, { views, declined, submitted: received.count }),
      received,
      leads,
      delivered,
    },
    days,
    waiting: {
      held: figure(held, { state: 'held' }),
      oldestHeldMs: oldestHeldAgeMs,
      dead: figure(dead, { delivery: 'dead' }),
    },
  }
}

/** Leads that nobody received, because nobody sent the form for the first time. */
export async function cameInApart(counted: (filter: LeadsFilter) => Promise<Figure>, days: LeadsFilter) {
  const apart: { readonly way: CameIn; readonly leads: Figure }[] = []
  for (const way of waysIn) if (way !== 'form') apart.push({ way, leads: await counted({ ...days, cameIn: way }) })
  return apart.filter(({ leads }) => leads.count > 0)
}

function daysOf(calendar: Calendar, lines: readonly FunnelLine[], today: string) {
  const byDay = new Map(lines.map(line => [line.key, line]))
  return Array.from({ length: DAYS }, (_, index) => {
    const day = calendar.daysAfter(today, index + 1 - DAYS)
    const line = byDay.get(day)
    return {
      day,
      views: line?.views ?? 0,
      received: figure(line?.received ?? 0, { from: day, to: day, cameIn: 'form' }),
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

/** Days before today, and how many days before them the period is compared with. */
const periodDays: Readonly<Record<CallPeriodName, readonly [from: number, to: number, before: number]>> = {
  today: [0, 0, 0],
  yesterday: [-1, -1, 0],
  '7d': [-6, 0, 7],
  '30d': [1 - DAYS, 0, DAYS],
}

async function loadCallFigures(store: Store, { timeZone, hours, period }: CallSettings) {
  const calendar = createCalendar(timeZone)
  const at = await store.storeTime()
  const today = calendar.dateOf(at)
  const [first, last, before] = periodDays[period]
  const days = daysBetween(calendar, calendar.daysAfter(today, first), calendar.daysAfter(today, last))
  const { from, to } = days.filter
  // One at a time, like the figures above.
  const counted = async (filter: LeadsFilter) => figure(await store.count(storeFilter(filter, calendar)), filter)
  const apart = await cameInApart(counted, days.filter)
  // The others have an index, so this is faster than to count them.
  const received = apart.reduce((rest, { leads }) => rest - leads.count, await store.count(days.instants))
  const { people, longest, long, withoutPlace, missedCallbacks } = await store.callsWaiting(hours)
  const { campaign: lines } = await store.funnel({ since: from, until: to, timeZone, by: ['campaign'] })
  const { campaigns, missed, ...calls } = await store.callStats(days.instants)
  const { called: made, us: taken, either } = callsBetween(from, to)
  const promised: LeadsFilter = { callbackFrom: from, callbackTo: to, callback: 'missed' }
  /** A number of people on the call list. */
  const listed = (count: number, only: CallGroup) => ({ count, only })
  return {
    ...calls,
    period,
    waiting: {
      people: listed(people, 'new'),
      long: listed(long, 'waiting'),
      missedCallbacks: listed(missedCallbacks, 'missed'),
      longest: await withNames(store, longest),
      withoutPlace,
    },
    received: figure(received, { ...days.filter, cameIn: 'form' }),
    apart,
    people: figure(calls.people, made),
    everyone: figure(calls.everyone, either),
    reached: figure(calls.reached, { ...either, outcome: 'reached' }),
    goingAhead: figure(calls.goingAhead, { ...either, outcome: 'going ahead' }),
    calledUs: figure(calls.calledUs, taken),
    outcomes: calls.outcomes.map(({ outcome, people: count }) => ({
      outcome,
      people: figure(count, { ...(isSaid(outcome) ? either : made), outcome }),
    })),
    agents: calls.agents.map(agent => ({
      ...agent,
      people: figure(agent.people, { ...made, caller: agent.id }),
      everyone: figure(agent.everyone, { ...either, caller: agent.id }),
      reached: figure(agent.reached, { ...either, caller: agent.id, outcome: 'reached' }),
      goingAhead: figure(agent.goingAhead, { ...either, caller: agent.id, outcome: 'going ahead' }),
      calledUs: figure(agent.calledUs, { ...taken, caller: agent.id }),
      missedCallbacks: figure(agent.missedCallbacks, { ...promised, caller: agent.id }),
    })),
    campaigns: campaignRows(lines, campaigns, days.filter),
    before:
      before === 0
        ? null
        : await totalsBefore(store, {
            since: calendar.startOf(calendar.daysAfter(from, -before)),
            until: sameTimeBefore(calendar, at, before).untilSameTime.until,
          }),
    missed: await withNames(
      store,
      missed.map(({ leadId, name: by, at: promisedFor, calledAt }) => ({ leadId, by, promisedFor, calledAt })),
    ),
  }
}

async function withNames<About extends { readonly leadId: string }>(store: Store, about: readonly About[]) {
  const leads = new Map((await store.leadsWithIds(about.map(({ leadId }) => leadId))).map(lead => [lead.id, lead]))
  return about.map(each => {
    const { firstName = null, lastName = null } = leads.get(each.leadId) ?? {}
    return { ...each, firstName, lastName }
  })
}

/**
 * The days right before a period that ends now, up to the same time of day: these days aren't full either. No list ends at a time of
 * day, so they open none. Null if nothing happened then, such as in a desk's first days.
 */
async function totalsBefore(store: Store, instants: { readonly since: number; readonly until: number }) {
  const totals = await store.callTotals(instants)
  const received = await store.count({ ...instants, cameIn: 'form' })
  return received + totals.people + totals.goingAhead === 0 ? null : { received, ...totals }
}

/** The lists of people whom we called, who called us, and both. */
function callsBetween(calledFrom: string, calledTo: string) {
  const either = { people: 'once', calledFrom, calledTo } as const
  return { called: { ...either, called: 'them' }, us: { ...either, called: 'us' }, either } as const
}

function daysBetween(calendar: Calendar, from: string, to: string) {
  const instants = { since: calendar.startOf(from), until: calendar.startOf(calendar.daysAfter(to, 1)) }
  return { filter: { from, to }, instants }
}

const noCalls = { called: 0, reached: 0, goingAhead: 0, wrongNumber: 0, neverCall: 0 }

/** Every campaign that leads came from, most leads first, and what has come of them so far. */
export function campaignRows(
  lines: readonly Pick<FunnelLine, 'key' | 'submitted'>[],
  calls: readonly CampaignCalls[],
  period: LeadsFilter,
) {
  const callsOf = new Map(calls.map(({ campaign, ...counts }) => [campaign, counts]))
  return lines
    .filter(({ submitted }) => submitted > 0)
    .map(({ key, submitted }) => {
      const filter: LeadsFilter = { ...period, campaign: key }
      const counts = { ...noCalls, ...callsOf.get(key) }
      const soFar = calledSoFarKeys.map(name => [name, figure(counts[name], { ...filter, soFar: name })])
      return { key, leads: figure(submitted, filter), ...(Object.fromEntries(soFar) as Record<CalledSoFar, Figure>) }
    })
    .toSorted((a, b) => b.leads.count - a.leads.count || b.called.count - a.called.count)
}

/** A day some days ago, such as the same weekday a week ago: its date, and the period up to the same time of day. */
export function sameTimeBefore(calendar: Calendar, at: number, days: number) {
  const day = calendar.daysAfter(calendar.dateOf(at), -days)
  const since = calendar.startOf(day)
  const end = calendar.startOf(calendar.daysAfter(day, 1))
  // Compare wall-clock times, because days when the clocks change have 23 or 25 hours.
  const timeOfDay = calendar.iso(at).slice('2030-01-31T'.length, '2030-01-31T09:00:00.000'.length)
  const sameTime = calendar.instantOf(`${day}T${timeOfDay}`)
  return { day, untilSameTime: { since, until: Math.min(Math.max(sameTime, since), end) } }
}
