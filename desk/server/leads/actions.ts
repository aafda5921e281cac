/** Performs an action on one lead. If the action isn't possible, the error says why and what to do. */
import {
  array,
  boolean,
  exactOptional,
  type InferOutput,
  literal,
  maxLength,
  minLength,
  nonEmpty,
  object,
  picklist,
  pipe,
  string,
  trim,
  variant,
} from 'valibot'
import {
  type BulkActionName,
  canChangeNote,
  canPerform,
  type LeadActionName,
  leadActions,
} from '../../../domain/lead-actions.ts'
import { stateNames } from '../../../domain/lead-states.ts'
import type { Config } from '../../../server/config.ts'
import { installationKey } from '../../../server/installation-key.ts'
import type { DeskPerson } from '../../../server/store/accounts.ts'
import type { ContactKind, DoNotCall } from '../../../server/store/do-not-call.ts'
import type { LeadDetails } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import { StoreUnusable } from '../../../server/store/store-errors.ts'
import { MAX_NOTE_LENGTH, MAX_REASON_LENGTH } from '../../limits.ts'
import { ApiError, roleRequired } from '../api-error.ts'

const requiredText = (max: number) => pipe(string(), trim(), nonEmpty(), maxLength(max))
const noteId = pipe(string(), maxLength(100))
const contacts = pipe(array(picklist(['email', 'phone'])), minLength(1))

export const actionBody = variant('action', [
  object({ action: literal('approve') }),
  object({ action: literal('reject'), reason: requiredText(MAX_REASON_LENGTH) }),
  // A delivered lead is resent only if `again` is set.
  object({ action: literal('resend'), again: exactOptional(boolean()) }),
  object({ action: literal('do not call'), contacts }),
  object({ action: literal('allow calls'), contacts }),
  // The last name or the full ID. Names can be up to 10,000 characters long.
  object({ action: literal('erase'), confirmation: pipe(string(), maxLength(20_000)) }),
  object({ action: literal('add note'), text: requiredText(MAX_NOTE_LENGTH) }),
  object({ action: literal('remove note'), note: noteId }),
  object({ action: literal('restore note'), note: noteId }),
])

type ActionRequest = InferOutput<typeof actionBody>

interface ActionServices {
  readonly store: Store
  readonly config: Pick<Config, 'erasureKey' | 'dataDir'>
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
  readonly reason?: string
  readonly again?: boolean
  readonly leaveOutDoNotCall?: boolean
}

/** Actions that also work in bulk. Each returns how many leads changed: 0 if the action no longer applies. */
export const changes: { readonly [Name in BulkActionName]: (store: Store, change: Change) => Promise<number> } = {
  approve: (store, { reason: _, again: __, ...order }) => store.approve(order),
  reject: (store, { ids, by, reason = '' }) => store.reject({ ids, by, reason }),
  resend: (store, { reason: _, ...order }) => store.resend(order),
}

const perform: { readonly [Name in LeadActionName]: Perform<Name> } = {
  async approve({ store }, lead, _, by) {
    if ((await changes.approve(store, { ids: [lead.id], by })) === 0) throw cannotApprove(lead)
  },
  async reject({ store }, lead, { reason }, by) {
    if ((await changes.reject(store, { ids: [lead.id], by, reason })) === 0) {
      throw stateChanged(lead, 'reject')
    }
  },
  async resend({ store }, lead, { again = false }, by) {
    if ((await changes.resend(store, { ids: [lead.id], by, again })) === 0) throw cannotResend(lead)
  },
  'do not call': ({ store }, lead, { contacts: which }, by) =>
    store.addToDoNotCall({ leadId: lead.id, contacts: contactsOf(lead, which), by }),
  'allow calls': ({ store }, lead, { contacts: which }, by) =>
    store.removeFromDoNotCall({ leadId: lead.id, contacts: contactsOf(lead, which), by }),
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

export async function performAction(
  services: ActionServices,
  lead: LeadDetails,
  request: ActionRequest,
  person: DeskPerson,
) {
  if (!canPerform(request.action, person.role)) throw roleRequired(leadActions[request.action].role)
  if (lead.state === 'erased')
    throw new ApiError('conflict', 'This person’s data was erased, so this lead can’t be changed.')
  await (perform[request.action] as Perform<LeadActionName>)(services, lead, request, person.name, person)
}

async function erase(
  { store, config }: ActionServices,
  lead: LeadDetails,
  { confirmation }: { readonly confirmation: string },
  by: string,
): Promise<void> {
  const typed = normalize(confirmation)
  if (typed === '' || ![normalize(lead.lastName ?? ''), lead.id].includes(typed)) {
    throw new ApiError('bad request', 'Nothing was erased. Type the last name as shown, or the full ID.')
  }
  try {
    await store.erase({ ids: [lead.id], key: await installationKey(config, store), by })
  } catch (error) {
    // The message tells operators what to do.
    if (error instanceof StoreUnusable) throw new ApiError('conflict', error.message)
    throw error
  }
}

function contactsOf({ email, phone }: LeadDetails, kinds: readonly ContactKind[]): readonly DoNotCall[] {
  const contacts = { email: { email: email ?? '' }, phone: { phone: phone ?? '' } }
  return kinds.map(kind => contacts[kind])
}

function normalize(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function cannotApprove(lead: LeadDetails): ApiError {
  if (lead.state !== 'rejected') return stateChanged(lead, 'approve')
  return new ApiError(
    'conflict',
    'This person has submitted a newer lead since this one was rejected. Review the newer lead instead. It’s listed under this person’s other leads.',
  )
}

function cannotResend(lead: LeadDetails): ApiError {
  if (lead.delivery?.state === 'delivered') {
    return new ApiError('conflict', 'Already delivered. Confirm to send it again.')
  }
  return new ApiError('conflict', whyNot(lead, 'resend'))
}

function stateChanged(lead: LeadDetails, action: LeadActionName): ApiError {
  const now = `This lead is now marked “${stateNames[lead.state]}.”`
  return new ApiError('conflict', `${now} ${whyNot(lead, action)} Reload the page.`)
}

const whyNot = (lead: LeadDetails, action: LeadActionName) =>
  leadActions[action].unavailable?.({ ...lead, doNotCall: { email: false, phone: false } }) ?? ''
