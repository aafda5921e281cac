/**
 * What the visitor who sent a lead can still say about it, for half an hour: another phone number, once, and when to call. Their tab
 * has a token for that; the store has its hash.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PreferredTime } from '../../../../domain/calling/story-events.ts'
import { formatPhone, phoneDigits } from '../../../../domain/contact/phone.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { SENT_LEAD_MS } from '../../../../domain/leads/sent-lead.ts'
import { storyOf } from '../../facts/calls/stories.ts'
import { contactKeys, entriesOf } from '../../facts/do-not-call/stops.ts'
import { contactsOfChains, lastOfChain } from '../../facts/leads/chains.ts'
import { isEvent } from '../../facts/leads/events.ts'
import { storedLead } from '../../facts/leads/lead-rows.ts'
import { personKeyOf } from '../../facts/leads/person-keys.ts'
import type { Sql, SqlPort } from '../../sql.ts'
import { addHistory } from '../../tables/history.ts'
import { spendToken } from '../../tables/sent-leads.ts'
import { addEvents } from '../../tables/stories.ts'
import { BY_VISITOR } from '../calls/enter-story.ts'
import { type ReplacementFacts, replaceLeads } from './replacements.ts'

export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** `phone`: the number that the tab has. Someone else's token doesn't fit it. */
export interface SentLeadKey {
  readonly tokenHash: string
  readonly phone: string
  /** If the number was corrected to this one but the answer got lost, the tab still has the number before. */
  readonly newPhone?: string
}

export interface NumberCorrection extends SentLeadKey {
  readonly newPhone: string
  readonly facts: ReplacementFacts
}

/** A plan reads a story's last events. A stranger must not be able to push the calls out of them. */
const MAX_TIMES_PREFERRED = 3

interface SentLead {
  /** Of the lead that the tab sent, or of the one that took its place. */
  readonly id: string
  readonly repeatOf: string | null
  readonly contact: Contact
  readonly isCorrected: boolean
}

export function createSentLeads({ read, transact, now }: SqlPort, onDue: () => void) {
  return {
    /** The lead that a tab sent within the last half hour. Null if there's none, or if it was erased. */
    async sentLead(key: SentLeadKey) {
      const lead = await findSent(read, key, await now())
      return lead && { leadId: lead.id, contact: lead.contact, isCorrected: lead.isCorrected }
    },

    /**
     * Stores the request again with another number, in place of the first one. Null if that's refused: the token is unknown, too old, or
     * used, or someone has corrected the number since. A number on the do-not-call list is answered like any other, and its lead is on
     * hold. The same correction again is answered as the first was.
     */
    async correctSentLead({ facts, ...key }: NumberCorrection) {
      const { newPhone } = key
      const corrected = await transact(async tx => {
        const before = await findSent(tx, key, tx.at)
        if (!before) return null
        const contact = { ...before.contact, phone: formatPhone(newPhone) }
        const chains = await contactsOfChains(tx, [before.id, ...(before.repeatOf === null ? [] : [before.repeatOf])])
        const contacts = [...chains, ...entriesOf(contact)]
        const people = [before.contact, contact].map(personKeyOf)
        await tx.dialect.lockKeys(tx, [...people, ...contactKeys(contacts)])
        // Read again under the locks.
        const sent = await findSent(tx, key, tx.at)
        if (!sent) return null
        if (sent.isCorrected)
          return phoneDigits(sent.contact.phone) === phoneDigits(newPhone) ? idAndState(tx, sent.id) : null
        const leads = [sent.repeatOf ?? sent.id]
        const repeats = sent.repeatOf === null ? [] : [sent.id]
        const order = { leads, repeats, contact, by: BY_VISITOR, source: 'visitor', fields: ['phone'], facts }
        const replaced = await replaceLeads(tx, order)
        if (!replaced) return null
        await spendToken(tx, key.tokenHash, replaced.lead.id)
        return replaced.lead
      })
      if (corrected) onDue()
      return corrected
    },

    /** Moves the first call, if there is one. Without one, such as for a lead on hold, the time is only in the lead's history. */
    preferCallTime: ({ time, ...key }: SentLeadKey & { readonly time: PreferredTime }) =>
      transact(async tx => {
        const phone = phoneDigits(key.phone)
        await tx.dialect.lockKeys(tx, contactKeys([phone]))
        const lead = await findSent(tx, key, tx.at)
        const stored = lead && (await storyOf(tx, phone))
        const standing = lead && stored?.story.standings.get(lead.repeatOf ?? lead.id)
        if (!lead || isDeepStrictEqual(standing?.preferred, time)) return
        const leadId = standing?.leadId ?? lead.id
        if ((await timesPreferred(tx, leadId)) >= MAX_TIMES_PREFERRED) return
        if (stored && standing?.isNew) await addEvents(tx, stored, [{ kind: 'preferred', at: tx.at, leadId, time }])
        await addHistory(tx, { leadId, event: { kind: 'time preferred', ...time } })
      }),
  }
}

async function timesPreferred(sql: Sql, leadId: string): Promise<number> {
  const rows = await sql(`SELECT 1 FROM history WHERE lead_id = $1 AND ${isEvent('time preferred')}`, [leadId])
  return rows.length
}

interface SentRow {
  readonly id: string
  readonly corrected: number
  readonly sentAt: number
}

/** The token follows the lead to the one that took its place. A page that still has the number before is stale. */
async function findSent(sql: Sql, { tokenHash, phone, newPhone }: SentLeadKey, at: number): Promise<SentLead | null> {
  const [row] = await sql<SentRow>(`SELECT lead_id AS id, corrected, sent_at FROM sent_leads WHERE token_hash = $1`, [
    tokenHash,
  ])
  // A clock that was set back must not make the half hour longer.
  if (!row || Math.abs(at - row.sentAt) > SENT_LEAD_MS) return null
  const lead = await lastOfChain(sql, row.id)
  const open = lead?.repeatOf ? await lastOfChain(sql, lead.repeatOf) : lead
  if (!lead?.contact || !open?.phone || lead.state === 'rejected') return null
  const isCorrected = row.corrected === 1
  const isNew = isCorrected && newPhone !== undefined && lead.phone === phoneDigits(newPhone)
  if (![lead.phone, open.phone].every(each => each === phoneDigits(phone)) && !isNew) return null
  return { id: lead.id, repeatOf: lead.repeatOf, contact: lead.contact, isCorrected }
}

async function idAndState(sql: Sql, id: string) {
  const lead = await storedLead(sql, id)
  return lead && { id, state: lead.state }
}
