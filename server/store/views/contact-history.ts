/** What happened with a phone number, over all leads that have it: for the contact record. */
import { canonicalEmail } from '../../../domain/contact/email.ts'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { isRecorded, type LeadEvent, readLeadEvent, recordedEvents } from '../../../domain/events/lead-events.ts'
import {
  type ListChange,
  type ListChangeRequest,
  leadEventOf,
  listChanges,
} from '../../../domain/events/list-changes.ts'
import { type ContactKind, kindOf } from '../facts/do-not-call/stops.ts'
import { isEvent } from '../facts/leads/events.ts'
import { phoneMac } from '../facts/leads/hashes.ts'
import type { HistoryLine } from '../facts/leads/lead-records.ts'
import { phoneMark, phoneMarkOfKey } from '../facts/leads/person-keys.ts'
import { isNotErased } from '../facts/leads/states.ts'
import type { SqlPort } from '../sql.ts'

/** A request to stop, or to be called again. */
export interface DoNotCallEvent extends ListChangeRequest {
  readonly at: number
  readonly contact: ContactKind
  readonly event: ListChange
  /** Null if it wasn't recorded, as before 0.6.0. */
  readonly by: string | null
}

/** Part of a lead's history that the contact record and the CSV show. */
export interface RecordedEvent {
  readonly leadId: string
  readonly at: number
  readonly event: LeadEvent
}

interface SameNumberRequest {
  readonly ids: readonly string[]
  /** Finds erased leads with the number of a lead that isn't. Null: leaves them out. */
  readonly key: string | null
}

export function createContactHistory({ read }: SqlPort) {
  return {
    /**
     * Maps each lead's ID to those of all leads with the same phone number, oldest first. An erased lead has only the keyed hash of
     * its number, so it maps to other erased ones.
     */
    async leadsWithSameNumber({ ids, key }: SameNumberRequest): Promise<ReadonlyMap<string, readonly string[]>> {
      const seeds = await read<{ id: string; phone: string | null }>(`SELECT id, phone FROM leads WHERE id = ANY($1)`, [
        ids,
      ])
      const phones = [...new Set(seeds.flatMap(({ phone }) => phone ?? []))]
      const phoneOf = new Map(phones.map(phone => [key === null ? '' : phoneMac(phone, key), phone]))
      const live = await read<{ id: string; number: string }>(
        `SELECT id, phone AS number FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2)`,
        [phones.map(phoneMark), phones],
      )
      const erased = await read<{ id: string; mac: string }>(
        `SELECT lead_id AS id, phone_mac AS mac FROM erased_people WHERE phone_mac = ANY($1)`,
        [key === null ? [] : [...phoneOf.keys()]],
      )
      const erasedSeeds = await read<{ id: string; seed: string }>(
        `SELECT other.lead_id AS id, one.lead_id AS seed FROM erased_people AS one
         JOIN erased_people AS other ON other.phone_mac = one.phone_mac
         WHERE one.lead_id = ANY($1)`,
        [ids],
      )
      const withNumber = Map.groupBy(
        [...live, ...erased.map(({ id, mac }) => ({ id, number: phoneOf.get(mac) ?? '' }))],
        ({ number }) => number,
      )
      const withSeed = Map.groupBy(erasedSeeds, ({ seed }) => seed)
      return new Map(
        seeds.map(({ id, phone }) => {
          const found = (phone === null ? withSeed.get(id) : withNumber.get(phone)) ?? [{ id }]
          // IDs sort by time.
          return [id, found.map(lead => lead.id).toSorted()]
        }),
      )
    },

    /** Oldest first. */
    async recordedEvents(leadIds: readonly string[]): Promise<readonly RecordedEvent[]> {
      const rows = await read<HistoryLine & { readonly leadId: string }>(
        `SELECT lead_id, at, event, detail FROM history
         WHERE lead_id = ANY($1)
           AND ${isEvent(...recordedEvents)} ORDER BY at`,
        [leadIds],
      )
      const changes = rows.map(({ leadId, at, ...line }): RecordedEvent => ({ leadId, at, event: readLeadEvent(line) }))
      return changes.filter(({ event }) => isRecorded(event))
    },

    /** Every change of the do-not-call list for these leads' phone numbers and emails, oldest first. */
    async doNotCallEvents(leadIds: readonly string[]): Promise<readonly DoNotCallEvent[]> {
      const contacts = await read<{ phone: string; email: string }>(
        `SELECT phone, email FROM leads WHERE id = ANY($1) AND ${isNotErased}
         UNION SELECT '', COALESCE(email, '') FROM corrections WHERE lead_id = ANY($1)`,
        [leadIds],
      )
      const entries = contacts.flatMap(({ phone, email }) => [phoneDigits(phone), canonicalEmail(email)])
      const changes = await read<Change>(
        `SELECT contact AS entry, n, undoes, at, event, done_by AS "by", asked_by, asked_on, source
         FROM do_not_call_history WHERE contact = ANY($1) ORDER BY contact, n`,
        [entries],
      )
      // An erased lead's contacts are unknown, but its history has the requests made on its page.
      const ofLeads = await read<HistoryLine>(
        `SELECT at, event, detail FROM history WHERE lead_id = ANY($1) AND ${isEvent(...Object.values(leadEventOf))}`,
        [leadIds],
      )
      const found = [...Map.groupBy(changes, ({ entry }) => entry).values()].flatMap(ofEntry)
      const keyOf = ({ at, event, contact }: DoNotCallEvent) => `${at} ${event} ${contact}`
      const known = new Set(found.map(keyOf))
      for (const { at, ...line } of ofLeads) {
        const stored = readLeadEvent(line)
        const event = listChanges.find(change => leadEventOf[change] === stored.kind)
        if (!event || !('contact' in stored)) continue
        const { kind: _, ...change } = stored
        const ofLead = { at, event, ...change }
        if (!known.has(keyOf(ofLead))) found.push(ofLead)
        known.add(keyOf(ofLead))
      }
      return found.toSorted((one, other) => one.at - other.at)
    },
  }
}

interface Change extends Omit<DoNotCallEvent, 'contact' | 'stays'> {
  readonly entry: string
  readonly n: number
  /** Null in 0.7.0: all requests. */
  readonly undoes: number | null
}

/** An entry's changes in order. It stays on the list while a request stands that nobody took back. */
function ofEntry(changes: readonly Change[]): readonly DoNotCallEvent[] {
  let standing = new Set<number>()
  let before = standing
  return changes.map(({ entry, n, undoes, ...change }) => {
    if (change.event === 'removed') before = standing
    if (change.event === 'restored') standing = before
    else if (change.event === 'removed' || (change.event === 'undone' && undoes === null)) standing = new Set()
    else if (change.event === 'undone') standing.delete(undoes ?? 0)
    else standing.add(n)
    const stays = change.event === 'undone' && standing.size > 0
    return { ...change, contact: kindOf(entry), ...(stays && { stays }) }
  })
}
