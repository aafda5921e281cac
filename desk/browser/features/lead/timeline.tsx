/** Everything that's happened to a lead and who did it, newest first. */
import { useState } from 'react'
import { placeLabel } from '../../../../domain/calling/area-codes.ts'
import { removalAskerNames, removalAskers } from '../../../../domain/do-not-call.ts'
import { languageName } from '../../../../domain/languages.ts'
import { leadActions } from '../../../../domain/lead-actions.ts'
import { describeErasureReason, describeOutcome } from '../../../../domain/lead-states.ts'
import type { Lead } from '../../client.ts'
import { explainHoldReason } from '../../format/states.tsx'
import { formatDuration, useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

type Entry = Lead['timeline'][number]

interface EventDescription {
  readonly text: string
  readonly note?: string
  readonly icon: IconName
  readonly tone: keyof typeof tones
}

const tones = {
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
  const isView = ({ event }: Entry) => event === 'looked'
  const views = lead.timeline.filter(isView).length
  const entries = lead.timeline.filter(entry => withViews || !isView(entry)).toReversed()
  return (
    <Card
      title="History"
      note="Newest first."
      aside={
        views === 0 ? null : (
          <Button
            kind="quiet"
            className="-my-2 print:hidden"
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
          const { text, note = '', icon, tone } = describeEvent(entry, lead, times)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: events in the same millisecond may be otherwise identical.
            <li key={`${entry.at}-${entry.event}-${entries.length - index}`} className="relative flex gap-3">
              <span className={`grid size-8 shrink-0 place-items-center rounded-full border ${tones[tone]}`}>
                <Icon name={icon} size={16} />
              </span>
              <div className="min-w-0 flex-1 pt-0.5">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                  <span className={tone === 'quiet' ? '' : 'font-bold'}>
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
      {entries.length > INITIALLY_SHOWN && !all ? (
        <Button kind="quiet" className="mt-3 print:hidden" onClick={() => setAll(true)}>
          Show all {entries.length}
        </Button>
      ) : null}
    </Card>
  )
}

function describeEvent(entry: Entry, lead: Lead, times: ReturnType<typeof useTimes>): EventDescription {
  const { event, detail } = entry
  if (event === 'received') return describeReceived(entry)
  if (event === 'delivered') return { text: 'Delivered', note: describeAttempt(entry), icon: 'check', tone: 'good' }
  if (event === 'delivery failed') {
    return { text: 'Delivery attempt failed', note: describeAttempt(entry), icon: 'alert', tone: 'bad' }
  }
  if (event === 'delivery dead') {
    return { text: 'Gave up after the last retry', note: describeAttempt(entry), icon: 'alert', tone: 'bad' }
  }
  if (event === 'looked') return { text: 'Viewed', icon: 'eye', tone: 'quiet' }
  if (event === 'exported') return { text: 'Exported', icon: 'download', tone: 'quiet' }
  if (event === 'held') {
    return { text: 'Put on hold', note: explainHoldReason(String(detail['heldReason'])), icon: 'hand', tone: 'plain' }
  }
  if (event === 'delivery stopped') {
    return { text: 'Won’t be sent: on the do-not-call list', icon: 'phone-off', tone: 'plain' }
  }
  if (event in crmEvents) {
    const note = crmMessages[String(detail['type'])] ?? ''
    return { text: crmEvents[event] ?? '', note, icon: event === 'event failed' ? 'alert' : 'send', tone: 'plain' }
  }
  if (event === 'confirmed do not call') {
    return { text: 'Asked again not to be called: was already on the list', icon: 'phone-off', tone: 'plain' }
  }
  if (event === 'place set') {
    const place = detail['place'] === null ? 'use the area code' : placeLabel(String(detail['place']))
    return { text: `State set: ${place}`, icon: 'dot', tone: 'plain' }
  }
  if (event === 'language set') {
    return { text: `Language set: ${languageName(String(detail['language']))}`, icon: 'dot', tone: 'plain' }
  }
  if (event === 'replaced') {
    const text = detail['corrected'] ? 'Number corrected by the visitor' : 'Replaced by this person’s newer lead'
    return { text, icon: 'dot', tone: 'plain' }
  }
  if (event === 'corrected') {
    const names = String(detail['fields'])
      .split(' ')
      .map(name => fieldNames[name] ?? name)
    return { text: `Corrected: ${names.join(', ')}`, icon: 'dot', tone: 'plain' }
  }
  if (event === 'corrects the number') return { text: 'Sent again with another number', icon: 'dot', tone: 'plain' }
  if (event === 'time preferred') {
    const note = `${times.short(Number(detail['from']))} to ${times.time(Number(detail['until']))}`
    return { text: 'Chose a time for the first call', note, icon: 'clock', tone: 'plain' }
  }
  const action = Object.values(leadActions).find(each => each.event === event)
  if (!action) return { text: capitalize(event), icon: 'dot', tone: 'plain' }
  const contact = { email: 'Email ', phone: 'Phone number ' }[String(detail['contact'])] ?? ''
  const repeated = detail['repeatedBy'] ? ' (same person submitted again)' : ''
  const reason =
    event === 'rejected'
      ? lead.rejectedReason
      : (describeRemoval(detail) ?? describeErasureReason(String(detail['because'] ?? '')))
  return {
    text: `${contact}${action.timeline}${repeated}`,
    note: reason ? `Reason: ${reason}` : '',
    icon: action.icon,
    tone: event === 'released' ? 'good' : action.confirm ? 'plain' : 'quiet',
  }
}

const fieldNames: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  email: 'email',
  phone: 'phone number',
}

/** Events about the lead that the CRM is to hear. */
const crmEvents: Readonly<Record<string, string>> = {
  'event delivered': 'Update delivered to your CRM',
  'event failed': 'Update to your CRM failed',
  'event resent': 'Update to your CRM queued again',
  'event dismissed': 'Told the CRM by hand',
}
const crmMessages: Readonly<Record<string, string>> = {
  'lead.do_not_call': 'Stop calling',
  'lead.called': 'Outcome of a call',
  'lead.corrected': 'Corrected contact details',
}

/** Who asked for a removal from the do-not-call list, and when. */
function describeRemoval({ askedBy, askedOn }: Entry['detail']): string | null {
  const asker = removalAskerNames.find(name => name === askedBy)
  return asker ? `${removalAskers[asker]}, ${askedOn}` : null
}

function describeReceived({ detail, by }: Entry): EventDescription {
  const base = { icon: 'inbox', tone: 'received' } as const
  if (by !== null) return { ...base, text: 'Called us; added' }
  if (detail['state'] === 'held') {
    return { ...base, text: 'Received and put on hold', note: explainHoldReason(String(detail['heldReason'])) }
  }
  return { ...base, text: detail['state'] === 'repeat' ? 'Received again from the same person' : 'Received' }
}

function describeAttempt({ attempt, detail }: Entry): string {
  if (!attempt) return capitalize(describeOutcome(String(detail['outcome'] ?? '')))
  const { outcome, status, durationMs } = attempt
  const text =
    outcome === 'delivered'
      ? 'Accepted by your CRM'
      : status !== null && outcome.endsWith(`answered ${status}`)
        ? `Your CRM returned error ${status}`
        : capitalize(describeOutcome(outcome))
  return `${text} (${formatDuration(durationMs)})`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
