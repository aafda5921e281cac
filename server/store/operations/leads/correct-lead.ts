/**
 * Corrects what a lead says about its person. A name, an email address, or a date of birth is corrected in place; with another number,
 * after the person's spoken yes for it, another lead takes the place of theirs.
 */
import type { Agent } from '../../../../domain/calling/story-events.ts'
import { formatPhone } from '../../../../domain/contact/phone.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { peopleAmong } from '../../../../domain/leads/people.ts'
import { leadsOnNumber } from '../../facts/calls/people.ts'
import { storyOf } from '../../facts/calls/stories.ts'
import { mayHaveLead } from '../../facts/deliveries/sent-to-crm.ts'
import { contactKeys, type DoNotCallEntry, entriesOf, stopsOf } from '../../facts/do-not-call/stops.ts'
import { chainOf, contactsOfChains } from '../../facts/leads/chains.ts'
import {
  type CorrectableContact,
  type CorrectableField,
  correctableFields,
  correctionsOf,
} from '../../facts/leads/corrections.ts'
import type { KnownLead } from '../../facts/leads/lead-records.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import { personKeyOf } from '../../facts/leads/person-keys.ts'
import { searchText } from '../../facts/leads/search-text.ts'
import { type SqlPort, StaleLocks, type Tx } from '../../sql.ts'
import { addCorrection } from '../../tables/corrections.ts'
import { addHistory } from '../../tables/history.ts'
import { addSearchText, removeSearchText } from '../../tables/lead-search.ts'
import { setContact } from '../../tables/leads.ts'
import { queueEvents } from '../../tables/outbox.ts'
import { storable } from './capture.ts'
import { type ReplacementFacts, replaceLeads } from './replacements.ts'

export interface CorrectionOrder {
  readonly leadId: string
  readonly person: Agent
  /** What the user saw. If it has changed since, the correction is refused. */
  readonly seen: CorrectableContact
  readonly corrected: CorrectableContact
  readonly reason: string
  /** For another number: what the person said yes to, and what follows. Null if they haven't. */
  readonly spoken: ReplacementFacts | null
}

export type CorrectionResult =
  /** `leadId`: for another number, the lead that the person is called for now. `isHeld`: someone has to approve it. */
  | {
      readonly kind: 'corrected'
      readonly fields: readonly CorrectableField[]
      readonly leadId: string
      readonly isHeld: boolean
    }
  /** A colleague has corrected it since the user opened the page. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'on the list'; readonly stops: readonly DoNotCallEntry[] }
  /** `message`: for the user. */
  | { readonly kind: 'refused'; readonly message: string }

const refused = (message: string) => ({ kind: 'refused', message }) as const
const ERASED = refused('This person’s data was erased.')

/** More than the old values of a lead that was corrected twice. */
const MAX_SEARCH_TEXT = 2000

export function createCorrectLead({ read, transact }: SqlPort, onDue: () => void) {
  return {
    /** Corrections of these leads, oldest first. */
    corrections: (leadIds: readonly string[]) => correctionsOf(read, leadIds),
    /** The same for a lead and those whose place it took. */
    correctionsOfChain: async (leadId: string) => correctionsOf(read, await chainOf(read, [leadId])),
    async correctLead(order: CorrectionOrder): Promise<CorrectionResult> {
      const result = await transact(async (tx): Promise<CorrectionResult> => {
        const { leadId, seen } = order
        const corrected = storable(order.corrected)
        const [known] = await storedLeads(tx, [leadId])
        if (!known) return ERASED
        const people = [known.contact, { ...known.contact, ...corrected }].map(personKeyOf)
        const ownContacts = async () =>
          contactsOfChains(
            tx,
            (await ownLeadsHere(tx, known)).map(({ id }) => id),
          )
        const own = await ownContacts()
        await tx.dialect.lockKeys(tx, [...people, ...contactKeys([...entriesOf(corrected), ...own])])
        if ((await ownContacts()).some(contact => !own.includes(contact))) throw new StaleLocks()
        const [lead] = await storedLeads(tx, [leadId], { lock: tx.dialect.lockLeads })
        if (!lead) return ERASED
        if (lead.replacedBy !== null)
          return refused('The number was corrected already. Correct this person’s other lead.')
        if (lead.state === 'repeat') return refused('This is a repeat. Correct this person’s other lead.')
        const before = lead.contact
        if (correctableFields.some(field => seen[field] !== before[field])) return { kind: 'changed' }
        const after = { ...before, ...corrected, phone: formatPhone(corrected.phone) }
        const fields = correctableFields.filter(field => after[field] !== before[field])
        if (fields.length === 0) return refused('Nothing was changed.')
        const change = { order, before, after, fields }
        const isOtherNumber = entriesOf(before)[1] !== entriesOf(after)[1]
        return isOtherNumber ? correctNumber(tx, change, lead) : correctInPlace(tx, change)
      })
      if (result.kind === 'corrected') onDue()
      return result
    },
  }
}

interface Change {
  readonly order: CorrectionOrder
  readonly before: Contact
  readonly after: Contact
  readonly fields: readonly CorrectableField[]
}

/** The person's leads on the number, also those on hold: nobody may be called there for them anymore. */
async function ownLeadsHere(tx: Tx, { id: leadId, phone }: KnownLead): Promise<readonly KnownLead[]> {
  const stored = await storyOf(tx, phone)
  const ids = [leadId, ...(await leadsOnNumber(tx, phone)), ...(stored?.story.standings.keys() ?? [])]
  const leads = await storedLeads(tx, [...new Set(ids)])
  const named = leads.map(lead => ({ ...lead.contact, lead }))
  const own = peopleAmong(named).find(person => person.some(({ lead }) => lead.id === leadId)) ?? []
  const isFirst = ({ id }: KnownLead) => Number(id === leadId)
  return own.map(({ lead }) => lead).toSorted((one, other) => isFirst(other) - isFirst(one))
}

async function correctNumber(tx: Tx, change: Change, lead: KnownLead): Promise<CorrectionResult> {
  const { order, after, fields } = change
  const { person, spoken } = order
  if (lead.state === 'rejected') return refused('This lead was rejected. An editor can approve it first.')
  if (spoken === null) return refused('Ask whether you may call this number, and check the box if they say yes.')
  const leads = (await ownLeadsHere(tx, lead)).map(({ id }) => id)
  const source = person.name
  const replaced = await replaceLeads(tx, { leads, contact: after, by: person, source, fields, facts: spoken })
  if (!replaced) return ERASED
  const { goesOnAs } = replaced
  await saveCorrection(tx, change, null)
  return { kind: 'corrected', fields, leadId: goesOnAs.id, isHeld: goesOnAs.state === 'held' }
}

async function correctInPlace(tx: Tx, change: Change): Promise<CorrectionResult> {
  const { order, before, after, fields } = change
  const { leadId, person } = order
  const [oldEmail] = entriesOf(before)
  const [newEmail] = entriesOf(after)
  const stops = newEmail === oldEmail ? [] : await stopsOf(tx, '', newEmail)
  if (stops.length > 0) return { kind: 'on the list', stops }
  await saveContact(tx, leadId, after)
  await saveCorrection(tx, change, { personKey: personKeyOf(before), email: newEmail === oldEmail ? null : oldEmail })
  if (await mayHaveLead(tx, leadId)) {
    const detail = { by: person.name, fields, replacedBy: null }
    await queueEvents(tx, [{ leadId, type: 'lead.corrected', detail }])
  }
  return { kind: 'corrected', fields, leadId, isHeld: false }
}

/** `foundBy`: how the lead was found before. One that was replaced is still found that way. */
async function saveCorrection(
  tx: Tx,
  { order, before, after, fields }: Change,
  foundBy: { readonly personKey: string; readonly email: string | null } | null,
): Promise<void> {
  const { leadId, person, reason } = order
  const changed = (contact: Contact) => JSON.stringify(Object.fromEntries(fields.map(name => [name, contact[name]])))
  await addCorrection(tx, {
    leadId,
    person,
    reason: storable(reason),
    oldValues: changed(before),
    newValues: changed(after),
    foundBy,
  })
  await addHistory(tx, { leadId, event: { kind: 'corrected', by: person.name, fields: fields.join(' ') } })
}

/** Searches find the lead by its old values, too. */
async function saveContact(tx: Tx, leadId: string, contact: Contact): Promise<void> {
  const [email] = entriesOf(contact)
  const [lead] = await tx<{ text: string }>('SELECT search_text AS text FROM leads WHERE id = $1', [leadId])
  const text = `${searchText(contact)}\t${lead?.text}`.slice(0, MAX_SEARCH_TEXT).toWellFormed()
  const isIndexed = await removeSearchText(tx, leadId)
  await setContact(tx, leadId, {
    contact: JSON.stringify(contact),
    email,
    personKey: personKeyOf(contact),
    searchText: text,
  })
  if (isIndexed) await addSearchText(tx, leadId)
}
