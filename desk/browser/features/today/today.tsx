/** Today at a glance. Figures link to the leads they count, and old figures stay on screen while new ones load. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallPeriodName } from '../../../limits.ts'
import { api, type Today as TodayData, unwrap } from '../../client.ts'
import { anyTime, datesOf, timeLabel } from '../../leads-url.ts'
import { queryKeys } from '../../query-keys.ts'
import { useQueryString } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { timesIn, useTimes } from '../../times.ts'
import { Loaded } from '../../ui/placeholders.tsx'
import { Agents, CallFigures, CallResults, MissedCallbacks, Periods, periodOf } from './call-figures.tsx'
import { CampaignCalls } from './campaign-calls.tsx'
import { DaysChart } from './days-chart.tsx'
import { LeadsToday, NeedsAttention } from './figures.tsx'
import { Funnel } from './funnel.tsx'

/** Figures go stale even when no leads arrive: "this time last Monday" moves with the clock. */
const REFRESH_MS = 60_000
/** Calls don't move the pulse that refetches leads. */
const REFRESH_CALLS_MS = 15_000

export function Today() {
  const today = useQuery({
    queryKey: queryKeys.today,
    queryFn: ({ signal }) => unwrap(api.today.$get({}, { init: { signal } })),
    refetchInterval: REFRESH_MS,
  })
  const times = useTimes()
  const { callList } = useSession()
  const chosen = periodOf(new URLSearchParams(useQueryString()).get('period'))
  const period = callList ? chosen : 'today'
  const { data } = today
  return (
    <Page title={timeLabel({ ...anyTime, period }, '') ?? 'Today'}>
      {data ? (
        <p className="-mt-2 mb-5 text-ink-soft sm:-mt-4">
          {daysOf(period, data.today)} · {times.zoneName(data.at)}
          {period === 'today' ? '' : ' · “Waiting now”, “Needs attention”, and “Funnel today” stay on today'}
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

/** On a large monitor, two cards above each other beside a high one. */
const pair = 'contents 2xl:col-span-6 2xl:flex 2xl:flex-col 2xl:gap-5'

/** The CRM owns the calls. */
function LeadsOnly({ data }: { readonly data: TodayData }) {
  return (
    <div className={grid}>
      <LeadsToday data={data} />
      <NeedsAttention data={data} calls={null} />
      <DaysChart days={data.days} />
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
            <CallResults calls={figures} />
            <div className={pair}>
              <Agents calls={figures} />
              <MissedCallbacks calls={figures} />
            </div>
            <CampaignCalls campaigns={figures.campaigns} />
            <div className={pair}>
              <DaysChart days={data.days} />
              <Funnel data={data} />
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}
