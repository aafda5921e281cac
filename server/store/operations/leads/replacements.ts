/**
 * A person with a new number is a new lead, which takes the place of theirs with the old one, no matter who corrected it. What they submitted
 * and agreed to stays as it was, with the old lead.
 */
import type { Agent } from '../../../../domain/calling/story-events.ts'
import { DO_NOT_CALL, type HoldReason } from '../../../../domain/leads/hold-reasons.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { storyOf } from '../../facts/calls/stories.ts'
import { mayHaveLead } from '../../facts/deliveries/sent-to-crm.ts'
import { contactsOfChains } from '../../facts/leads/chains.ts'
import type { KnownLead } from '../../facts/leads/lead-records.ts'
import { storedLead, storedLeads } from '../../facts/leads/lead-rows.ts'
import { isCurrent } from '../../facts/leads/states.ts'
import type { Tx } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { replaceLead, setClient, unsetClient } from '../../tables/leads.ts'
import { moveNotes } from '../../tables/notes.ts'
import { queueEvents, withdrawDelivery } from '../../tables/outbox.ts'
import { addEvents } from '../../tables/stories.ts'
import { removeUnqueued } from '../../tables/unqueued-leads.ts'
import { enterStories } from '../calls/enter-story.ts'
import { type CapturedLead, captureIn, type Submission } from './capture.ts'

/** What is new about the request. The rest is as it was. */
export type ReplacementFacts = Omit<
  Submission,
  'contact' | 'campaign' | 'variant' | 'questionnaireVersion' | 'page' | 'language' | 'replacing'
>

export interface Replacement {
  /** The person's leads on the old number: the one that was corrected first. */
  readonly leads: readonly string[]
  /** Repeats of those, which the visitor's token or the CRM may know. */
  readonly repeats?: readonly string[]
  readonly contact: Contact
  readonly by: Agent
  /** Whose correction it is, for the CRM. */
  readonly source: string
  readonly fields: readonly string[]
  readonly facts: ReplacementFacts
}

/** `goesOnAs`: the lead that the person is called for; if they already had one with the new number, that's it. */
export interface Replaced {
  readonly lead: CapturedLead
  readonly goesOnAs: { readonly id: string; readonly state: string }
}

/** Reasons that are about the number, and don't hold for another one. */
const aboutNumber: readonly string[] = ['phone number cannot exist', DO_NOT_CALL] satisfies readonly HoldReason[]

/** Null if the leads are gone. The people, and both numbers and emails, must be locked. */
export async function replaceLeads(tx: Tx, order: Replacement): Promise<Replaced | null> {
  const { contact, by, facts } = order
  const state = `${isCurrent} AND replaced_by IS NULL`
  const locked = await storedLeads(tx, order.leads, { state, lock: tx.dialect.lockLeads })
  const old = order.leads.flatMap(id => locked.find(lead => lead.id === id) ?? [])
  const [first] = old
  if (!first) return null
  const { page, campaign, variant, language, questionnaireVersion, heldReason } = first
  const kept = heldReason !== null && !aboutNumber.includes(heldReason) ? heldReason : null
  const lead = await captureIn(tx, {
    ...facts,
    page,
    campaign,
    variant,
    language,
    questionnaireVersion,
    contact,
    holdReason: facts.holdReason ?? kept,
    replacing: await contactsOfChains(tx, order.leads),
  })
  const { repeatOf } = (await storedLead(tx, lead.id)) ?? {}
  const [goesOnAs] = await storedLeads(tx, [repeatOf ?? lead.id])
  if (!goesOnAs) return null
  for (const each of old) await close(tx, each, goesOnAs.id, order)
  for (const id of order.repeats ?? []) await markReplaced(tx, id, goesOnAs.id, order)
  const ids = old.map(({ id }) => id)
  // Who became a client still is one.
  const [clientOn] = old.flatMap(lead => lead.clientOn ?? []).toSorted()
  if (clientOn) await setClient(tx, goesOnAs.id, clientOn, 'true')
  await unsetClient(tx, ids)
  await moveNotes(tx, ids, goesOnAs.id)
  await addHistory(tx, {
    leadId: lead.id,
    event: { kind: 'corrects the number', lead: first.id, by: facts.consentTakenBy },
  })
  if (goesOnAs.state === 'accepted') {
    const { id: leadId, phone } = goesOnAs
    const submitted = {
      at: tx.at,
      phone,
      desk: facts.callFromDesk,
      spoken: facts.consentTakenBy !== undefined,
      language,
    }
    await enterStories(tx, [{ leadId, by, from: ids, ...submitted }])
  }
  return { lead, goesOnAs }
}

async function close(tx: Tx, { id, phone }: KnownLead, by: string, order: Replacement): Promise<void> {
  const stored = await storyOf(tx, phone)
  if (stored?.story.standings.has(id)) {
    await addEvents(tx, stored, [{ kind: 'replaced', at: tx.at, leadId: id, by: order.by, replacedBy: by }])
  }
  await markReplaced(tx, id, by, order)
}

/**
 * A replaced lead isn't sent anymore, and nothing repeats it. If the CRM may have it, it hears of the other one, also while that's on
 * hold. If the webhook can't tell that its consent is spoken, a person tells the CRM.
 */
async function markReplaced(
  tx: Tx,
  id: string,
  by: string,
  { source, fields, facts: { withheld = false, consentTakenBy: correctedBy } }: Replacement,
): Promise<void> {
  await replaceLead(tx, id, by)
  const isSent = await mayHaveLead(tx, id)
  await removeUnqueued(tx, [id])
  const cancelledDelivery = (await withdrawDelivery(tx, id)) ?? undefined
  await addHistory(tx, {
    leadId: id,
    event: { kind: 'replaced', by, corrected: 'phone', correctedBy, cancelledDelivery },
  })
  const detail = { by: source, fields, replacedBy: by }
  if (isSent) await queueEvents(tx, [{ leadId: id, type: 'lead.corrected', detail }], withheld ? 'by hand' : 'pending')
}
