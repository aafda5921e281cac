/** What waits for a person: the first thing to do in the morning. */
import { ChevronRight, CircleCheck, Hand, type LucideIcon, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { Figure, TodayAnswer } from '../../api/today.ts'
import { hrefOfFilter } from '../leads-address.ts'
import { span } from '../times.ts'
import { Card } from '../ui/card.tsx'
import { figure } from '../words/figures.ts'

export function Waiting({ data: { waiting } }: { readonly data: TodayAnswer }) {
  const { held, dead, oldestHeldMs } = waiting
  return (
    <Card title="Waits for you" className="h-full">
      {held.count + dead.count === 0 ? (
        <p className="flex items-start gap-2.5 py-2">
          <CircleCheck aria-hidden size={22} className="mt-0.5 shrink-0 text-action-strong" />
          Nothing: no lead is held, and none failed to arrive.
        </p>
      ) : (
        <ul className="-mx-2 flex flex-col gap-1.5">
          <Line
            of={held}
            icon={Hand}
            tone="border-amber-edge bg-amber text-amber-ink"
            text={held.count === 1 ? 'lead is held for a look' : 'leads are held for a look'}
            note={oldestHeldMs < 60_000 ? 'The oldest came just now' : `The oldest has waited ${span(oldestHeldMs)}`}
          />
          <Line
            of={dead}
            icon={TriangleAlert}
            tone="border-error bg-error-soft text-error"
            text={dead.count === 1 ? 'lead did not arrive' : 'leads did not arrive'}
            note="Every attempt failed: send them again"
          />
        </ul>
      )}
    </Card>
  )
}

interface LineProps {
  readonly of: Figure
  readonly icon: LucideIcon
  readonly tone: string
  readonly text: string
  readonly note: string
}

function Line({ of, icon: Icon, tone, text, note }: LineProps) {
  if (of.count === 0) return null
  return (
    <li>
      <Link href={hrefOfFilter(of.filter)} className="flex items-center gap-3 rounded-xl p-2 hover:bg-mist">
        <span className={`grid size-11 shrink-0 place-items-center rounded-full border @max-[14rem]:hidden ${tone}`}>
          <Icon aria-hidden size={20} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-bold">
            <span className="text-title">{figure(of.count)}</span> {text}
          </span>
          <span className="block text-small text-ink-soft">{note}</span>
        </span>
        <ChevronRight aria-hidden size={18} className="shrink-0 text-ink-soft @max-[14rem]:hidden" />
      </Link>
    </li>
  )
}
