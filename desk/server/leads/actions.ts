/** Performs an action on one lead. If the action isn't possible, the error says why and what to do. */
import * as v from 'valibot'
import {
  type DoNotCall,
  type EnteredStop,
  parseDoNotCall,
  removalAskerNames,
  removalNotice,
} from '../../../domain/do-not-call/do-not-call.ts'
import {
  type BulkActionName,
  canChangeNote,
  canPerform,
  type LeadActionName,
  leadActions,
} from '../../../domain/leads/lead-actions.ts'
import { leadStates, stateNames } from '../../../domain/leads/lead-states.ts'
import type { DeskRole } from '../../../domain/roles.ts'
import { oneLine } from '../../../domain/text/text.ts'
import { describeLastDecision } from '../../../server/record/last-decision.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import type { Config } from '../../../server/settings/config.ts'
import { installationKey } from '../../../server/settings/installation-key.ts'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import {
  asOneRequest,
  type ContactKind,
  contactOfEntry,
  kindOf,
  listedContacts,
} from '../../../server/store/facts/do-not-call/stops.ts'
import type { LeadDetails } from '../../../server/store/facts/leads/lead-records.ts'
import type { UndoOrder } from '../../../server/store/operations/do-not-call/remove.ts'
import { ERASED_IN_LOG } from '../../../server/store/operations/leads/erasure.ts'
import type { SeenLead } from '../../../server/store/operations/leads/review.ts'
import type { Store } from '../../../server/store/store.ts'
import { MAX_NOTE_LENGTH } from '../../limits.ts'
import { ApiError, roleRequired } from '../api-error.ts'
import { contact, day, id, reason, requiredText } from '../fields.ts'
import { UNREADABLE } from '../request-body.ts'
import { clientOf } from './lead.ts'

/** Emails of other leads with the number. */
const MAX_OTHERS = 1000
const kinds = v.pipe(v.array(v.picklist(['email', 'phone'])), v.maxLength(2))
const contacts = v.pipe(kinds, v.minLength(1))
/** An entry as the list has it. */
export const listedEntry = v.pipe(contact, v.regex(/^[^\s\p{C}]+$/u))
/** The lead as the user saw it. A decision based on an outdated view is refused. */
const seen = v.object({
  state: v.picklist(leadStates),
  doNotCall: v.object({
    email: v.boolean(),
    phone: v.boolean(),
    others: v.optional(v.pipe(v.array(contact), v.maxLength(MAX_OTHERS)), []),
  }),
})
/** How someone asked not to be called. */
export const enteredStop: v.GenericSchema<EnteredStop> = v.variant('source', [
  v.object({ source: v.picklist(['call', 'desk']) }),
  v.object({ source: v.picklist(['letter', 'email']), askedOn: day }),
])
export const removalRequest = v.object({
  askedBy: v.picklist(removalAskerNames),
  askedOn: day,
})

/** `others`: emails of other leads with the number. */
const listed = { contacts: kinds, others: v.exactOptional(v.pipe(v.array(listedEntry), v.maxLength(MAX_OTHERS))) }

export const actionBody = v.variant('action', [
  v.object({ action: v.literal('approve'), seen }),
  v.object({ action: v.literal('reject'), seen, reason }),
  // A delivered lead is resent only if `again` is set.
  v.object({ action: v.literal('resend'), seen, again: v.exactOptional(v.boolean()) }),
  // `shown`: as the user saw them, because the lead may have been erased since. A request not to be called is never refused.
  v.object({
    action: v.literal('do not call'),
    seen,
    contacts,
    asked: v.exactOptional(enteredStop),
    shown: v.exactOptional(v.object({ phone: contact, email: contact })),
  }),
  v.object({ action: v.literal('client'), seen, on: day }),
  v.object({ action: v.literal('client undone'), seen }),
  v.object({ action: v.literal('undo do not call'), requestId: id }),
  v.object({ action: v.literal('allow calls'), seen, ...listed, request: removalRequest }),
  v.object({ action: v.literal('undo allow calls'), ...listed }),
  // The last name or the full ID. Names can be up to 10,000 characters long.
  v.object({ action: v.literal('erase'), seen, confirmation: v.pipe(v.string(), v.maxLength(20_000)) }),
  v.object({ action: v.literal('add note'), text: requiredText(MAX_NOTE_LENGTH) }),
  v.object({ action: v.literal('remove note'), note: id }),
  v.object({ action: v.literal('restore note'), note: id }),
])

type ActionRequest = v.InferOutput<typeof actionBody>

interface ActionServices {
  readonly store: Store
  readonly config: Pick<
    Config,
    'erasureKey' | 'dataDir' | 'timeZone' | 'webhookUrl' | 'webhookCalls' | 'callList' | 'visitorMail'
  >
}

type Perform<Name extends LeadActionName> = (
  services: ActionServices,
  lead: LeadDetails,
  request: Extract<ActionRequest, { action: Name }>,
  by: string,
  person: DeskPerson,
) => Promise<unknown>

interface Change {
  readonly ids: readonly string[]
  readonly by: string
  readonly seen: Readonly<Record<string, SeenLead>>
  readonly reason?: string
  readonly again?: boolean
  /** Whether there's a webhook. */
  readonly deliver: boolean
  /** Whether the desk calls it, and not only a CRM. */
  readonly callFromDesk: boolean
  readonly writeToVisitors: boolean
}

/** Actions that also work in bulk. Each returns how many leads changed: 0 if the action no longer applies. */
export const changes: { readonly [Name in BulkActionName]: (store: Store, change: Change) => Promise<number> } = {
  approve: (store, { reason: _, again: __, ...change }) => store.approve(change),
  reject: (store, { ids, by, seen, reason = '' }) => store.reject({ ids, by, seen, reason }),
  resend: (store, { ids, by, again = false }) => store.resend({ ids, by, again }),
}

const perform: { readonly [Name in LeadActionName]: Perform<Name> } = {
  async approve({ store, config }, lead, request, by) {
    if ((await changes.approve(store, changeOf(config, lead, request, by))) === 0) throw new Refused('approve')
  },
  async reject({ store, config }, lead, { reason, ...request }, by) {
    if ((await changes.reject(store, { ...changeOf(config, lead, request, by), reason })) === 0)
      throw new Refused('reject')
  },
  async resend({ store, config }, lead, { again = false, ...request }, by) {
    if ((await changes.resend(store, { ...changeOf(config, lead, request, by), again })) === 0)
      throw new Refused('resend')
  },
  async client({ store, config }, { id: leadId, receivedAt }, { on }, by) {
    const calendar = createCalendar(config.timeZone)
    const [first, last] = [receivedAt, await store.storeTime()].map(calendar.dateOf)
    if (on < `${first}` || on > `${last}`)
      throw new ApiError('bad request', 'Choose a day from when this lead came in until today.')
    if (!(await store.markClient({ leadId, on, by, announce: config.webhookCalls }))) throw new Refused('client')
  },
  async 'client undone'({ store, config }, { id: leadId }, _request, by) {
    if (!(await store.undoClient({ leadId, by, announce: config.webhookCalls }))) throw new Refused('client undone')
  },
  async 'do not call'({ store }, lead, { contacts: which, asked = { source: 'desk' }, shown }, by) {
    const isGone = lead.state === 'erased' && shown
    const given = isGone ? contactsShown(shown, which) : await contactsOfChain(store, lead, which)
    const { requestId, contacts } = asOneRequest(given)
    await store.addToDoNotCall({ leadId: lead.id, contacts, by, ...asked })
    return requestId
  },
  'undo do not call': (services, lead, { requestId }, by, { role }) =>
    undoDoNotCall(services, { leadId: lead.id, requestId, by }, role),
  async 'allow calls'({ store }, lead, { request, ...listed }, by, { role }) {
    const contacts = contactsListed(lead, listed)
    const { crm } = await store.removeFromDoNotCall({ leadId: lead.id, contacts, by, request, source: 'desk' })
    return removalNotice(crm, role)
  },
  'undo allow calls': ({ store }, lead, listed, by) =>
    undoRemoval(store, { leadId: lead.id, contacts: contactsListed(lead, listed), by }),
  erase,
  'add note': ({ store }, { id: leadId }, { text }, by) => store.addNote({ leadId, by, text }),
  async 'remove note'({ store }, { id: leadId }, { note: noteId }, by, person) {
    const note = (await store.notesOf(leadId)).find(({ id }) => id === noteId)
    if (note && !canChangeNote(note, person)) {
      throw new ApiError('role required', 'Only the author or an editor can delete a note.')
    }
    if (!(await store.removeNote({ leadId, noteId, by })))
      throw new ApiError('conflict', 'This note was already deleted.')
  },
  async 'restore note'({ store }, { id: leadId }, { note: noteId }, by) {
    if (!(await store.restoreNote({ leadId, noteId, by })))
      throw new ApiError('conflict', 'This note was already restored.')
  },
}

/** Refuses to take back what a colleague asked for, too, and says who and when. */
export async function undoDoNotCall(
  { store, config }: ActionServices,
  order: UndoOrder,
  role: DeskRole,
): Promise<string | null> {
  const { kept, crm } = await store.undoDoNotCall(order)
  const [first] = kept
  if (!first) return removalNotice(crm, role)
  const added = `${first.by ?? 'A colleague'} added this person to the do-not-call list`
  const when = createCalendar(config.timeZone).spoken(first.at, await store.storeTime())
  throw new ApiError('conflict', `${added} ${when}. The entry stays on the list.`)
}

/** Refuses if a colleague changed the list since. */
export async function undoRemoval(
  store: Store,
  order: { readonly by: string; readonly leadId?: string; readonly contacts: readonly DoNotCall[] },
): Promise<void> {
  const { restored } = await store.restoreRemovals({ ...order, removedBy: order.by })
  if (restored.length === 0) throw new ApiError('conflict', 'A colleague changed these entries. Nothing was put back.')
}

/** The store refused the action, because it no longer applies. */
class Refused extends Error {
  readonly action: LeadActionName

  constructor(action: LeadActionName) {
    super()
    this.action = action
  }
}

type Seen = v.InferOutput<typeof seen>

const changeOf = (
  config: Parameters<typeof destinationsOf>[0],
  { id }: LeadDetails,
  { seen: { state, doNotCall } }: { readonly seen: Seen },
  by: string,
) => ({
  ids: [id],
  by,
  seen: { [id]: { state, onDoNotCallList: doNotCall.email || doNotCall.phone || doNotCall.others.length > 0 } },
  ...destinationsOf(config),
})

/** Where an approved lead goes. */
export const destinationsOf = ({
  webhookUrl,
  callList,
  visitorMail,
}: Pick<Config, 'webhookUrl' | 'callList' | 'visitorMail'>) => ({
  deliver: webhookUrl !== null,
  callFromDesk: callList,
  writeToVisitors: visitorMail,
})

/** Actions that say what's left to do. */
const notices: readonly LeadActionName[] = ['erase', 'allow calls', 'undo do not call']

/**
 * `notice`: what the user should know besides: what a colleague did since the user looked, or what's left to do. `requestId`: of a stop,
 * for Undo.
 */
export async function performAction(
  services: ActionServices,
  lead: LeadDetails,
  request: ActionRequest,
  person: DeskPerson,
): Promise<{ readonly notice: string | null; readonly requestId: string | null }> {
  if (!canPerform(request.action, person.role)) throw roleRequired(leadActions[request.action].role)
  const since = 'seen' in request ? await changedSince(services, lead, request.seen) : null
  // A request not to be called is never refused.
  if (lead.state === 'erased' && !(request.action === 'do not call' && request.shown))
    throw new ApiError('conflict', since ?? 'This person’s data was erased, so this lead can’t be changed.')
  if (since !== null && request.action !== 'do not call') throw new ApiError('conflict', since)
  try {
    const told = await (perform[request.action] as Perform<LeadActionName>)(
      services,
      lead,
      request,
      person.name,
      person,
    )
    const notice = since ?? (notices.includes(request.action) ? (told as string | null) : null)
    return {
      notice: notice ?? ('seen' in request ? await doneMeanwhile(services, lead, person.name) : null),
      requestId: request.action === 'do not call' ? (told as string) : null,
    }
  } catch (error) {
    if (!(error instanceof Refused) || !('seen' in request)) throw error
    const now = (await services.store.find(lead.id)) ?? lead
    const isOnList = (await services.store.leadsOnDoNotCallList([lead.id])).has(lead.id)
    const why = whyRefused(now, error.action, isOnList)
    throw new ApiError('conflict', (await changedSince(services, now, request.seen)) ?? why)
  }
}

/** What a colleague did at the same moment, between our reading the lead and changing it. */
async function doneMeanwhile({ store, config }: ActionServices, lead: LeadDetails, by: string): Promise<string | null> {
  const known = new Set(lead.history.map(line => JSON.stringify(line)))
  const { history = [] } = (await store.find(lead.id)) ?? {}
  const others = history.filter(
    line => !known.has(JSON.stringify(line)) && (JSON.parse(line.detail) as { by?: string }).by !== by,
  )
  const clock = { calendar: createCalendar(config.timeZone), now: await store.storeTime() }
  return describeLastDecision({ history: others }, [], clock)
}

/** Null if the lead is still what the user saw. */
async function changedSince(
  { store, config }: ActionServices,
  lead: LeadDetails,
  { state, doNotCall }: Seen,
): Promise<string | null> {
  const entries = await store.doNotCallEntriesOf(lead.id)
  const listed = listedContacts(entries, lead)
  const isSame =
    lead.state === 'erased'
      ? state === 'erased'
      : state === lead.state &&
        doNotCall.email === listed.email &&
        doNotCall.phone === listed.phone &&
        doNotCall.others.length === listed.others.length
  if (isSame) return null
  const clock = { calendar: createCalendar(config.timeZone), now: await store.storeTime() }
  // The history that came with the lead may be older than its state.
  const latest = (await store.find(lead.id)) ?? lead
  return describeLastDecision(latest, entries, clock) ?? `This lead is now marked “${stateNames[lead.state]}.”`
}

async function erase(
  { store, config }: ActionServices,
  lead: LeadDetails,
  { confirmation }: { readonly confirmation: string },
  by: string,
): Promise<string | null> {
  const typed = normalize(confirmation)
  if (typed === '' || ![normalize(lead.lastName ?? ''), lead.id].includes(typed)) {
    throw new ApiError('bad request', 'Nothing was erased. Type the last name as shown, or the full ID.')
  }
  const { inLog } = await store.erase({ ids: [lead.id], key: await installationKey(config, store), by })
  return inLog ? ERASED_IN_LOG : null
}

const contactsListed = (
  lead: LeadDetails,
  { contacts, others = [] }: { readonly contacts: readonly ContactKind[]; readonly others?: readonly string[] },
): readonly DoNotCall[] => [...contactsOfLead(lead, contacts), ...others.map(email => ({ email }))]

function contactsOfLead(
  { email, phone }: Pick<LeadDetails, 'email' | 'phone'>,
  kinds: readonly ContactKind[],
): readonly DoNotCall[] {
  const contacts = { email: { email: email ?? '' }, phone: { phone: phone ?? '' } }
  // Someone who called us may have given no email address.
  return kinds.filter(kind => kind === 'phone' || email).map(kind => contacts[kind])
}

/** With another number, the person is another lead, and without an email, nothing else closes that one. */
async function contactsOfChain(store: Store, { id }: LeadDetails, kinds: readonly ContactKind[]) {
  return (await store.entriesOfChain(id)).filter(entry => kinds.includes(kindOf(entry))).map(contactOfEntry)
}

/** Read as if someone had typed them: the page says what they are, and the lead can't confirm it. */
function contactsShown(shown: Readonly<Record<ContactKind, string>>, kinds: readonly ContactKind[]) {
  return kinds
    .filter(kind => kind === 'phone' || shown.email !== '')
    .map(kind => {
      const contact = parseDoNotCall(shown[kind])
      if (contact === null || !(kind in contact)) throw new ApiError('bad request', UNREADABLE)
      return contact
    })
}

/** Browsers show runs of spaces as one. Names from 0.7.0 may have them. */
function normalize(text: string): string {
  return oneLine(text).normalize('NFC').toLowerCase()
}

function whyRefused(lead: LeadDetails, action: LeadActionName, isOnList: boolean): string {
  if (action === 'approve' && lead.state === 'rejected' && !isOnList) {
    return 'This person has another lead that was accepted or came in after this one. Review that one instead. It’s listed under this person’s other leads.'
  }
  if (action === 'resend' && lead.delivery?.state === 'delivered') return 'Already delivered. Confirm to send it again.'
  return (
    leadActions[action].unavailable?.({
      ...lead,
      client: clientOf(lead),
      doNotCall: { email: isOnList, phone: isOnList },
    }) ?? ''
  )
}
