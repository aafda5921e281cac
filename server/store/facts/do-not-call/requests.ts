/** Requests that put entries on the do-not-call list, and which of them still stand. */
import type { StopSource } from '../../../../domain/do-not-call/do-not-call.ts'
import type { ListChange } from '../../../../domain/events/list-changes.ts'
import type { Sql, Tx } from '../../sql.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/person-keys.ts'
import { type EntryRow, entryOf, type RequestedContact, selectEntries } from './stops.ts'

export interface DoNotCallOrder {
  readonly contacts: readonly RequestedContact[]
  readonly by: string
  /** The lead the email or phone number came from, perhaps erased since. The change is recorded in its history. */
  readonly leadId?: string
  /** How the request came in. */
  readonly source?: StopSource
  /** The call that it was said in: the ID of its outcome. */
  readonly callId?: string
  /** The day of a letter or an email. */
  readonly askedOn?: string
  /** For a restore: when each entry's change was logged, so the next one is logged as a later one. */
  readonly loggedAt?: ReadonlyMap<string, number>
}

export function entriesOnList(tx: Tx, entries: readonly string[]): Promise<readonly EntryRow[]> {
  return tx<EntryRow>(`${selectEntries} WHERE do_not_call.contact = ANY($1) ORDER BY entry`, [entries])
}

/** A request that keeps an entry on the list. */
export interface StandingRequest extends EntryRow {
  readonly n: number
  readonly callId: string | null
}

/** Requests for these entries that nobody took back, in the order in which they were recorded. */
export function standingIn(sql: Sql, entries: readonly string[]): Promise<readonly StandingRequest[]> {
  return sql<StandingRequest>(
    `SELECT asked.contact AS entry, asked.n, asked.at, asked.done_by AS "by", asked.source, asked.call_id, asked.request_id, asked.asked_on
     FROM do_not_call JOIN do_not_call_history AS asked ON asked.contact = do_not_call.contact AND asked.n >= do_not_call.n
     WHERE do_not_call.contact = ANY($1) AND asked.event IN ('added', 'confirmed')
       AND NOT EXISTS (SELECT 1 FROM do_not_call_history AS undone
         WHERE undone.contact = asked.contact AND undone.event = 'undone' AND undone.undoes = asked.n)
     ORDER BY asked.contact, asked.n`,
    [entries],
  )
}

/** What an earlier attempt recorded, by entry: its answer may have been lost. The request's ID tells it from a second request. */
export async function recordedWith(tx: Tx, { contacts }: DoNotCallOrder): Promise<ReadonlyMap<string, ListChange>> {
  const ids = contacts.flatMap(({ requestId }) => requestId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await tx<{ contact: string; event: ListChange; requestId: string }>(
    'SELECT contact, event, request_id FROM do_not_call_history WHERE request_id = ANY($1)',
    [ids],
  )
  const given = new Set(contacts.map(contact => `${entryOf(contact)} ${contact.requestId}`))
  const own = rows.filter(({ contact, requestId }) => given.has(`${contact} ${requestId}`))
  return new Map(own.map(({ contact, event }) => [contact, event]))
}

export async function leadsWithNumbers(tx: Tx, phones: readonly string[]): Promise<string[]> {
  if (phones.length === 0) return []
  const rows = await tx<{ id: string }>(
    `SELECT id FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2) ORDER BY id`,
    [phones.map(phoneMark), phones],
  )
  return rows.map(({ id }) => id)
}
