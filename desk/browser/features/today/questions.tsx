/** At which question visitors of the last 30 days left. */
import type { Today } from '../../client.ts'
import { Card } from '../../ui/card.tsx'
import { Measure } from '../../ui/measure.tsx'
import { figure, percent } from '../../words/figures.ts'

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
