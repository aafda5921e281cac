/**
 * Corrects a lead's name, email address, or phone number. With the number, the open request and what we promised move to the other
 * number's story, in the same transaction, after the person's spoken yes for it.
 */
import { randomUUID } from 'node:crypto'
import { type Caller, movedRequest } from '../../../domain/calling/story.ts'
import type { Contact } from '../../../domain/lead.ts'
import { formatPhone, phoneDigits } from '../../../domain/phone.ts'
import { openDialOf } from '../calls/calling.ts'
import { claimOn, endClaim } from '../calls/claims.ts'
import { addEvents, openStory, type StoredStory, storyOf } from '../calls/stories.ts'
import { mayBeSent, queueEvents } from '../deliveries/messages.ts'
import { contactKeys, type DoNotCallEntry, entriesOf, stopsOf } from '../do-not-call/stops.ts'
import { reopenLeads } from '../do-not-call/tell-crm.ts'
import { type Dialect, insert, type Sql, type SqlPort } from '../sql.ts'
import { storable } from './capture.ts'
import { type CorrectableContact, type CorrectableField, correctableFields, formerEmails } from './corrections.ts'
import { addHistory } from './history.ts'
import { personKeyOf } from './repeats.ts'
import { replaceSearchText } from './search.ts'
import { searchText } from './search-text.ts'

export interface CorrectionOrder {
  readonly leadId: string
  readonly person: Caller
  /** What the user saw. If it has changed since, the correction is refused. */
  readonly seen: CorrectableContact
  readonly corrected: CorrectableContact
  readonly reason: string
  /** For another number: the version of the sentence that the person said yes to. */
  readonly consentVersion: string | null
}

export type CorrectionResult =
  | { readonly kind: 'corrected'; readonly fields: readonly CorrectableField[] }
  /** A colleague has corrected it since the user opened the page. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'on the list'; readonly stops: readonly DoNotCallEntry[] }
  /** `message`: for the user. */
  | { readonly kind: 'refused'; readonly message: string }

interface LeadToCorrect {
  readonly state: string
  readonly contact: Contact
}

const refused = (message: string) => ({ kind: 'refused', message }) as const

/** More than the old values of a lead that was corrected twice. */
const MAX_SEARCH_TEXT = 2000

export function createCorrectLead({ transact, dialect }: SqlPort, onDue: () => void) {
  return {
    async correctLead(order: CorrectionOrder): Promise<CorrectionResult> {
      const result = await transact(async (sql, at): Promise<CorrectionResult> => {
        const { leadId, seen, consentVersion } = order
        const corrected = storable(order.corrected)
        const known = await leadToCorrect(sql, leadId)
        if (!known) return refused('This person’s data was erased.')
        const contacts = [...entriesOf(known.contact), ...entriesOf(corrected), ...(await formerEmails(sql, leadId))]
        const people = [known.contact, { ...known.contact, ...corrected }].map(personKeyOf)
        await dialect.lockKeys(sql, [...people, ...contactKeys(contacts)])
        const lead = await leadToCorrect(sql, leadId, dialect.lockLeads)
        if (!lead) return refused('This person’s data was erased.')
        if (lead.state === 'repeat') return refused('This is a repeat. Correct this person’s other lead.')
        const before = lead.contact
        if (correctableFields.some(field => seen[field] !== before[field])) return { kind: 'changed' }
        const after = { ...before, ...corrected, phone: formatPhone(corrected.phone) }
        const fields = correctableFields.filter(field => after[field] !== before[field])
        if (fields.length === 0) return refused('Nothing was changed.')
        const [oldEmail, oldPhone] = entriesOf(before)
        const [newEmail, newPhone] = entriesOf(after)
        const isOtherNumber = newPhone !== oldPhone
        if (isOtherNumber || newEmail !== oldEmail) {
          const stops = await stopsOf(sql, isOtherNumber ? newPhone : '', newEmail)
          // A stop by an email address from before is a stop, too.
          const former = isOtherNumber ? [oldEmail, ...(await formerEmails(sql, leadId))] : []
          for (const email of former) stops.push(...(await stopsOf(sql, '', email)))
          if (stops.length > 0) return { kind: 'on the list', stops }
        }
        if (isOtherNumber && consentVersion === null)
          return refused('Ask whether you may call this number, and check the box if they say yes.')
        const moved = isOtherNumber ? await moveRequest(sql, dialect, at, { order, oldPhone, newPhone }) : null
        if (moved && 'refused' in moved) return refused(moved.refused)

        await saveContact(sql, dialect, leadId, after)
        const changed = (contact: Contact) =>
          JSON.stringify(Object.fromEntries(fields.map(name => [name, contact[name]])))
        await insert(sql, 'corrections', {
          id: randomUUID(),
          lead_id: leadId,
          at,
          person_id: order.person.id,
          person_name: order.person.name,
          reason: storable(order.reason),
          old_values: changed(before),
          new_values: changed(after),
          person_key: personKeyOf(before),
          email: oldEmail === newEmail ? null : oldEmail,
          phone: isOtherNumber ? oldPhone : null,
          story_id: moved?.storyId ?? null,
          consent_version: isOtherNumber ? consentVersion : null,
        })
        const by = order.person.name
        await addHistory(sql, { leadId, at, event: { kind: 'corrected', by, fields: fields.join(' ') } })
        if (await mayBeSent(sql, leadId)) {
          const detail = { by, fields, replacedBy: null }
          await queueEvents(sql, [{ leadId, type: 'lead.corrected', detail }])
        }
        // A stop of the number before doesn't stop this one.
        if (isOtherNumber) await reopenLeads(sql, [leadId])
        return { kind: 'corrected', fields }
      })
      if (result.kind === 'corrected') onDue()
      return result
    },
  }
}

async function leadToCorrect(sql: Sql, leadId: string, lock = ''): Promise<LeadToCorrect | null> {
  const [row] = await sql<{ state: string; contact: string }>(
    `SELECT state, contact FROM leads WHERE id = $1 AND state <> 'erased' ${lock}`,
    [leadId],
  )
  return row ? { state: row.state, contact: JSON.parse(row.contact) } : null
}

interface Move {
  readonly order: CorrectionOrder
  readonly oldPhone: string
  readonly newPhone: string
}

/** Both numbers must be locked. `storyId`: of the number before, if it has one. */
async function moveRequest(
  sql: Sql,
  dialect: Dialect,
  at: number,
  { order: { leadId, person }, oldPhone, newPhone }: Move,
): Promise<{ readonly storyId: string | null } | { readonly refused: string }> {
  const [from, to] = [await storyOf(sql, dialect, oldPhone), await storyOf(sql, dialect, newPhone)]
  for (const stored of [from, to]) {
    const claim = stored && (await claimOn(sql, stored.id, at))
    if (claim && claim.personId !== person.id) return { refused: `${claim.name} has this call open. Try again later.` }
  }
  if (from && openDialOf(from.story, person.id)) return { refused: 'Save the outcome of your call first.' }
  if (!from) return { storyId: null }
  await moveTo(sql, dialect, at, { from, leadId, person, newPhone })
  await endClaim(sql, from.id, person.id)
  return { storyId: from.id }
}

interface MoveTo {
  readonly from: StoredStory
  readonly leadId: string
  readonly person: Caller
  readonly newPhone: string
}

/** The old story first: the request's row goes with the new one. */
async function moveTo(
  sql: Sql,
  dialect: Dialect,
  at: number,
  { from, leadId, person, newPhone }: MoveTo,
): Promise<void> {
  const request = from.story.requests.get(leadId)
  if (!request) return
  await addEvents(sql, dialect, from, [{ kind: 'moved out', at, leadId, by: person }])
  const to = await openStory(sql, dialect, at, newPhone)
  const moved = { kind: 'moved in', at, leadId, by: person, request: movedRequest(request, at) } as const
  await addEvents(sql, dialect, to, [moved])
}

/** Searches find the lead by its old values, too. */
async function saveContact(sql: Sql, dialect: Dialect, leadId: string, contact: Contact): Promise<void> {
  const [email, phone] = entriesOf(contact)
  await sql('UPDATE leads SET contact = $2, email = $3, phone = $4, person_key = $5 WHERE id = $1', [
    leadId,
    JSON.stringify(contact),
    email,
    phoneDigits(phone),
    personKeyOf(contact),
  ])
  await replaceSearchText(sql, dialect, leadId, before =>
    `${searchText(contact)}\t${before}`.slice(0, MAX_SEARCH_TEXT).toWellFormed(),
  )
}
