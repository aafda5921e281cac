/** What somebody who acts does with one lead. Where it cannot be done, the answer says how the lead stands and what to do. */
import type { Config } from '../../../server/config.ts'
import { noteErasures } from '../../../server/store/erasure/erasure-list.ts'
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import { StoreUnusable } from '../../../server/store/store-errors.ts'
import type { LeadActionRequest } from '../../api/lead.ts'
import { Refused } from '../refusal.ts'

export interface ActionServices {
  readonly store: Store
  readonly config: Pick<Config, 'erasureKey' | 'erasureList'>
  readonly now: () => number
}

export async function actOn(
  { store, config, now }: ActionServices,
  lead: LeadDossier,
  request: LeadActionRequest,
  by: string,
): Promise<void> {
  const ids = [lead.id]
  if (lead.state === 'erased')
    throw new Refused('changed meanwhile', 'This person’s data is erased: nothing more can be done.')
  switch (request.action) {
    case 'release':
      if ((await store.release({ ids, by })) === 0) throw cannotRelease(lead)
      return
    case 'reject':
      if ((await store.reject({ ids, reason: request.reason.trim(), by })) === 0) {
        throw changed(lead, 'Only a held lead can be rejected.')
      }
      return
    case 'redeliver':
      if ((await store.redeliver({ ids, by, again: request.again ?? false })) === 0) throw cannotRedeliver(lead)
      return
    case 'suppress':
      await store.suppressLead({ leadId: lead.id, contacts: request.contacts, by })
      return
    case 'unsuppress':
      await store.unsuppressLead({ leadId: lead.id, contacts: request.contacts, by })
      return
    case 'erase':
      return erase({ store, config, now }, lead, request.confirmation, by)
    case 'add note':
      await store.addNote({ leadId: lead.id, by, text: request.text.trim() })
      return
    case 'remove note':
      if (!(await store.removeNote({ leadId: lead.id, noteId: request.note, by }))) {
        throw new Refused('changed meanwhile', 'This note is gone already.')
      }
  }
}

async function erase(
  { store, config, now }: ActionServices,
  lead: LeadDossier,
  confirmation: string,
  by: string,
): Promise<void> {
  const typed = comparable(confirmation)
  if (typed === '' || ![comparable(lead.lastName ?? ''), lead.id].includes(typed)) {
    throw new Refused('bad request', 'Nothing was erased: type the last name as it is shown, or the whole id.')
  }
  const { erasureKey: key } = config
  if (key === null) {
    throw new Refused(
      'changed meanwhile',
      'Nothing was erased: ERASURE_KEY must be set first. docs/operations.md says how.',
    )
  }
  try {
    noteErasures(config.erasureList, [lead.id], now())
    await store.erase({ ids: [lead.id], key, by })
  } catch (error) {
    // Its words are for the operator, and say what to do.
    if (error instanceof StoreUnusable) throw new Refused('changed meanwhile', error.message)
    throw error
  }
}

function comparable(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function cannotRelease(lead: LeadDossier): Refused {
  if (lead.state === 'rejected') {
    return new Refused(
      'changed meanwhile',
      'The same person has come again since this lead was rejected. Decide about that lead instead: it is among the other leads of the person.',
    )
  }
  return changed(lead, 'Only a held or rejected lead can be released.')
}

function cannotRedeliver({ state, delivery }: LeadDossier): Refused {
  if (delivery?.state === 'delivered') {
    return new Refused(
      'changed meanwhile',
      'This lead was delivered. Say that it shall be sent once more, if it shall.',
    )
  }
  if (delivery?.state === 'pending') {
    return new Refused('changed meanwhile', 'This lead is on its way: it is sent within a minute.')
  }
  if (state === 'held' || state === 'rejected') {
    return new Refused('changed meanwhile', 'This lead is not to be delivered before it is released. Release it first.')
  }
  return new Refused('changed meanwhile', 'This lead is not among those that are delivered: it repeats an earlier one.')
}

const states = {
  accepted: 'accepted',
  held: 'held',
  rejected: 'rejected',
  repeat: 'a repeat of an earlier one',
  erased: 'erased',
} as const

function changed({ state }: LeadDossier, rule: string): Refused {
  return new Refused('changed meanwhile', `This lead is ${states[state]} by now. ${rule} Load the page again.`)
}
