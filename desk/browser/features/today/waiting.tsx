/** What needs a person: the first thing to do in the morning. */
import { Link } from 'wouter'
import type { Today } from '../../client.ts'
import { hrefOfFilter } from '../../leads-address.ts'
import { span } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { figure } from '../../words/figures.ts'

export function Waiting({ data: { waiting } }: { readonly data: Today }) {
  const { held, dead, oldestHeldMs } = waiting
  return (
    <Card title="Needs attention" className="h-full">
      {held.count + dead.count === 0 ? (
        <p className="flex items-start gap-2.5 py-2">
          <Icon name="done" size={22} className="mt-0.5 text-action-strong" />
          Nothing. No leads on hold, no failed deliveries.
        </p>
      ) : (
        <ul className="-mx-2 flex flex-col gap-1.5">
          <Line
            of={held}
            icon="hand"
            tone="border-amber-edge bg-amber text-amber-ink"
            text={held.count === 1 ? 'lead on hold for review' : 'leads on hold for review'}
            note={oldestHeldMs < 60_000 ? 'Oldest: just now' : `Oldest: ${span(oldestHeldMs)} ago`}
          />
          <Line
            of={dead}
            icon="alert"
            tone="border-error bg-error-soft text-error"
            text={dead.count === 1 ? 'delivery failed' : 'deliveries failed'}
            note="All attempts failed. Resend them."
          />
        </ul>
      )}
    </Card>
  )
}

interface LineProps {
  readonly of: Today['waiting']['held']
  readonly icon: IconName
  readonly tone: string
  readonly text: string
  readonly note: string
}

function Line({ of, icon, tone, text, note }: LineProps) {
  if (of.count === 0) return null
  return (
    <li>
      <Link href={hrefOfFilter(of.filter)} className="flex items-center gap-3 rounded-xl p-2 hover:bg-mist">
        <span className={`grid size-11 shrink-0 place-items-center rounded-full border @max-[14rem]:hidden ${tone}`}>
          <Icon name={icon} size={20} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-bold">
            <span className="text-title">{figure(of.count)}</span> {text}
          </span>
          <span className="block text-small text-ink-soft">{note}</span>
        </span>
        <Icon name="chevron-right" className="text-ink-soft @max-[14rem]:hidden" />
      </Link>
    </li>
  )
}
