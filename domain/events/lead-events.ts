/**
 * What happens to leads, one entry per kind: its fields, and its words for the timeline, the contact record, and exports. A lead's
 * history survives an erasure, so fields never contain personal data. Stored names never change; words can.
 */
import { placeLabel } from '../calling/area-codes.ts'
import { fieldLabel } from '../contact/contact-fields.ts'
import { calendarDay } from '../dates.ts'
import { languageName } from '../languages.ts'
import type { Certificate } from '../leads/certificate.ts'
import { describeHoldReason } from '../leads/hold-reasons.ts'
import { describeErasureReason, describeOutcome } from '../leads/lead-states.ts'
import { type CrmUpdate, crmUpdates } from './crm-updates.ts'
import { type ListChange, type ListChangeRequest, listChangeReason, listChangeText } from './list-changes.ts'

/** `by`: who did it, unless the entry says otherwise. */
interface Fields {
  /** `by`: who entered it, for someone who called us, or answered our call. */
  received: {
    state: string
    certificate: Certificate['kind']
    by?: string
    answered?: true
    heldReason?: string
    repeatOf?: string
  }
  /** `was`: if it had been rejected before. */
  released: { heldReason: string | null; was?: 'rejected'; by: string }
  rejected: { heldReason: string | null; by: string }
  /** `repeatedBy`: the same person's lead that brought it back. */
  'put into the outbox again': { was: string; by?: string; repeatedBy?: string }
  suppressed: ChangeOfList
  unsuppressed: ChangeOfList
  'confirmed do not call': ChangeOfList
  'undid do not call': ChangeOfList
  'put back on do-not-call list': ChangeOfList
  erased: { cancelledDelivery: CanceledDelivery | null; by: string; because?: 'restored backup' | 'retention' }
  'note added': ByStaff
  'note removed': ByStaff
  'note restored': ByStaff
  'call note added': ByStaff
  looked: ByStaff
  'record downloaded': ByStaff
  /** `from`: who had it open. */
  'call taken over': { by: string; from: string }
  'call skipped': ByStaff
  /** `from`: whose it was; since 0.9.0. */
  'callback given': { by: string; from?: string; to: string }
  /** Null: where the area code is. */
  'place set': { by: string; place: string | null }
  'language set': { by: string; language: string }
  'time preferred': { from: number; until: number }
  /** `fields`: their names, separated by spaces. */
  corrected: { by: string; fields: string }
  /** `lead`: the one with the number before. `by`: the agent who corrected it, if it wasn't the visitor. */
  'corrects the number': { lead: string; by?: string }
  /** `on`: the day, such as 2030-01-31. `call`: the ID of the outcome that it was saved with. */
  client: { on: string; by: string; call?: string }
  'client undone': { on: string; by: string }
  /** `by`: the lead that took its place. `correctedBy`: as above. */
  replaced: { by: string; corrected?: 'phone'; correctedBy?: string; cancelledDelivery?: CanceledDelivery }
  delivered: Attempted
  'delivery failed': Attempted
  'delivery dead': Attempted
  'event delivered': { type: CrmUpdate; attempt: number; outcome: string }
  'event failed': { type: CrmUpdate; attempt: number; outcome: string }
  'event resent': { type: CrmUpdate; by: string }
  'event dismissed': { type: CrmUpdate; by: string }
  /** To the visitor, that we have their request. */
  'letter sent': object
  'letter failed': object
  'letter resent': ByStaff
  'letter dismissed': ByStaff
}

/** Written by earlier versions only. */
interface OldFields {
  held: { heldReason: string; cancelledDelivery?: CanceledDelivery | null; by?: string }
  exported: ByStaff
}

interface ByStaff {
  by: string
}

interface ChangeOfList extends ListChangeRequest {
  contact: 'phone' | 'email'
  by: string | null
}

/** A delivery that was in flight during an erasure has no number. */
type Attempted = { attempt?: number; outcome: string; nextAt?: number; afterErasure?: 'true' }

/**
 * `under way`: it was being sent. `interrupted`: the worker that sent it was stopped, so nobody knows whether it arrived. Either way,
 * the lead may have been sent.
 */
export type CanceledDelivery = 'pending' | 'dead' | 'under way' | 'interrupted'

export type LeadEventFields = Fields & OldFields
export type LeadEventKind = keyof LeadEventFields
/** JSON leaves out what's undefined. */
type Stored<Of> = { readonly [Name in keyof Of]: Of[Name] | (object extends Pick<Of, Name> ? undefined : never) }
type EventIn<Kinds> = { [Kind in keyof Kinds]: { readonly kind: Kind } & Stored<Kinds[Kind]> }[keyof Kinds]
/** What can be written to a lead's history. */
export type NewLeadEvent = EventIn<Fields>
export type LeadEvent = EventIn<LeadEventFields>

/** How the reader's page shows times: "Mar 2, 10:00 AM to 12:00 PM." */
export type FormatPeriod = (from: number, until: number) => string

interface Entry<Of> {
  /** "Approved," by Maria Lopez. */
  readonly text: string | ((fields: Of) => string)
  readonly note?: (fields: Of, period: FormatPeriod) => string | null
  readonly icon:
    | 'ban'
    | 'check'
    | 'alert'
    | 'clock'
    | 'dot'
    | 'download'
    | 'eraser'
    | 'eye'
    | 'hand'
    | 'inbox'
    | 'note'
    | 'phone'
    | 'phone-off'
    | 'send'
  readonly tone: 'received' | 'good' | 'bad' | 'quiet' | 'plain'
  /** Who did it, if that isn't `by`. */
  readonly who?: (fields: Of) => string | null
  /** Tells a colleague who decided later: "Maria Lopez rejected this at 1:13 PM." */
  readonly did?: string
  /** Whether it's in the contact record and in the CSV: it says whom we call, where, or who's in charge. */
  readonly recorded?: (fields: Of) => boolean
  /** Doesn't move the desk's change mark: nobody's page shows it, so nobody's page has to reload. */
  readonly quiet?: true
}

const always = () => true
const note = { icon: 'note', tone: 'quiet' } as const
const plain = { icon: 'dot', tone: 'plain' } as const
const listChange = (change: ListChange) => ({
  text: ({ contact, stays }: ChangeOfList) => listChangeText(change, contact, stays),
  note: (request: ChangeOfList) => {
    const text = listChangeReason(change, request)
    return text === null || change !== 'removed' ? text : reason(text)
  },
})
const reason = (text: string) => `Reason: ${text}`
const held = (stored: string | null | undefined) => (stored ? describeHoldReason(stored).explanation : null)
const outcomeNote = ({ outcome }: { readonly outcome: string }) => capitalize(describeOutcome(outcome))
const updateNote = ({ type }: { readonly type: CrmUpdate }) => crmUpdates[type] ?? type

const entries: { readonly [Kind in LeadEventKind]: Entry<LeadEventFields[Kind]> } = {
  received: {
    text: ({ by, answered, state }) => {
      if (by !== undefined) return answered ? 'Answered a call we made; added' : 'Called us; added'
      if (state === 'held') return 'Received and put on hold'
      return state === 'repeat' ? 'Received again from the same person' : 'Received'
    },
    note: ({ by, state, heldReason }) => (by === undefined && state === 'held' ? held(heldReason) : null),
    icon: 'inbox',
    tone: 'received',
  },
  released: { text: 'Approved', did: 'approved this', icon: 'check', tone: 'good' },
  rejected: { text: 'Rejected', did: 'rejected this', icon: 'ban', tone: 'plain' },
  'put into the outbox again': {
    text: ({ repeatedBy }) => (repeatedBy ? 'Resent (same person submitted again)' : 'Resent'),
    did: 'resent this',
    icon: 'send',
    tone: 'plain',
  },
  suppressed: {
    ...listChange('added'),
    did: 'added this person to the do-not-call list',
    icon: 'phone-off',
    tone: 'plain',
  },
  unsuppressed: {
    ...listChange('removed'),
    did: 'removed this person from the do-not-call list',
    icon: 'phone',
    tone: 'plain',
  },
  'confirmed do not call': { ...listChange('confirmed'), icon: 'phone-off', tone: 'plain' },
  'undid do not call': {
    ...listChange('undone'),
    did: 'took back the do-not-call entry',
    icon: 'phone',
    tone: 'quiet',
  },
  'put back on do-not-call list': {
    ...listChange('restored'),
    did: 'put this person back on the do-not-call list',
    icon: 'phone-off',
    tone: 'plain',
  },
  erased: {
    text: 'Erased',
    note: ({ because }) => (because ? reason(describeErasureReason(because)) : null),
    did: 'erased this person’s data',
    icon: 'eraser',
    tone: 'plain',
  },
  'note added': { text: 'Note added', ...note },
  'note removed': { text: 'Note deleted', ...note },
  'note restored': { text: 'Note restored', ...note },
  'call note added': { text: 'Note added on a call', quiet: true, ...note },
  looked: { text: 'Viewed', icon: 'eye', tone: 'quiet', quiet: true },
  'record downloaded': { text: 'Contact record downloaded', icon: 'download', tone: 'plain' },
  'call taken over': {
    text: ({ from }) => `Call taken over from ${from}`,
    recorded: always,
    ...plain,
  },
  'callback given': {
    text: ({ by, from = by, to }) => `${from === by ? 'Callback' : `${from}’s callback`} given to ${to}`,
    recorded: always,
    ...plain,
  },
  'call skipped': { text: 'Call skipped', quiet: true, ...plain },
  'place set': {
    text: ({ place }) => `State set: ${place === null ? 'from the area code' : placeLabel(place)}`,
    recorded: always,
    ...plain,
  },
  'language set': {
    text: ({ language }) => `Language set: ${languageName(language)}`,
    recorded: always,
    ...plain,
  },
  'time preferred': {
    text: 'Chose a time for the first call',
    note: ({ from, until }, period) => period(from, until),
    icon: 'clock',
    tone: 'plain',
  },
  corrected: {
    text: ({ fields }) => `Corrected: ${fields.split(' ').map(fieldLabel).join(', ').toLowerCase()}`,
    // Other fields are in the record's list of corrections.
    recorded: ({ fields }) => fields.split(' ').includes('phone'),
    ...plain,
  },
  'corrects the number': { text: 'Number corrected', who: ({ by }) => by ?? 'the visitor', ...plain },
  replaced: {
    text: ({ corrected }) => (corrected ? 'Number corrected' : 'Replaced by this person’s newer lead'),
    who: ({ corrected, correctedBy = 'the visitor' }) => (corrected ? correctedBy : null),
    recorded: ({ corrected }) => corrected === 'phone',
    ...plain,
  },
  client: {
    text: ({ on }) => `Became a client on ${calendarDay(on)}`,
    did: 'marked this person as a client',
    recorded: always,
    icon: 'check',
    tone: 'good',
  },
  'client undone': {
    text: ({ on }) => `Undone: became a client on ${calendarDay(on)}`,
    did: 'took back that this person became a client',
    recorded: always,
    ...plain,
  },
  delivered: { text: 'Delivered', note: outcomeNote, icon: 'check', tone: 'good' },
  'delivery failed': { text: 'Delivery attempt failed', note: outcomeNote, icon: 'alert', tone: 'bad' },
  'delivery dead': { text: 'Gave up after the last retry', note: outcomeNote, icon: 'alert', tone: 'bad' },
  'event delivered': { text: 'Update delivered to your CRM', note: updateNote, icon: 'send', tone: 'plain' },
  'event failed': { text: 'Update to your CRM failed', note: updateNote, icon: 'alert', tone: 'plain' },
  'event resent': { text: 'Update to your CRM queued again', note: updateNote, icon: 'send', tone: 'plain' },
  'event dismissed': { text: 'Told the CRM by hand', note: updateNote, icon: 'send', tone: 'plain' },
  'letter sent': { text: 'Email sent: we have the request', recorded: always, icon: 'send', tone: 'plain' },
  'letter failed': { text: 'Email not sent: we have the request', icon: 'alert', tone: 'plain' },
  'letter resent': { text: 'Email queued again', icon: 'send', tone: 'plain' },
  'letter dismissed': { text: 'Email dismissed', icon: 'send', tone: 'plain' },
  held: { text: 'Put on hold', note: ({ heldReason }) => held(heldReason), icon: 'hand', tone: 'plain' },
  exported: { text: 'Exported', icon: 'download', tone: 'quiet', quiet: true },
}

const kinds = Object.keys(entries) as readonly LeadEventKind[]
export const quietEvents = kinds.filter(kind => entries[kind].quiet)
/** Kinds of which some or all are in the contact record. */
export const recordedEvents = kinds.filter(kind => entries[kind].recorded)

/** What was sent, or not. */
export const isAboutCrm = (kind: string): boolean => /^(delivered$|delivery |event |put into the outbox)/.test(kind)

/** A line of a lead's history as stored: our own JSON, perhaps of a kind that only a newer version knows. */
export const readLeadEvent = (line: { readonly event: string; readonly detail: string }): LeadEvent => ({
  ...JSON.parse(line.detail),
  kind: line.event,
})

export interface EventDescription extends Pick<Entry<unknown>, 'icon' | 'tone'> {
  readonly text: string
  readonly note: string | null
  readonly by: string | null
}

export function describeLeadEvent(event: LeadEvent, period: FormatPeriod): EventDescription {
  const entry = entryOf(event)
  if (!entry) return { ...plain, text: capitalize(event.kind), note: null, by: doneBy(event) }
  const { text, note, icon, tone } = entry
  return {
    text: typeof text === 'string' ? text : text(event),
    note: note?.(event, period) ?? null,
    icon,
    tone,
    by: doneBy(event),
  }
}

/** Who did it. Null if nobody did, or if it wasn't recorded. */
export function doneBy(event: LeadEvent): string | null {
  const who = entryOf(event)?.who
  if (who) return who(event)
  return 'by' in event ? (event.by ?? null) : null
}

/** What someone decided: "rejected this." Null if it's not a decision. */
export const decisionIn = (event: LeadEvent): string | null => entryOf(event)?.did ?? null

export const isRecorded = (event: LeadEvent): boolean => entryOf(event)?.recorded?.(event) ?? false

/** A delivery was attempted. */
export const isAttempt = ({ kind }: LeadEvent): boolean =>
  kind === 'delivered' || kind === 'delivery failed' || kind === 'delivery dead'

/** TypeScript can't see that an entry takes the fields of its kind. */
const entryOf = (event: LeadEvent) =>
  Object.hasOwn(entries, event.kind) ? (entries[event.kind] as Entry<LeadEvent>) : undefined

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
