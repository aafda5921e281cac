/** From seeing a page to a delivered lead, today. The bars only repeat what the numbers say. */
import type { ReactNode } from 'react'
import type { FunnelFigures } from '../../api/today.ts'
import { Card } from '../ui/card.tsx'
import { Measure } from '../ui/measure.tsx'
import { figure, percent } from '../words/figures.ts'
import { FigureLink } from './figure-link.tsx'

export function Funnel({ funnel }: { readonly funnel: FunnelFigures }) {
  const { views, declined, submitted, leads, delivered } = funnel
  const finished = declined + submitted.count
  const steps: readonly (readonly [name: string, count: number, shown: ReactNode])[] = [
    ['Saw the questions', views, figure(views)],
    ['Answered them all', finished, figure(finished)],
    [
      'Sent the form',
      submitted.count,
      <FigureLink key="sent" filter={submitted.filter}>
        {figure(submitted.count)}
      </FigureLink>,
    ],
    ['New people', leads, figure(leads)],
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
    <Card title="From visit to lead, today" className="h-full">
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
        Percent of those who saw the questions. {figure(declined)} did not qualify. Programs that say what they are do
        not count.
      </p>
    </Card>
  )
}
