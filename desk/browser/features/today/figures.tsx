/** The cards at the top of Today: new leads, leads that need attention, and deliveries. */
import type { ReactNode } from 'react'
import type { Today } from '../../client.ts'
import { formatNumber, pluralize } from '../../format/numbers.ts'
import { hrefOfFilter } from '../../leads-url.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { formatDuration, useTimes } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

export function LeadsToday({ data }: { readonly data: Today }) {
  const { timeZone } = useSession()
  const { today, before, beforeWholeDay } = data.received
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(data.at)
  const more = today.count - before
  const comparison =
    more > 0 ? `${formatNumber(more)} more than` : more < 0 ? `${formatNumber(-more)} fewer than` : 'Same as'
  return (
    <Card title="Received today" className="lg:col-span-2">
      <p className="font-heading text-[3.25rem] font-[650] leading-none">
        <FigureLink filter={today.filter} className="decoration-2">
          <span>{formatNumber(today.count)}</span>
          <span className="sr-only"> {today.count === 1 ? 'lead' : 'leads'} today</span>
        </FigureLink>
      </p>
      <p className="mt-3 flex items-start gap-1.5">
        {more === 0 ? null : <Icon name={more > 0 ? 'arrow-up' : 'arrow-down'} strokeWidth={2.5} className="mt-1" />}
        <span>
          {comparison} this time last {weekday} ({formatNumber(before)})
        </span>
      </p>
      <p className="mt-1 text-small text-ink-soft">
        All of last {weekday}:{' '}
        <FigureLink filter={beforeWholeDay.filter}>{pluralize(beforeWholeDay.count, 'lead')}</FigureLink>
      </p>
    </Card>
  )
}

export function NeedsAttention({ data: { waiting } }: { readonly data: Today }) {
  const { held, dead, oldestHeldMs } = waiting
  return (
    <Card title="Needs attention" className="lg:col-span-2">
      {held.count + dead.count === 0 ? (
        <p className="flex items-start gap-2.5 py-2">
          <Icon name="done" size={22} className="mt-0.5 text-action-strong" />
          All clear: no leads on hold, no failed deliveries.
        </p>
      ) : (
        <ul className="-mx-2 flex flex-col gap-1.5">
          <AttentionItem
            leads={held}
            icon="hand"
            tone="border-amber-edge bg-amber text-amber-ink"
            text={held.count === 1 ? 'lead on hold for review' : 'leads on hold for review'}
            note={`Longest wait: ${oldestHeldMs < 60_000 ? 'less than a minute' : formatDuration(oldestHeldMs)}`}
          />
          <AttentionItem
            leads={dead}
            icon="alert"
            tone="border-error bg-error-soft text-error"
            text={dead.count === 1 ? 'delivery failed' : 'deliveries failed'}
            note={`All attempts failed. Resend ${dead.count === 1 ? 'it' : 'them'}.`}
          />
        </ul>
      )}
    </Card>
  )
}

interface AttentionItemProps {
  readonly leads: Today['waiting']['held']
  readonly icon: IconName
  readonly tone: string
  readonly text: string
  readonly note: string
}

function AttentionItem({ leads, icon, tone, text, note }: AttentionItemProps) {
  if (leads.count === 0) return null
  return (
    <li>
      <Link href={hrefOfFilter(leads.filter)} className="flex items-center gap-3 rounded-xl p-2 hover:bg-mist">
        <span className={`grid size-11 shrink-0 place-items-center rounded-full border @max-[14rem]:hidden ${tone}`}>
          <Icon name={icon} size={20} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-bold">
            <span className="text-title">{formatNumber(leads.count)}</span> {text}
          </span>
          <span className="block text-small text-ink-soft">{note}</span>
        </span>
        <Icon name="chevron-right" className="text-ink-soft @max-[14rem]:hidden" />
      </Link>
    </li>
  )
}

export function Delivery({ data: { delivery, received } }: { readonly data: Today }) {
  const times = useTimes()
  const { deliveredToday, waiting, dead, timeToWebhook, paused, webhook, oldestWaitingMs } = delivery
  return (
    <Card title="Delivery" className="md:col-span-2">
      {webhook ? null : (
        <p className="mb-3 flex items-start gap-2 font-bold">
          <Icon name="alert" className="mt-1" />
          No CRM is connected. Leads are saved here but not sent anywhere.
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
        <Count name={`Delivered (of ${formatNumber(received.today.count)} today)`}>
          <FigureLink filter={deliveredToday.filter}>{formatNumber(deliveredToday.count)}</FigureLink>
        </Count>
        <Count name="Queued">
          <FigureLink filter={waiting.filter}>{formatNumber(waiting.count)}</FigureLink>
        </Count>
        <Count name="Failed">
          <FigureLink filter={dead.filter}>{formatNumber(dead.count)}</FigureLink>
        </Count>
      </dl>
      {waiting.count > 0 && oldestWaitingMs > 60_000 ? (
        <p className="mt-2 text-small text-ink-soft">Longest wait: {formatDuration(oldestWaitingMs)}</p>
      ) : null}
      <p className="mt-3 border-t border-line pt-3 text-small">
        {timeToWebhook ? (
          <>
            Time to reach your CRM: median <strong>{formatDuration(timeToWebhook.p50Ms)}</strong>, 95th percentile{' '}
            <strong>{formatDuration(timeToWebhook.p95Ms)}</strong>{' '}
            <span className="text-ink-soft">
              (last 24 hours, {pluralize(timeToWebhook.of, 'lead')}, excludes leads that were on hold or resent)
            </span>
          </>
        ) : (
          <span className="text-ink-soft">
            No delivery times for the last 24 hours (excludes leads that were on hold or resent).
          </span>
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

export function FigureLink({
  filter,
  className = '',
  children,
}: {
  readonly filter: Parameters<typeof hrefOfFilter>[0]
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <Link
      href={hrefOfFilter(filter)}
      className={`underline decoration-edge underline-offset-4 hover:decoration-2 hover:decoration-action ${className}`}
    >
      {children}
    </Link>
  )
}
