/** Where visitors come from, and where they leave. The bars repeat the numbers. */

import type { ReactNode } from 'react'
import { campaignName } from '../../../../domain/campaign.ts'
import type { Today } from '../../client.ts'
import { Card } from '../../ui/card.tsx'
import { figure, percent } from '../../words/figures.ts'
import { pageName } from '../../words/names.tsx'
import { FigureLink } from './figures.tsx'

export function Funnel({ funnel }: { readonly funnel: Today['funnel'] }) {
  const { views, declined, submitted, leads, delivered } = funnel
  const step = (name: string, count: number, filter?: Today['received']['today']['filter']) => ({
    name,
    count,
    of: views,
    shown: filter ? <FigureLink filter={filter}>{figure(count)}</FigureLink> : figure(count),
  })
  return (
    <Card title="Funnel today" className="h-full">
      <Steps
        steps={[
          step('Saw the questionnaire', views),
          step('Completed questionnaire', declined + submitted.count),
          step('Submitted contact form', submitted.count, submitted.filter),
          step('New leads', leads),
          step('Delivered', delivered.count, delivered.filter),
        ]}
      />
      <p className="mt-4 text-small text-ink-soft">
        Percentages are of visitors who saw the questionnaire. {figure(declined)} didn’t qualify. Known bots are
        excluded.
      </p>
    </Card>
  )
}

/** The last 30 days. */
export function Questions({ steps }: { readonly steps: Today['questions'] }) {
  return (
    <Card title="Where visitors drop off, last 30 days">
      <Steps
        steps={steps.map(({ name, reached, left }) => ({
          name,
          count: left,
          of: reached,
          shown: `${figure(left)} of ${figure(reached)}`,
        }))}
      />
      <p className="mt-4 text-small text-ink-soft">
        Of the visitors who reached each step, the percentage who left there. Visitors without JavaScript aren’t
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
  const most = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(({ name, count, of, shown }) => (
        <li key={name}>
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span>{name}</span>
            <span className="ml-auto whitespace-nowrap">
              <strong>{shown}</strong>
              <span className="ml-2 inline-block min-w-12 text-right text-small text-ink-soft">
                {of > 0 ? percent(count / of) : '–'}
              </span>
            </span>
          </p>
          <Measure share={count / most} />
        </li>
      ))}
    </ol>
  )
}

function Measure({ share }: { readonly share: number }) {
  return (
    <svg aria-hidden="true" className="mt-1 block h-2 w-full" preserveAspectRatio="none" viewBox="0 0 100 8">
      <rect width="100" height="8" className="fill-mist" />
      <rect width={Math.min(100, Math.max(share > 0 ? 0.8 : 0, share * 100))} height="8" className="fill-bar" />
    </svg>
  )
}

const words = {
  campaign: { title: 'Campaigns, last 30 days', head: 'Campaign', name: campaignName, rest: 'All other campaigns' },
  page: { title: 'Pages, last 30 days', head: 'Page', name: pageName, rest: 'All other pages' },
}

const heading = '[overflow-wrap:normal] pb-1 pl-3 text-right font-normal'
const cell = 'whitespace-nowrap py-1.5 pl-3 text-right @max-[14rem]:py-0 @max-[14rem]:pl-0 @max-[14rem]:last:pb-3'

function Unit({ children }: { readonly children: string }) {
  return (
    <span aria-hidden className="hidden font-normal @max-[14rem]:inline">
      {' '}
      {children}
    </span>
  )
}

export function Sources({ kind, lines }: { readonly kind: keyof typeof words; readonly lines: Today['campaigns'] }) {
  const { title, head, name, rest } = words[kind]
  const most = Math.max(1, ...lines.map(({ submitted }) => submitted))
  return (
    <Card title={title}>
      {lines.length === 0 ? (
        <p className="text-ink-soft">No visits yet.</p>
      ) : (
        // Without room for columns, each figure says what it is. Explicit roles: as blocks the elements would lose them.
        <table role="table" className="w-full @max-[14rem]:block">
          <thead role="rowgroup" className="@max-[14rem]:sr-only">
            <tr role="row" className="text-left align-bottom text-small text-ink-soft">
              <th role="columnheader" scope="col" className="pb-1 font-normal">
                {head}
              </th>
              <th role="columnheader" scope="col" className={`${heading} max-sm:hidden`}>
                Views
              </th>
              <th role="columnheader" scope="col" className={heading}>
                Leads
              </th>
              <th role="columnheader" scope="col" className={heading}>
                Rate
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup" className="@max-[14rem]:block">
            {lines.map(({ key, views, submitted, filter }) => (
              <tr
                key={key ?? '…'}
                role="row"
                className="align-baseline @max-[14rem]:flex @max-[14rem]:flex-wrap @max-[14rem]:gap-x-4"
              >
                <th role="rowheader" scope="row" className="w-full py-1.5 text-left font-normal">
                  <span className="line-clamp-4">{key === null ? rest : name(key)}</span>
                  <Measure share={submitted / most} />
                </th>
                <td role="cell" className={`${cell} max-sm:hidden`}>
                  {figure(views)}
                  <Unit>views</Unit>
                </td>
                <td role="cell" className={`${cell} font-bold`}>
                  {filter ? <FigureLink filter={filter}>{figure(submitted)}</FigureLink> : figure(submitted)}
                  <Unit>{submitted === 1 ? 'lead' : 'leads'}</Unit>
                </td>
                <td role="cell" className={cell}>
                  {views > 0 ? percent(submitted / views) : '–'}
                  <Unit>of views</Unit>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
