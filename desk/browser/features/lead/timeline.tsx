/** Everything that's happened to a lead and who did it, newest first. */
import { useState } from 'react'
import { describeLeadEvent, type EventDescription, isAboutCrm } from '../../../../domain/events/lead-events.ts'
import { onlyCalls } from '../../../routes.ts'
import type { Lead } from '../../client.ts'
import { explainFailure } from '../../format/states.tsx'
import { useSession } from '../../session.ts'
import { formatDuration, useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'

type Entry = Lead['timeline'][number]
type Times = ReturnType<typeof useTimes>

const tones: Readonly<Record<EventDescription['tone'], string>> = {
  received: 'border-action bg-action text-on-action',
  good: 'border-action bg-sage text-action-strong',
  bad: 'border-error bg-error-soft text-error',
  quiet: 'border-line bg-card text-ink-soft',
  plain: 'border-edge bg-card text-ink',
}

const INITIALLY_SHOWN = 12

export function Timeline({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const [all, setAll] = useState(false)
  const [withViews, setWithViews] = useState(false)
  const isView = ({ event }: Entry) => event.kind === 'looked'
  const callsOnly = onlyCalls(useSession())
  const views = lead.timeline.filter(isView).length
  const entries = lead.timeline
    .filter(entry => (withViews || !isView(entry)) && !(callsOnly && isAboutCrm(entry.event.kind)))
    .toReversed()
  return (
    <Card
      title="History"
      note="Newest first."
      aside={
        views === 0 ? null : (
          <Button
            kind="quiet"
            className="-my-2 -mr-[min(1rem,16px)] print:hidden"
            aria-pressed={withViews}
            onClick={() => setWithViews(!withViews)}
          >
            {withViews ? 'Hide views' : `Show views (${views})`}
          </Button>
        )
      }
    >
      <ol className="relative flex flex-col gap-4 before:absolute before:bottom-3 before:left-[0.9375rem] before:top-3 before:w-px before:bg-line">
        {(all ? entries : entries.slice(0, INITIALLY_SHOWN)).map((entry, index) => {
          const { text, note, icon, tone, by } = descriptionOf(entry, lead, times)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: events in the same millisecond may be otherwise identical.
            <li key={`${entry.at}-${entry.event.kind}-${entries.length - index}`} className="relative flex gap-3">
              <span className={`grid size-8 shrink-0 place-items-center rounded-full border ${tones[tone]}`}>
                <Icon name={icon} size={16} />
              </span>
              <div className="min-w-0 flex-1 pt-0.5">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className={tone === 'quiet' ? '' : 'font-bold'}>
                    {text}
                    {by === null ? '' : <span className="font-normal"> by {by}</span>}
                  </span>
                  <time
                    dateTime={new Date(entry.at).toISOString()}
                    title={times.full(entry.at)}
                    className="text-small text-ink-soft"
                  >
                    {times.short(entry.at)}
                  </time>
                </p>
                {note === null ? null : <p className="text-small text-ink-soft">{note}</p>}
              </div>
            </li>
          )
        })}
      </ol>
      {entries.length > INITIALLY_SHOWN && !all ? (
        <Button kind="quiet" className="mt-3 print:hidden" onClick={() => setAll(true)}>
          Show all {entries.length}
        </Button>
      ) : null}
    </Card>
  )
}

function descriptionOf({ event, attempt }: Entry, { rejectedReason }: Lead, times: Times): EventDescription {
  const period = (from: number, until: number) => `${times.short(from)} to ${times.time(until)}`
  const described = describeLeadEvent(event, period)
  if (attempt) return { ...described, note: describeAttempt(attempt) }
  return event.kind === 'rejected' && rejectedReason ? { ...described, note: `Reason: ${rejectedReason}` } : described
}

function describeAttempt({ outcome, durationMs }: NonNullable<Entry['attempt']>): string {
  const text = outcome === 'delivered' ? 'Accepted by your CRM' : explainFailure(outcome)
  return `${text} (${formatDuration(durationMs)})`
}
