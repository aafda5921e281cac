/** Today: one screen, one glance. Every number leads to the list behind it, and old figures stay while new ones load. */
import { useQuery } from '@tanstack/react-query'
import type { TodayAnswer } from '../../api/today.ts'
import { ask, messageOf } from '../client.ts'
import { queryKeys } from '../query-keys.ts'
import { Page } from '../shell/page.tsx'
import { useTimes } from '../times.ts'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { DaysChart } from './days-chart.tsx'
import { Delivery } from './delivery.tsx'
import { Funnel } from './funnel.tsx'
import { LeadsToday } from './leads-today.tsx'
import { Questions } from './questions.tsx'
import { Sources } from './sources.tsx'
import { Updated } from './updated.tsx'
import { Waiting } from './waiting.tsx'

/** Figures grow old even when nothing comes in: "by this time last Monday" moves with the clock. */
const REFRESH_MS = 60_000
/** What was not of the moment when it was asked for is asked for again: no event may follow that would say so. */
const OLD_MS = 2000
const REFRESH_OLD_MS = 5000

export function Today() {
  const today = useQuery({
    queryKey: queryKeys.today,
    queryFn: ({ signal }) => ask<TodayAnswer>('/api/today', { signal }),
    refetchInterval: ({ state }) => ((state.data?.ageMs ?? 0) > OLD_MS ? REFRESH_OLD_MS : REFRESH_MS),
  })
  const times = useTimes()
  const { data } = today
  return (
    <Page title="Today" aside={data ? <Updated at={today.dataUpdatedAt - data.ageMs} failed={today.isError} /> : null}>
      {data ? (
        <p className="-mt-4 mb-5 text-ink-soft">
          {times.day(data.at)} · times are {data.timeZone.replaceAll('_', ' ')} ({times.zone(data.at)})
        </p>
      ) : null}
      {today.isError ? (
        <div className="mb-5">
          <Problem title={data ? 'These figures are old' : 'There are no figures'} onRetry={() => today.refetch()}>
            {messageOf(today.error)}
          </Problem>
        </div>
      ) : null}
      {data ? <Figures data={data} /> : today.isPending ? <Outline /> : null}
    </Page>
  )
}

function Figures({ data }: { readonly data: TodayAnswer }) {
  return (
    <div className="grid gap-4 sm:gap-5 md:grid-cols-2 lg:grid-cols-6">
      <div className="lg:col-span-2">
        <LeadsToday data={data} />
      </div>
      <div className="lg:col-span-2">
        <Waiting data={data} />
      </div>
      <div className="md:col-span-2">
        <Delivery data={data} />
      </div>
      <div className="min-w-0 md:col-span-2 lg:col-span-4">
        <DaysChart days={data.days} />
      </div>
      <div className="md:col-span-2">
        <Funnel funnel={data.funnel} />
      </div>
      <div className="min-w-0 md:col-span-2 lg:col-span-3">
        <Sources kind="campaign" lines={data.campaigns} />
      </div>
      <div className="min-w-0 md:col-span-2 lg:col-span-3">
        <Sources kind="page" lines={data.pages} />
      </div>
      {data.questions.length > 0 && (
        <div className="min-w-0 md:col-span-2 lg:col-span-6">
          <Questions steps={data.questions} />
        </div>
      )}
    </div>
  )
}

/** The shape of what comes. */
function Outline() {
  return (
    <div className="grid gap-4 sm:gap-5 lg:grid-cols-6">
      <LoadingText what="today’s figures" />
      {['a', 'b', 'c'].map(key => (
        <Skeleton key={key} className="h-44 rounded-2xl lg:col-span-2" />
      ))}
      <Skeleton className="h-80 rounded-2xl lg:col-span-4" />
      <Skeleton className="h-80 rounded-2xl lg:col-span-2" />
    </div>
  )
}
