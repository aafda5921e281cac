/** Whether leads reach the webhook, and how fast. */
import type { ReactNode } from 'react'
import type { Today } from '../../client.ts'
import { span, useTimes } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { counted, figure } from '../../words/figures.ts'
import { FigureLink } from './figure-link.tsx'

export function Delivery({ data: { delivery, received } }: { readonly data: Today }) {
  const times = useTimes()
  const { deliveredToday, waiting, dead, timeToWebhook, paused, webhook, oldestWaitingMs } = delivery
  return (
    <Card title="Delivery" className="h-full">
      {webhook ? null : (
        <p className="mb-3 flex items-start gap-2 font-bold">
          <Icon name="alert" className="mt-1" />
          No webhook is set up. Leads are only kept here.
        </p>
      )}
      {paused ? (
        <p className="mb-3 flex items-start gap-2 font-bold">
          <Icon name="pause" className="mt-1" />
          <span>
            Paused by {paused.by}, {times.short(paused.since)}.
          </span>
        </p>
      ) : null}
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.25rem),1fr))] gap-2">
        <Count name={`Delivered of ${figure(received.today.count)} today`}>
          <FigureLink filter={deliveredToday.filter}>{figure(deliveredToday.count)}</FigureLink>
        </Count>
        <Count name="Sending">
          <FigureLink filter={waiting.filter}>{figure(waiting.count)}</FigureLink>
        </Count>
        <Count name="Failed">
          <FigureLink filter={dead.filter}>{figure(dead.count)}</FigureLink>
        </Count>
      </dl>
      {waiting.count > 0 && oldestWaitingMs > 60_000 ? (
        <p className="mt-2 text-small text-ink-soft">Oldest: {span(oldestWaitingMs)}.</p>
      ) : null}
      <p className="mt-3 border-t border-line pt-3 text-small">
        {timeToWebhook ? (
          <>
            Time to your webhook: median <strong>{span(timeToWebhook.p50Ms)}</strong>, 95th percentile{' '}
            <strong>{span(timeToWebhook.p95Ms)}</strong>{' '}
            <span className="text-ink-soft">
              (last 24 hours, {counted(timeToWebhook.of, 'lead')}, without leads that were on hold or resent)
            </span>
          </>
        ) : (
          <span className="text-ink-soft">No deliveries in the last 24 hours.</span>
        )}
      </p>
    </Card>
  )
}

function Count({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-small text-ink-soft">{name}</dt>
      <dd className="font-heading text-heading font-[650]">{children}</dd>
    </div>
  )
}
