/** Where visitors come from, and where they leave. The bars repeat the numbers. */
import type { ReactNode } from 'react'
import type { Today } from '../../client.ts'
import { Card } from '../../ui/card.tsx'
import { Measure } from '../../ui/charts.tsx'
import { figure, percent } from '../../words/figures.ts'
import { campaignName, pageName } from '../../words/names.tsx'
import { FigureLink } from './figures.tsx'

export function Funnel({ funnel }: { readonly funnel: Today['funnel'] }) {
  const { views, declined, submitted, leads, delivered } = funnel
  const finished = declined + submitted.count
  const steps: readonly (readonly [name: string, count: number, shown: ReactNode])[] = [
    ['Saw the questionnaire', views, figure(views)],
    ['Finished it', finished, figure(finished)],
    [
      'Sent the form',
      submitted.count,
      <FigureLink key="sent" filter={submitted.filter}>
        {figure(submitted.count)}
      </FigureLink>,
    ],
    ['New leads', leads, figure(leads)],
    [
      'Delivered',
      delivered.count,
      <FigureLink key="delivered" filter={delivered.filter}>
        {figure(delivered.count)}
      </FigureLink>,
    ],
  ]
  const most = Math.max(1, ...steps.map(([, count]) => count))
  return (
    <Card title="Funnel today" className="h-full">
      <ol className="flex flex-col gap-3">
        {steps.map(([name, count, shown]) => (
          <li key={name}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>{name}</span>
              <span className="ml-auto whitespace-nowrap">
                <strong>{shown}</strong>
                <span className="ml-2 inline-block min-w-12 text-right text-small text-ink-soft">
                  {views > 0 ? percent(count / views) : '–'}
                </span>
              </span>
            </p>
            <Measure share={count / most} />
          </li>
        ))}
      </ol>
      <p className="mt-4 text-small text-ink-soft">
        Percentages are of visitors who saw the questionnaire. {figure(declined)} didn’t qualify. Known bots are
        excluded.
      </p>
    </Card>
  )
}

export function Questions({ steps }: { readonly steps: Today['questions'] }) {
  const most = Math.max(1, ...steps.map(({ left }) => left))
  return (
    <Card title="Where visitors leave, 30 days">
      <ol className="flex flex-col gap-3">
        {steps.map(({ name, reached, left }) => (
          <li key={name}>
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span>{name}</span>
              <span className="ml-auto whitespace-nowrap">
                <strong>{figure(left)}</strong> of {figure(reached)}
                <span className="ml-2 inline-block min-w-12 text-right text-small text-ink-soft">
                  {reached > 0 ? percent(left / reached) : '–'}
                </span>
              </span>
            </p>
            <Measure share={left / most} />
          </li>
        ))}
      </ol>
      <p className="mt-4 text-small text-ink-soft">
        People who left at this step, of those who reached it. Browsers without JavaScript aren’t counted.
      </p>
    </Card>
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
