/** The do-not-call list, newest first, as the desk shows it: a row is one request, with all numbers and addresses that it covers. */
import { canonicalEmail } from '../../../domain/contact/email.ts'
import { phoneDigits } from '../../../domain/contact/phone.ts'
import { enteredByHand, type StopFilter } from '../../../domain/do-not-call/do-not-call.ts'
import type { Contact } from '../../../domain/leads/lead.ts'
import {
  type ClosingEntry,
  type EntryRow,
  entriesOf,
  isClosedByList,
  selectEntries,
  stopsOf,
} from '../facts/do-not-call/stops.ts'
import { entriesOfChain } from '../facts/leads/chains.ts'
import { fewMatches } from '../facts/leads/search.ts'
import { isNotErased } from '../facts/leads/states.ts'
import { type Sql, type SqlPort, type Value, valuesOf } from '../sql.ts'

export interface EntryFilter {
  /** Part of a name, an email, or a phone number. */
  readonly search?: string
  readonly source?: StopFilter | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Where a page of the list ends. */
export interface EntryMark {
  readonly at: number
  readonly entry: string
}

interface EntryPage extends EntryFilter {
  readonly before?: EntryMark | null | undefined
  readonly limit: number
}

/** More leads than this have common letters in their names: until more is typed, only numbers and addresses are searched. */
const MOST_NAMED = 20_000
/** A list with half a million entries that was just imported is one person's, too. */
const NEWEST = 2000

export type DoNotCallList = ReturnType<typeof createDoNotCallList>

export function createDoNotCallList({ read, now }: SqlPort) {
  return {
    /** `next`: null after the last page. If a request's entries are on two pages, both have it whole. */
    async stopRequests(page: EntryPage) {
      const found = await newestEntries(read, page)
      const ids = found.flatMap(({ requestId }) => requestId ?? [])
      const together = await read<EntryRow>(
        `${selectEntries} WHERE do_not_call.request_id = ANY($1) ORDER BY do_not_call.contact`,
        [ids],
      )
      const byRequest = Map.groupBy(together, ({ requestId }) => requestId)
      const requests = Map.groupBy(found, ({ entry, requestId }) => requestId ?? entry)
      const last = found.at(-1)
      return {
        requests: [...requests].flatMap(([id, [first]]) => {
          if (!first) return []
          const { entry: _, requestId, ...request } = first
          return {
            ...request,
            id,
            entries: ((requestId && byRequest.get(requestId)) || [first]).map(({ entry }) => entry),
          }
        }),
        next: last && found.length === page.limit ? { at: last.at, entry: last.entry } : null,
      }
    },
    /** The most requests that one person recorded by hand in this time. */
    async mostStopsByOne(withinMs: number): Promise<number> {
      const since = (await now()) - withinMs
      let most = 0
      for (const name of await valuesOf(read, 'done_by', 'do_not_call_history', 'done_by IS NOT NULL')) {
        const [row] = await read<{ requests: number }>(
          `SELECT count(DISTINCT COALESCE(request_id, contact)) AS requests
           FROM (SELECT * FROM do_not_call_history WHERE done_by = $1 AND at > $2 ORDER BY at DESC LIMIT ${NEWEST}) AS newest
           WHERE event IN ('added', 'confirmed') AND source = ANY($3)`,
          [name, since, enteredByHand],
        )
        most = Math.max(most, row?.requests ?? 0)
      }
      return most
    },
    /** Which of these leads the list closes. */
    async leadsOnDoNotCallList(ids: readonly string[]) {
      const rows = await read<{ id: string }>(
        `SELECT id FROM leads WHERE id = ANY($1) AND ${isNotErased} AND ${isClosedByList}`,
        [ids],
      )
      return new Set(rows.map(({ id }) => id))
    },
    /** The entries that close the lead: its own phone number and email, then emails of other leads with the number. */
    async doNotCallEntriesOf(leadId: string): Promise<readonly ClosingEntry[]> {
      const [lead] = await read<{ email: string; phone: string }>(
        `SELECT email, phone FROM leads WHERE id = $1 AND ${isNotErased}`,
        [leadId],
      )
      if (!lead) return []
      const isOwn = ({ entry }: { readonly entry: string }) => entry === lead.email || entry === lead.phone
      const entries = (await stopsOf(read, lead.phone)).map(entry => ({ ...entry, isOwn: isOwn(entry) }))
      return [...entries.filter(isOwn), ...entries.filter(entry => !isOwn(entry))]
    },
    /** What a stop of the lead covers: its number and address, and those of leads in its chain. */
    entriesOfChain: (leadId: string) => entriesOfChain(read, leadId),
    /** The entries that would close a lead with these contacts. */
    stopsOfContacts(contact: Pick<Contact, 'email' | 'phone'>) {
      const [email, phone] = entriesOf(contact)
      return stopsOf(read, phone, email)
    },
    /** Each contact is ten digits or a lowercase email address. Sorted alphabetically, starting after `after`. `changedAt`: put back, too. */
    async doNotCallList({ after, limit }: { readonly after: string; readonly limit: number }) {
      return read<{ contact: string; addedAt: number; changedAt: number }>(
        `SELECT contact, added_at, COALESCE((SELECT MAX(at) FROM do_not_call_history
             WHERE do_not_call_history.contact = do_not_call.contact), added_at) AS changed_at
           FROM do_not_call WHERE contact > $1 ORDER BY contact LIMIT $2`,
        [after, limit],
      )
    },
    newestEntries: (page: EntryPage) => newestEntries(read, page),
    async countStopRequests(filter: EntryFilter): Promise<number> {
      const { where, parameters } = await conditionsOf(read, filter)
      // Imported lists have no requests: counting half a million distinct values would take seconds.
      const [row] = await read<{ total: number }>(
        `SELECT count(*) - count(request_id) + count(DISTINCT request_id) AS total FROM do_not_call WHERE ${where}`,
        parameters,
      )
      return row?.total ?? 0
    },
  }
}

export async function newestEntries(sql: Sql, { before, limit, ...filter }: EntryPage): Promise<readonly EntryRow[]> {
  const { where, parameters, parameter } = await conditionsOf(sql, filter)
  const isNext = before
    ? `(do_not_call.added_at, do_not_call.contact) < (${parameter(before.at)}, ${parameter(before.entry)})`
    : 'true'
  return sql<EntryRow>(
    `${selectEntries} WHERE ${where} AND ${isNext}
     ORDER BY do_not_call.added_at DESC, do_not_call.contact DESC LIMIT ${parameter(limit)}`,
    parameters,
  )
}

async function conditionsOf(sql: Sql, { search = '', source, since, until }: EntryFilter) {
  const parameters: Value[] = []
  const parameter = (value: Value) => `$${parameters.push(value)}`
  const conditions = ['true']
  const digits = phoneDigits(search)
  const wanted = /[a-z@]/i.test(search) || digits === '' ? canonicalEmail(search) : digits
  if (wanted !== '') {
    const part = parameter(`%${wanted.replaceAll(/[!%_]/g, '!$&')}%`)
    const leads = await fewMatches(sql, search, MOST_NAMED)
    const found = sql.dialect.leadsAmong(parameter(JSON.stringify(leads ?? [])))
    conditions.push(`(do_not_call.contact LIKE ${part} ESCAPE '!'
      OR do_not_call.contact IN (SELECT leads.phone FROM ${found} UNION ALL SELECT leads.email FROM ${found}))`)
  }
  if (source === 'not recorded') conditions.push('do_not_call.source IS NULL')
  else if (source !== undefined) conditions.push(`do_not_call.source = ${parameter(source)}`)
  if (since !== undefined) conditions.push(`do_not_call.added_at >= ${parameter(since)}`)
  if (until !== undefined) conditions.push(`do_not_call.added_at < ${parameter(until)}`)
  return { where: conditions.join(' AND '), parameters, parameter }
}
