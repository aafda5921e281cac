/** The cards at the top of Today: new leads, and what needs attention. */
import type { ReactNode } from 'react'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import type { Figure, Today, TodayCalls } from '../../client.ts'
import { hrefOfFilter } from '../../leads-url.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { formatDuration } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

export function LeadsToday({ data }: { readonly data: Today }) {
  const { today } = data.received
  return (
    <Card title="Received today" className="lg:col-span-3 2xl:col-span-2">
      <p className="mb-3 font-heading text-[3.25rem] font-[650] leading-none">
        <FigureLink figure={today} className="decoration-2">
          <span>{formatNumber(today.count)}</span>
          <span className="sr-only"> {today.count === 1 ? 'lead' : 'leads'} today</span>
        </FigureLink>
      </p>
      <Comparison data={data} />
      <AlsoCameIn apart={data.received.apart} />
    </Card>
  )
}

const apartNames: Readonly<Record<Today['received']['apart'][number]['way'], readonly [one: string, more: string]>> = {
  form: ['lead', 'leads'],
  repeat: ['repeat', 'repeats'],
  phone: ['by phone', 'by phone'],
  correction: ['corrected number', 'corrected numbers'],
}

/** Leads that aren't among those received, because they weren't anyone's first submission of the form. */
export function AlsoCameIn({ apart }: { readonly apart: Today['received']['apart'] }) {
  if (apart.length === 0) return null
  return (
    <p className="mt-1 text-small text-ink-soft">
      Also:{' '}
      {apart.map(({ way, leads }, index) => (
        <span key={way}>
          {index > 0 ? ', ' : ''}
          <FigureLink figure={leads}>
            {formatNumber(leads.count)} {apartNames[way][leads.count === 1 ? 0 : 1]}
          </FigureLink>
        </span>
      ))}
      .
    </p>
  )
}

/** Compares today with the same weekday a week ago. */
export function Comparison({ data }: { readonly data: Today }) {
  const { timeZone } = useSession()
  const { today, before, beforeWholeDay } = data.received
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'long' }).format(data.at)
  const more = today.count - before
  const comparison =
    more > 0 ? `${formatNumber(more)} more than` : more < 0 ? `${formatNumber(-more)} fewer than` : 'Same as'
  return (
    <>
      <p className="flex items-start gap-1.5">
        {more === 0 ? null : <Icon name={more > 0 ? 'arrow-up' : 'arrow-down'} strokeWidth={2.5} className="mt-1" />}
        <span>
          {comparison} this time last {weekday} ({formatNumber(before)})
        </span>
      </p>
      <p className="mt-1 text-small text-ink-soft">
        All of last {weekday}:{' '}
        <FigureLink figure={beforeWholeDay}>{pluralize(beforeWholeDay.count, 'lead')}</FigureLink>
      </p>
    </>
  )
}

const amber = 'border-amber-edge bg-amber text-amber-ink'
const red = 'border-error bg-error-soft text-error'

/** `calls`: null if people aren't called from the desk. */
export function NeedsAttention({ data, calls }: { readonly data: Today; readonly calls: TodayCalls | null }) {
  const { crm } = useSession()
  const { held, dead, oldestHeldMs } = data.waiting
  const missedCallbacks = calls?.waiting.missedCallbacks.count ?? 0
  const long = calls?.waiting.long.count ?? 0
  const goesNowhere = !crm && calls === null
  // Without a CRM, nobody can resend them.
  const failed = crm ? dead.count : 0
  return (
    <Card title="Needs attention" className={`2xl:col-span-3 ${calls ? 'md:col-span-2' : 'lg:col-span-3'}`}>
      {goesNowhere ? (
        <p className="mb-3 flex items-start gap-2 font-bold">
          <Icon name="alert" className="mt-1" />
          No CRM is connected. Leads are saved here but not sent anywhere.
        </p>
      ) : null}
      {held.count + failed + missedCallbacks + long === 0 ? (
        <p className="flex items-start gap-2.5 py-2">
          <Icon name="done" size={22} className="mt-0.5 text-action-strong" />
          {calls
            ? 'All clear: no missed callbacks, no long waits, no leads on hold.'
            : 'All clear: no leads on hold, no failed deliveries.'}
        </p>
      ) : (
        <ul className="-mx-2 flex flex-col gap-1.5">
          <AttentionItem
            count={missedCallbacks}
            href="/calls?only=missed"
            icon="phone"
            tone={red}
            text={missedCallbacks === 1 ? 'missed callback still to make' : 'missed callbacks still to make'}
            note="More than 15 minutes late"
          />
          <AttentionItem
            count={long}
            href="/calls?only=waiting"
            icon="clock"
            tone={red}
            text={long === 1 ? 'person waiting over 30 minutes' : 'people waiting over 30 minutes'}
            note="Never called; counts calling hours only"
          />
          <AttentionItem
            count={held.count}
            href={hrefOfFilter(held.filter)}
            icon="hand"
            tone={amber}
            text={held.count === 1 ? 'lead on hold for review' : 'leads on hold for review'}
            note={`Longest wait: ${oldestHeldMs < 60_000 ? 'less than a minute' : formatDuration(oldestHeldMs)}`}
          />
          <AttentionItem
            count={failed}
            href={hrefOfFilter(dead.filter)}
            icon="alert"
            tone={red}
            text={failed === 1 ? 'delivery failed' : 'deliveries failed'}
            note={`All attempts failed. Resend ${failed === 1 ? 'it' : 'them'}.`}
          />
        </ul>
      )}
    </Card>
  )
}

interface AttentionItemProps {
  readonly count: number
  readonly href: string
  readonly icon: IconName
  readonly tone: string
  readonly text: string
  readonly note: string
}

function AttentionItem({ count, href, icon, tone, text, note }: AttentionItemProps) {
  if (count === 0) return null
  return (
    <li>
      <Link href={href} className="flex items-center gap-3 rounded-xl p-2 hover:bg-mist">
        <span className={`grid size-11 shrink-0 place-items-center rounded-full border @max-[14rem]:hidden ${tone}`}>
          <Icon name={icon} size={20} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-bold">
            <span className="text-title">{formatNumber(count)}</span> {text}
          </span>
          <span className="block text-small text-ink-soft">{note}</span>
        </span>
        <Icon name="chevron-right" className="text-ink-soft @max-[14rem]:hidden" />
      </Link>
    </li>
  )
}

/** A number that opens its list: as many leads as it says. */
export function FigureLink({
  figure: { count, filter },
  className = '',
  children = formatNumber(count),
}: {
  readonly figure: Figure
  readonly className?: string
  readonly children?: ReactNode
}) {
  if (count === 0 || filter === null) return <>{children}</>
  return (
    <Link
      href={hrefOfFilter(filter)}
      className={`underline decoration-edge underline-offset-4 hover:decoration-2 hover:decoration-action ${className}`}
    >
      {children}
    </Link>
  )
}
