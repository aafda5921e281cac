/** Today's figures, from the daily rollup where possible. Each figure includes the filter for its list of leads. */
import { Hono } from 'hono'
import { type Calendar, createCalendar } from '../../server/calendar.ts'
import type { FunnelLine } from '../../server/store/funnel.ts'
import type { Store } from '../../server/store/store.ts'
import { type LeadsFilter, storeFilter } from './leads/filter.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DAYS = 30
const TIMED_DELIVERIES = 2000
/** When something changes, all open pages refetch at once, so they share one result. */
const FRESH_MS = 1000
/** The maximum share of time spent loading figures: slow ones are refreshed less often. */
const MAX_TIME_SHARE = 0.01
/** The maximum age of figures. The page shows their age. */
const MAX_AGE_MS = 120_000

type TodayStore = Pick<Store, 'storeTime' | 'count' | 'funnel' | 'backlog' | 'webhookTimes' | 'deliveryPause'>

interface TodaySettings {
  readonly timeZone: string
  readonly webhookUrl: string | null
}

type Figures = Awaited<ReturnType<typeof loadFigures>>

export interface Figure {
  readonly count: number
  readonly filter: LeadsFilter
}

export function createTodayRoutes({ reader, config }: DeskServices) {
  const figures = createToday(reader, config)
  return new Hono<DeskRequest>().get('/', async context => context.json(await figures()))
}

/** Caches one set of figures for everyone. `clock` is monotonic. */
export function createToday(store: TodayStore, settings: TodaySettings, clock = () => performance.now()) {
  let cached: Promise<Figures> | undefined
  let cachedAt = Number.NEGATIVE_INFINITY
  let freshUntil = Number.NEGATIVE_INFINITY

  function refresh(): Promise<Figures> {
    const startedAt = clock()
    cachedAt = startedAt
    freshUntil = Number.POSITIVE_INFINITY
    const loading = loadFigures(store, settings)
    loading.then(
      () => {
        const freshMs = Math.max(FRESH_MS, (clock() - startedAt) / MAX_TIME_SHARE)
        freshUntil = startedAt + Math.min(freshMs, MAX_AGE_MS)
      },
      () => {
        cached = undefined
      },
    )
    return loading
  }

  return async () => {
    if (!cached || clock() >= freshUntil) cached = refresh()
    const figures = await cached
    return { ...figures, ageMs: Math.round(clock() - cachedAt) }
  }
}

async function loadFigures(store: TodayStore, { timeZone, webhookUrl }: TodaySettings) {
  const calendar = createCalendar(timeZone)
  const at = await store.storeTime()
  const today = calendar.dateOf(at)
  const since = calendar.daysAfter(today, 1 - DAYS)
  const month = { since, until: today, timeZone }
  const counted = async (filter: LeadsFilter): Promise<Figure> => ({
    filter,
    count: await store.count(storeFilter(filter, calendar)),
  })
  const lastWeek = weekBefore(calendar, at)
  // Run these one at a time: parallel queries would compete with captures for the database's CPUs.
  const lines = await store.funnel({ ...month, by: ['day'] })
  const received = await counted({ from: today })
  const before = await store.count(lastWeek.untilSameTime)
  const beforeWholeDay = await counted({ from: lastWeek.day, to: lastWeek.day })
  const deliveredToday = await counted({ from: today, delivery: 'delivered' })
  const delivery = await deliveryFigures(store, at)
  const { held, oldestHeldMs, ...deliveries } = delivery
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
    delivery: { ...deliveries, deliveredToday, webhook: webhookUrl !== null },
    waiting: { held, oldestHeldMs, dead: deliveries.dead },
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

async function deliveryFigures(store: TodayStore, at: number) {
  const backlog = await store.backlog()
  const times = await store.webhookTimes({ since: at - DAY_MS, limit: TIMED_DELIVERIES })
  const pause = await store.deliveryPause()
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  const figure = (count: number, filter: LeadsFilter): Figure => ({ count, filter })
  return {
    waiting: figure(backlog.pending, { delivery: 'pending' }),
    dead: figure(backlog.dead, { delivery: 'dead' }),
    held: figure(backlog.held, { state: 'held' }),
    oldestWaitingMs: backlog.oldestPendingAgeMs,
    oldestHeldMs: backlog.oldestHeldAgeMs,
    /** Excludes leads that were on hold or resent. */
    timeToWebhook: sorted.length === 0 ? null : { p50Ms: percentile(0.5), p95Ms: percentile(0.95), of: sorted.length },
    paused: pause && { since: pause.since, reason: pause.reason, by: pause.by },
  }
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
