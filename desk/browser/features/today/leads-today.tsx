/** Today's leads, compared with the same weekday last week up to this time. */
import type { Today } from '../../client.ts'
import { useSession } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { counted, figure } from '../../words/figures.ts'
import { FigureLink } from './figure-link.tsx'

export function LeadsToday({ data }: { readonly data: Today }) {
  const { timeZone } = useSession()
  const { today, before, beforeWholeDay } = data.received
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(data.at)
  const more = today.count - before.count
  const comparison = more > 0 ? `${figure(more)} more than` : more < 0 ? `${figure(-more)} fewer than` : 'Same as'
  return (
    <Card title="Received today" className="h-full">
      <p className="font-heading text-[3.25rem] font-[650] leading-none">
        <FigureLink filter={today.filter} className="decoration-2">
          <span>{figure(today.count)}</span>
          <span className="sr-only"> {today.count === 1 ? 'lead' : 'leads'} today</span>
        </FigureLink>
      </p>
      <p className="mt-3 flex items-start gap-1.5">
        {more === 0 ? null : <Icon name={more > 0 ? 'arrow-up' : 'arrow-down'} strokeWidth={2.5} className="mt-1" />}
        <span>
          {comparison} last {weekday} by this time (
          <FigureLink filter={before.filter}>{figure(before.count)}</FigureLink>)
        </span>
      </p>
      <p className="mt-1 text-small text-ink-soft">
        All of last {weekday}:{' '}
        <FigureLink filter={beforeWholeDay.filter}>{counted(beforeWholeDay.count, 'lead')}</FigureLink>
      </p>
    </Card>
  )
}
