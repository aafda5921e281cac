/** What happened to a lead, in plain words. */
import type { LeadAnswer, TimelineEntry } from '../../api/lead.ts'
import { counted } from '../words/figures.ts'
import { heldReasonInWords } from '../words/states.tsx'

export type EventKind = 'received' | 'good' | 'bad' | 'person' | 'neutral'

export interface EventInWords {
  readonly text: string
  readonly note: string
  readonly kind: EventKind
}

type InWords = (entry: TimelineEntry, lead: LeadAnswer) => EventInWords

const plainly = (text: string, kind: EventKind, note = ''): EventInWords => ({ text, note, kind })
const said = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : `${value}`)

/** Each is put there with a line of its own. */
const contactIn = (detail: TimelineEntry['detail']) =>
  detail['contact'] === 'email' ? 'E-mail address' : 'Phone number'

const events: Readonly<Record<string, InWords>> = {
  received: ({ detail }) => {
    const state = said(detail['state'])
    if (state === 'held')
      return plainly('Received, and held', 'received', heldReasonInWords(said(detail['heldReason'])))
    if (state === 'repeat') return plainly('Received: the same person again', 'received')
    return plainly('Received', 'received')
  },
  released: ({ detail }) =>
    plainly(detail['was'] === 'rejected' ? 'Released after all' : 'Released: it may be delivered', 'good'),
  rejected: (_, { rejectedReason }) => plainly('Rejected', 'neutral', rejectedReason ?? ''),
  replaced: () => plainly('Replaced by a later lead of the same person', 'neutral'),
  'put into the outbox again': ({ detail }) =>
    plainly(detail['repeatedBy'] ? 'To be sent again: the person came back' : 'To be sent again', 'neutral'),
  delivered: ({ attempt }) => plainly('Delivered', 'good', attempt ? answerOf(attempt) : ''),
  'delivery failed': ({ attempt, detail }) =>
    plainly('An attempt to deliver it failed', 'bad', attempt ? answerOf(attempt) : said(detail['outcome'])),
  'delivery dead': ({ attempt, detail }) =>
    plainly('Given up: it did not arrive', 'bad', attempt ? answerOf(attempt) : said(detail['outcome'])),
  erased: ({ detail }) =>
    plainly('Erased', 'neutral', detail['because'] ? `Because of ${said(detail['because'])}` : ''),
  looked: () => plainly('Looked at', 'person'),
  exported: () => plainly('Exported', 'person'),
  suppressed: ({ detail }) => plainly(`${contactIn(detail)} put on the do-not-call list`, 'person'),
  unsuppressed: ({ detail }) => plainly(`${contactIn(detail)} taken off the do-not-call list`, 'person'),
  'note added': () => plainly('Note written', 'person'),
  'note removed': () => plainly('Note removed', 'person'),
}

function answerOf({ outcome, status, durationMs }: NonNullable<TimelineEntry['attempt']>): string {
  const seconds = durationMs < 1000 ? `${durationMs} ms` : counted(Math.round(durationMs / 1000), 'second')
  const what =
    outcome === 'delivered'
      ? status === null
        ? 'The webhook took it'
        : `The webhook answered ${status}`
      : capitalized(outcome)
  return `${what}, after ${seconds}`
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function inWords(entry: TimelineEntry, lead: LeadAnswer): EventInWords {
  return events[entry.event]?.(entry, lead) ?? plainly(capitalized(entry.event), 'neutral')
}
