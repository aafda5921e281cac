/** Where visitors come from, and where they drop off. The bars only illustrate the numbers, so screen readers skip them. */
import type { ReactNode } from 'react'
import { campaignName } from '../../../../domain/campaign.ts'
import type { Today } from '../../client.ts'
import { pageName } from '../../format/names.tsx'
import { formatNumber, percent } from '../../format/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { FigureLink } from './figures.tsx'

export function Funnel({ funnel }: { readonly funnel: Today['funnel'] }) {
  const { views, declined, submitted, leads, delivered } = funnel
  const step = (name: string, count: number, filter?: Today['received']['today']['filter']) => ({
    name,
    count,
    of: views,
    shown: filter ? <FigureLink filter={filter}>{formatNumber(count)}</FigureLink> : formatNumber(count),
  })
  return (
    <Card title="Funnel today" className="md:col-span-2">
      <Steps
        steps={[
          step('Saw the questionnaire', views),
          step('Completed the questionnaire', declined + submitted.count),
          step('Submitted the contact form', submitted.count, submitted.filter),
          step('New leads', leads),
          step('Delivered', delivered.count, delivered.filter),
        ]}
      />
      <p className="mt-4 text-small text-ink-soft">
        Percentages are of visitors who saw the questionnaire. {formatNumber(declined)} didn’t qualify. Known bots are
        excluded.
      </p>
    </Card>
  )
}

export function Questions({ steps }: { readonly steps: Today['questions'] }) {
  return (
    <Card title="Where visitors drop off, last 30 days" className="md:col-span-2 lg:col-span-6">
      <Steps
        steps={steps.map(({ name, reached, left }) => ({
          name,
          count: left,
          of: reached,
          shown: `${formatNumber(left)} of ${formatNumber(reached)}`,
        }))}
      />
      <p className="mt-4 text-small text-ink-soft">
        For each step, the percentage of visitors who reached it but went no further. Visitors without JavaScript aren’t
        counted.
      </p>
    </Card>
  )
}

interface Step {
  readonly name: string
  readonly count: number
  readonly of: number
  readonly shown: ReactNode
}

function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const max = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(({ name, count, of, shown }) => (
        <li key={name}>
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="line-clamp-4 min-w-0">{name}</span>
            <span className="ml-auto whitespace-nowrap">
              <strong>{shown}</strong>
              <span className="ml-2 inline-block min-w-12 text-right text-small text-ink-soft">
                {of > 0 ? percent(count / of) : '–'}
              </span>
            </span>
          </p>
          <svg aria-hidden="true" className="mt-1 block h-2 w-full" preserveAspectRatio="none" viewBox="0 0 100 8">
            <rect width="100" height="8" className="fill-mist" />
            <rect width={count === 0 ? 0 : Math.max(0.8, (count / max) * 100)} height="8" className="fill-bar" />
          </svg>
        </li>
      ))}
    </ol>
  )
}

const labels = {
  campaign: { title: 'Campaigns, last 30 days', name: campaignName, rest: 'All other campaigns' },
  page: { title: 'Pages, last 30 days', name: pageName, rest: 'All other pages' },
}

export function Sources({ kind, rows }: { readonly kind: keyof typeof labels; readonly rows: Today['campaigns'] }) {
  const { title, name, rest } = labels[kind]
  return (
    <Card title={title} note="Leads as a percentage of page views." className="self-start md:col-span-2 lg:col-span-3">
      {rows.length === 0 ? <p className="text-ink-soft">No visits yet.</p> : null}
      <Steps
        steps={rows.map(({ key, views, submitted, filter }) => ({
          name: key === null ? rest : name(key),
          count: submitted,
          of: views,
          shown: (
            <>
              {filter ? <FigureLink filter={filter}>{formatNumber(submitted)}</FigureLink> : formatNumber(submitted)}
              <span className="font-normal"> of {formatNumber(views)}</span>
            </>
          ),
        }))}
      />
    </Card>
  )
}
