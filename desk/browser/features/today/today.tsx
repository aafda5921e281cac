/** Today at a glance. Figures link to the leads they count, and old figures stay on screen while new ones load. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CallPeriodName } from '../../../limits.ts'
import { api, type Today as TodayData, unwrap } from '../../client.ts'
import { anyTime, datesOf, timeLabel } from '../../leads-url.ts'
import { queryKeys } from '../../query-keys.ts'
import { useQueryString } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { formatDuration, timesIn, useTimes } from '../../times.ts'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
import { Callers, CallFigures, CallResults, CampaignCalls, Periods, periodOf } from './calls.tsx'
import { DaysChart } from './days-chart.tsx'
import { LeadsToday, NeedsAttention } from './figures.tsx'
import { Funnel } from './funnel.tsx'

/** Figures go stale even when no leads arrive: "this time last Monday" moves with the clock. */
const REFRESH_MS = 60_000
/** Calls don't move the pulse that refetches leads. */
const REFRESH_CALLS_MS = 15_000
/** If the figures were already stale when they arrived, request them again soon. */
const STALE_MS = 2000
const REFRESH_STALE_MS = 5000

export function Today() {
  const today = useQuery({
    queryKey: queryKeys.today,
    queryFn: ({ signal }) => unwrap(api.today.$get({}, { init: { signal } })),
    refetchInterval: ({ state }) => ((state.data?.ageMs ?? 0) > STALE_MS ? REFRESH_STALE_MS : REFRESH_MS),
  })
  const times = useTimes()
  const { callList } = useSession()
  const chosen = periodOf(new URLSearchParams(useQueryString()).get('period'))
  const period = callList ? chosen : 'today'
  const { data } = today
  return (
    <Page
      title={timeLabel({ ...anyTime, period }, '') ?? 'Today'}
      aside={data ? <Updated at={today.dataUpdatedAt - data.ageMs} failed={today.isError} /> : null}
    >
      {data ? (
        <p className="-mt-4 mb-5 text-ink-soft">
          {daysOf(period, data.today)} · {times.zoneName(data.at)}
        </p>
      ) : null}
      <Loaded query={today} what="today’s numbers">
        {figures => (callList ? <CallsToday data={figures} period={period} /> : <LeadsOnly data={figures} />)}
      </Loaded>
    </Page>
  )
}

/** "Wed, Nov 11 to Tue, Nov 17" */
function daysOf(period: CallPeriodName, today: string): string {
  const { from, to } = datesOf({ ...anyTime, period }, today)
  // Plain dates have no time zone, so format them in UTC.
  return [...new Set([from, to])].map(date => timesIn('UTC').day(Date.parse(date ?? today))).join(' to ')
}

/** On large screens, three cards share a row. */
const grid = 'grid gap-4 sm:gap-5 md:grid-cols-2 lg:grid-cols-6 2xl:grid-cols-12'

/** The CRM owns the calls. */
function LeadsOnly({ data }: { readonly data: TodayData }) {
  return (
    <div className={grid}>
      <LeadsToday data={data} />
      <NeedsAttention data={data} calls={null} />
      <DaysChart days={data.days} webhook={data.webhook} />
      <Funnel data={data} />
    </div>
  )
}

function CallsToday({ data, period }: { readonly data: TodayData; readonly period: CallPeriodName }) {
  const calls = useQuery({
    queryKey: queryKeys.todayCalls(period),
    queryFn: ({ signal }) => unwrap(api.today.calls.$get({ query: { period } }, { init: { signal } })),
    refetchInterval: REFRESH_CALLS_MS,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Periods current={period} />
      <Loaded query={calls} what="the calls">
        {figures => (
          <div className={`${grid} ${calls.isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={calls.isPlaceholderData}>
            <CallFigures calls={figures} today={data} />
            <NeedsAttention data={data} calls={figures} />
            <Callers calls={figures} />
            <CallResults calls={figures} />
            <CampaignCalls campaigns={figures.campaigns} />
            <DaysChart days={data.days} webhook={data.webhook} />
            <Funnel data={data} />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** How old the figures are. Not a live region, because screen readers would read it every second. */
function Updated({ at, failed }: { readonly at: number; readonly failed: boolean }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const age = Math.max(0, now - at)
  return (
    <p className="flex items-center gap-1.5 text-small text-ink-soft">
      <Icon name="refresh" size={14} />
      {age < 2000 ? 'Updated just now' : `Updated ${formatDuration(age)} ago`}
      {failed ? ' (last refresh failed)' : ''}
    </p>
  )
}
