/** How the service stands: deliveries with their switch, alerts, what is open before the public may come, the store, settings. */
import { useQuery } from '@tanstack/react-query'
import type { HealthAnswer } from '../../api/health.ts'
import { ask, messageOf } from '../client.ts'
import { queryKeys } from '../query-keys.ts'
import { Page } from '../shell/page.tsx'
import { Card } from '../ui/card.tsx'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { Alerts } from './alerts.tsx'
import { Deliveries } from './deliveries.tsx'
import { Launch } from './launch.tsx'
import { StoreCard } from './store-card.tsx'

export function Health() {
  const health = useQuery({
    queryKey: queryKeys.health,
    queryFn: ({ signal }) => ask<HealthAnswer>('/api/health', { signal }),
    refetchInterval: 60_000,
  })
  const { data } = health
  return (
    <Page title="Health">
      {health.isError ? (
        <div className="mb-5">
          <Problem
            title={data ? 'This may be old' : 'It is not known how the service stands'}
            onRetry={() => health.refetch()}
          >
            {messageOf(health.error)}
          </Problem>
        </div>
      ) : null}
      {data ? (
        <div className="grid items-start gap-4 sm:gap-5 lg:grid-cols-2">
          <Deliveries health={data} />
          <div className="grid gap-4 sm:gap-5">
            <Alerts alerts={data.alerts} />
            <StoreCard health={data} />
          </div>
          <Launch launch={data.launch} />
          <Settings settings={data.settings} />
        </div>
      ) : health.isPending ? (
        <div className="grid gap-5 lg:grid-cols-2">
          <LoadingText what="how the service stands" />
          {['a', 'b', 'c', 'd'].map(key => (
            <Skeleton key={key} className="h-52 rounded-2xl" />
          ))}
        </div>
      ) : null}
    </Page>
  )
}

function Settings({ settings }: { readonly settings: HealthAnswer['settings'] }) {
  return (
    <Card title="Settings in force" note="Secrets are told of, never shown." className="lg:col-span-2">
      <dl className="grid gap-x-8 md:grid-cols-2">
        {settings.map(({ name, value }) => (
          <div key={name} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5">
            <dt className="font-mono text-small text-ink-soft">{name}</dt>
            <dd className="min-w-0 text-small">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
