/** How many of today's visitors became leads. */

import { formatNumber } from '../../../../domain/text/numbers.ts'
import type { Figure, Today } from '../../client.ts'
import { useSession } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { Steps } from '../../ui/steps.tsx'
import { FigureLink } from './figures.tsx'

export function Funnel({ data: { funnel } }: { readonly data: Today }) {
  const { crm } = useSession()
  const { views, declined, completed, received, leads, delivered } = funnel
  const step = (name: string, count: number, figure?: Figure) => ({
    name,
    count,
    of: views,
    shown: figure ? <FigureLink figure={figure} /> : formatNumber(count),
  })
  return (
    <Card title="Funnel today" className="md:col-span-2 2xl:col-span-3">
      <Steps
        steps={[
          step('Saw the questionnaire', views),
          step('Completed the questionnaire', completed),
          step('Received', received.count, received),
          step('Accepted leads', leads.count, leads),
          ...(crm ? [step('Delivered', delivered.count, delivered)] : []),
        ]}
      />
      <p className="mt-4 text-small text-ink-soft">
        Percentages are of visitors who saw the questionnaire. {formatNumber(declined)} didn’t qualify. Known bots are
        excluded.
      </p>
    </Card>
  )
}
