/** Today's funnel, from visit to delivered lead. The bars repeat the numbers. */
import type { ReactNode } from 'react'
import type { Today } from '../../client.ts'
import { Card } from '../../ui/card.tsx'
import { Measure } from '../../ui/measure.tsx'
import { figure, percent } from '../../words/figures.ts'
import { FigureLink } from './figure-link.tsx'

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
