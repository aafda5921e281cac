/** Everything that happened, the latest first, in plain words and with who did it. */
import {
  Check,
  CircleDot,
  Download,
  Eye,
  Inbox,
  type LucideIcon,
  NotebookPen,
  Phone,
  PhoneOff,
  TriangleAlert,
  UserRound,
} from 'lucide-react'
import { useState } from 'react'
import type { LeadAnswer } from '../../api/lead.ts'
import { useTimes } from '../times.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { type EventKind, inWords } from './events.ts'

const icons: Readonly<Record<EventKind, LucideIcon>> = {
  received: Inbox,
  good: Check,
  bad: TriangleAlert,
  person: UserRound,
  neutral: CircleDot,
}

/** What people did is more than that they looked. */
const iconsOfActs: Readonly<Record<string, LucideIcon>> = {
  looked: Eye,
  exported: Download,
  suppressed: PhoneOff,
  unsuppressed: Phone,
  'note added': NotebookPen,
  'note removed': NotebookPen,
}

const tones: Readonly<Record<EventKind, string>> = {
  received: 'border-action bg-action text-on-action',
  good: 'border-action bg-sage text-action-strong',
  bad: 'border-error bg-error-soft text-error',
  person: 'border-line bg-card text-ink-soft',
  neutral: 'border-edge bg-card text-ink',
}

const FEW = 12

export function Timeline({ lead }: { readonly lead: LeadAnswer }) {
  const times = useTimes()
  const [all, setAll] = useState(false)
  const entries = lead.timeline.toReversed()
  const shown = all ? entries : entries.slice(0, FEW)
  return (
    <Card title="What happened" note="The latest first.">
      <ol className="relative flex flex-col gap-4 before:absolute before:bottom-3 before:left-[0.9375rem] before:top-3 before:w-px before:bg-line">
        {shown.map((entry, index) => {
          const { text, note, kind } = inWords(entry, lead)
          const Icon = iconsOfActs[entry.event] ?? icons[kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two events of one millisecond have nothing else apart.
            <li key={`${entry.at}-${entry.event}-${entries.length - index}`} className="relative flex gap-3">
              <span className={`grid size-8 shrink-0 place-items-center rounded-full border ${tones[kind]}`}>
                <Icon aria-hidden size={16} />
              </span>
              <div className="min-w-0 flex-1 pt-0.5">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className={kind === 'person' ? '' : 'font-bold'}>
                    {text}
                    {entry.by === null ? '' : <span className="font-normal"> by {entry.by}</span>}
                  </span>
                  <time
                    dateTime={new Date(entry.at).toISOString()}
                    title={times.full(entry.at)}
                    className="text-small text-ink-soft"
                  >
                    {times.short(entry.at)}
                  </time>
                </p>
                {note === '' ? null : <p className="text-small text-ink-soft">{note}</p>}
              </div>
            </li>
          )
        })}
      </ol>
      {entries.length > FEW && !all ? (
        <Button kind="quiet" className="mt-3" onClick={() => setAll(true)}>
          Show all {entries.length}
        </Button>
      ) : null}
    </Card>
  )
}
