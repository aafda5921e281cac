/**
 * A person with a new number is a new lead, which takes the place of theirs with the old one, whoever corrected it. What they submitted
 * and agreed to stays as it was, with the old lead.
 */
import type { Agent } from '../../../domain/calling/story-events.ts'
import { DO_NOT_CALL, type HoldReason } from '../../../domain/hold-reasons.ts'
import type { Contact } from '../../../domain/lead.ts'
import { enterStories } from '../calls/enter-story.ts'
import { addEvents, storyOf } from '../calls/stories.ts'
import { queueEvents, withdrawDelivery } from '../deliveries/messages.ts'
import { mayHaveLead } from '../deliveries/sent-to-crm.ts'
import type { Tx } from '../sql.ts'
import { type CapturedLead, captureIn, type Submission } from './capture.ts'
import { addHistory } from './history.ts'

/** What is new about the request. The rest is as it was. */
export type ReplacementFacts = Omit<
  Submission,
  'contact' | 'campaign' | 'variant' | 'questionnaireVersion' | 'page' | 'language' | 'isReplacement'
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

interface LeadToReplace {
  readonly id: string
  readonly state: string
  readonly heldReason: string | null
  readonly phone: string
  readonly page: string
  readonly campaign: string
  readonly variant: string
  readonly language: string
  readonly questionnaireVersion: string | null
}

/** These are about the number, and don't hold for another one. */
const aboutNumber: readonly string[] = ['phone number cannot exist', DO_NOT_CALL] satisfies readonly HoldReason[]

/** Null if the leads are gone. The people, and both numbers and emails, must be locked. */
export async function replaceLeads(tx: Tx, order: Replacement): Promise<Replaced | null> {
  const { contact, by, facts } = order
  const old = await leadsToReplace(tx, order.leads)
  const [first] = old
  if (!first) return null
  const { page, campaign, variant, language, questionnaireVersion, heldReason } = first
  const kept = heldReason !== null && !aboutNumber.includes(heldReason) ? heldReason : null
  const lead = await captureIn(tx, {
    ...facts,
    ...{ page, variant, language, questionnaireVersion },
    contact,
    campaign: JSON.parse(campaign),
    holdReason: facts.holdReason ?? kept,
    isReplacement: true,
  })
  const goesOnAs = await leadItRepeats(tx, lead)
  await moveClient(tx, old, goesOnAs.id)
  for (const each of old) await close(tx, each, goesOnAs.id, order)
  for (const id of order.repeats ?? []) await markReplaced(tx, id, goesOnAs.id, order)
  const ids = old.map(({ id }) => id)
  await tx(`UPDATE notes SET lead_id = $1 WHERE lead_id = ANY($2)`, [goesOnAs.id, ids])
  await addHistory(tx, {
    leadId: lead.id,
    event: { kind: 'corrects the number', lead: first.id, by: facts.consentTakenBy },
  })
  if (goesOnAs.state === 'accepted') {
    const submitted = {
      at: tx.at,
      phone: goesOnAs.phone,
      desk: facts.callFromDesk,
      spoken: facts.consentTakenBy !== undefined,
      language,
    }
    await enterStories(tx, [{ leadId: goesOnAs.id, by, from: ids, ...submitted }])
  }
  return { lead, goesOnAs }
}

async function leadsToReplace(tx: Tx, ids: readonly string[]): Promise<readonly LeadToReplace[]> {
  const rows = await tx<LeadToReplace>(
    `SELECT id, state, held_reason, phone, page, campaign, variant, language, questionnaire_version
     FROM leads WHERE id = ANY($1) AND state IN ('accepted', 'held') AND replaced_by IS NULL
     ORDER BY id ${tx.dialect.lockLeads}`,
    [ids],
  )
  const placeOf = ({ id }: LeadToReplace) => ids.indexOf(id)
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Who became a client still is one. */
async function moveClient(tx: Tx, old: readonly LeadToReplace[], to: string): Promise<void> {
  const ids = old.map(({ id }) => id)
  const first = 'SELECT MIN(former.client_on) FROM leads AS former WHERE former.id = ANY($2)'
  await tx(`UPDATE leads SET client_on = COALESCE(client_on, (${first})) WHERE id = $1`, [to, ids])
  await tx('UPDATE leads SET client_on = NULL WHERE id = ANY($1) AND client_on IS NOT NULL', [ids])
}

async function leadItRepeats(tx: Tx, { id }: CapturedLead) {
  const [lead] = await tx<{ id: string; state: string; phone: string }>(
    `SELECT id, state, phone FROM leads WHERE id = (SELECT COALESCE(repeat_of, id) FROM leads WHERE id = $1)`,
    [id],
  )
  return lead as { readonly id: string; readonly state: string; readonly phone: string }
}

async function close(tx: Tx, { id, phone }: LeadToReplace, by: string, order: Replacement): Promise<void> {
  const stored = await storyOf(tx, phone)
  if (stored?.story.standings.has(id)) {
    await addEvents(tx, stored, [{ kind: 'replaced', at: tx.at, leadId: id, by: order.by, replacedBy: by }])
  }
  await markReplaced(tx, id, by, order)
}

/**
 * It isn't sent anymore, and nothing repeats it. If the CRM may have it, it hears of the other one, also while that's on hold. If the
 * webhook can't tell that its consent is spoken, a person tells the CRM.
 */
async function markReplaced(
  tx: Tx,
  id: string,
  by: string,
  { source, fields, facts: { withheld = false, consentTakenBy: correctedBy } }: Replacement,
): Promise<void> {
  const replace = `UPDATE leads SET state = 'repeat', repeat_of = $2, replaced_by = $2, held_reason = NULL WHERE id = $1`
  await tx(replace, [id, by])
  const isSent = await mayHaveLead(tx, id)
  const cancelledDelivery = (await withdrawDelivery(tx, id)) ?? undefined
  await addHistory(tx, {
    leadId: id,
    event: { kind: 'replaced', by, corrected: 'phone', correctedBy, cancelledDelivery },
  })
  const detail = { by: source, fields, replacedBy: by }
  if (isSent) await queueEvents(tx, [{ leadId: id, type: 'lead.corrected', detail }], withheld ? 'by hand' : 'pending')
}
