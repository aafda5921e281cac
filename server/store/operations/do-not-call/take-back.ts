/**
 * Takes many requests off the do-not-call list together: anyone can enter strangers' numbers on /stop, thousands of them, and a colleague's
 * session may be in the wrong hands. A request goes whole or not at all: see `whyItStays` in domain/do-not-call/do-not-call.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  enteredByHand,
  type StopSource,
  type WhyItStays,
  whyItStays,
} from '../../../../domain/do-not-call/do-not-call.ts'
import { type StandingRequest, standingIn } from '../../facts/do-not-call/requests.ts'
import { closedByEmails, contactOfEntry, kindOf, lockContacts } from '../../facts/do-not-call/stops.ts'
import { emailMac, phoneMac } from '../../facts/leads/hashes.ts'
import { phoneMark, phoneMarkOfKey } from '../../facts/leads/person-keys.ts'
import { BATCH_PAUSE_MS, type Sql, type SqlPort, valuesOf } from '../../sql.ts'
import { isOfOthers, knowsOf, removeIn, type TakenBack } from './remove.ts'

const BATCH = 200

/** What came in through one door since a time: the website, or a colleague. */
export interface WorkOf {
  /** A colleague's name, or null for the website. */
  readonly person: string | null
  readonly since: number
  readonly until: number
}

/** Requests by their IDs, as the list shows them: an entry that has none is one by itself. */
export type TakeBackChoice = { readonly requests: readonly string[] } | WorkOf

interface ChosenRequests {
  readonly chosen: TakeBackChoice
  /** The installation's key, to find erased people; null if nobody was erased. */
  readonly key: string | null
}

export interface TakeBackOrder extends ChosenRequests {
  readonly by: string
  readonly reason: string
  /** Requests that go, too, although there's a reason to keep them. */
  readonly also: readonly string[]
}

/** A request that stands, with the reason for it to stay when requests are taken back together; null: it goes. */
export interface RequestToTakeBack {
  readonly id: string
  readonly at: number
  readonly source: StopSource | null
  readonly askedOn: string | null
  readonly entries: readonly string[]
  readonly stays: WhyItStays | null
}

export function createTakeBack({ read, transact }: SqlPort, onDue: () => void) {
  return {
    /** Everyone who ever changed the list by hand, by name. */
    changedListBy: () => valuesOf(read, 'done_by', 'do_not_call_history', 'done_by IS NOT NULL'),
    /** What `takeBackRequests` would do. Without a period, only with requests that stand. */
    async requestsToTakeBack({ chosen, key }: ChosenRequests): Promise<readonly RequestToTakeBack[]> {
      const found = new Map<string, RequestToTakeBack>()
      for await (const ids of batchesOf(read, chosen))
        for (const request of await toTakeBack(read, ids, { chosen, key })) found.set(request.id, request)
      return [...found.values()]
    },
    /** Returns the entries that were removed. */
    async takeBackRequests({ chosen, also, by, reason, key }: TakeBackOrder) {
      const parts: Pick<TakenBack, 'removed' | 'crm'>[] = []
      for await (const ids of batchesOf(read, chosen)) {
        const part = await transact(async tx => {
          await lockContacts(tx, await entriesOfRequests(tx, ids))
          // A colleague may have confirmed one before the lock.
          const requests = await toTakeBack(tx, ids, { chosen, key })
          const going = requests.filter(({ id, stays }) => stays === null || also.includes(id))
          const contacts = going.flatMap(({ entries }) => entries).map(contactOfEntry)
          return removeIn(tx, { contacts, by, source: 'desk', request: null, reason })
        })
        parts.push(part)
        await sleep(BATCH_PAUSE_MS)
      }
      onDue()
      return { removed: parts.flatMap(({ removed }) => removed), crm: knowsOf(parts) }
    },
  }
}

/** As the history has it. */
const nameOf = ({ person }: WorkOf) => person ?? 'website'

/** The IDs of the chosen requests. One may be in two batches. */
async function* batchesOf(sql: Sql, chosen: TakeBackChoice): AsyncGenerator<readonly string[]> {
  if ('requests' in chosen) {
    for (let start = 0; start < chosen.requests.length; start += BATCH)
      yield chosen.requests.slice(start, start + BATCH)
    return
  }
  const { since, until } = chosen
  const sources = chosen.person === null ? (['web'] as const) : enteredByHand
  for (let [at, contact] = [since, '']; ; ) {
    const rows = await sql<{ at: number; contact: string; requestId: string | null }>(
      `SELECT at, contact, request_id FROM do_not_call_history
       WHERE done_by = $1 AND at >= $2 AND (at, contact) > ($2, $3) AND at < $4
         AND event IN ('added', 'confirmed') AND source = ANY($5) ORDER BY at, contact LIMIT ${BATCH}`,
      [nameOf(chosen), at, contact, until, sources],
    )
    if (rows.length > 0) yield [...new Set(rows.map(row => row.requestId ?? row.contact))]
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    ;({ at, contact } = last)
  }
}

async function entriesOfRequests(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ contact: string }>(
    `SELECT contact FROM do_not_call_history WHERE request_id = ANY($1)
     UNION SELECT contact FROM do_not_call WHERE contact = ANY($1)`,
    [ids],
  )
  return rows.map(({ contact }) => contact)
}

/** Which of these requests stand, and whether they go. */
async function toTakeBack(
  sql: Sql,
  ids: readonly string[],
  { chosen, key }: ChosenRequests,
): Promise<readonly RequestToTakeBack[]> {
  const all = await standingIn(sql, await entriesOfRequests(sql, ids))
  const standing = Map.groupBy(all, ({ entry }) => entry)
  const requests = Map.groupBy(all, ({ requestId, entry }) => requestId ?? entry)
  const work = 'requests' in chosen ? null : chosen
  const entries = [...standing.keys()]
  const withLeads = work?.person ? new Set() : await entriesWithLeads(sql, entries, key)
  const dialed = await dialedAmong(sql, all)
  const removedBefore = new Set(work?.person ? await removalsOf(sql, entries, { ...work, person: work.person }) : [])
  const isInWork = ({ by, at }: StandingRequest) =>
    work === null || (by === nameOf(work) && at >= work.since && at < work.until)
  return ids.flatMap(id => {
    const found = (requests.get(id) ?? []).filter(isInWork)
    const [first] = found
    if (!first) return []
    // Entries without a request's ID may be of several people.
    const rows = found.filter(({ by }) => by === first.by)
    const isElsewhere = (other: StandingRequest) => !rows.includes(other) && (other.by !== first.by || !isInWork(other))
    const stays = whyItStays({
      hasLead: rows.some(({ entry }) => withLeads.has(entry)),
      isElsewhere: rows.some(({ entry }) => standing.get(entry)?.some(isElsewhere)),
      onDialedCall: work?.person != null && rows.some(({ callId }) => callId !== null && dialed.has(callId)),
      wasListed: rows.some(({ entry }) => removedBefore.has(entry)),
    })
    const { at, source, askedOn } = first
    return [{ id, at, source, askedOn, entries: [...new Set(rows.map(({ entry }) => entry))], stays }]
  })
}

/** Calls that we made. Anyone can say that someone called us. */
async function dialedAmong(sql: Sql, requests: readonly StandingRequest[]): Promise<ReadonlySet<string>> {
  const ids = requests.flatMap(({ callId }) => callId ?? [])
  if (ids.length === 0) return new Set()
  const rows = await sql<{ id: string }>(
    `SELECT said.id FROM story_events AS said JOIN story_events AS dial
       ON dial.story_id = said.story_id AND dial.n = said.refers_to AND dial.kind = 'dialed'
     WHERE said.id = ANY($1) AND said.kind = 'said'`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

async function removalsOf(sql: Sql, entries: readonly string[], work: WorkOf & { readonly person: string }) {
  const rows = await sql<{ contact: string }>(
    `SELECT removal.contact FROM do_not_call_history AS removal
     WHERE removal.contact = ANY($4) AND removal.done_by = $1 AND removal.at >= $2 AND removal.at < $3
       AND removal.event = 'removed' AND ${isOfOthers}`,
    [work.person, work.since, work.until, entries],
  )
  return rows.map(({ contact }) => contact)
}

/** Entries of anyone who has or had a lead. */
async function entriesWithLeads(
  sql: Sql,
  entries: readonly string[],
  key: string | null,
): Promise<ReadonlySet<string>> {
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  const emails = entries.filter(entry => kindOf(entry) === 'email')
  const ofLeads = await sql<{ contact: string }>(
    `SELECT DISTINCT phone AS contact FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2)`,
    [phones.map(phoneMark), phones],
  )
  const found = new Set(ofLeads.map(({ contact }) => contact))
  for (const { email } of await closedByEmails(sql, emails)) found.add(email)
  for (const entry of key === null ? [] : await erasedAmong(sql, entries, key)) found.add(entry)
  return found
}

async function erasedAmong(sql: Sql, entries: readonly string[], key: string): Promise<readonly string[]> {
  const macs = new Map(
    entries.map(entry => [kindOf(entry) === 'email' ? emailMac(entry, key) : phoneMac(entry, key), entry]),
  )
  // A corrected number is a lead by itself.
  const rows = await sql<{ mac: string }>(
    `SELECT email_mac AS mac FROM erased_people WHERE email_mac = ANY($1)
     UNION SELECT phone_mac FROM erased_people WHERE phone_mac = ANY($1)
     UNION SELECT email_mac FROM corrections WHERE email_mac = ANY($1)`,
    [[...macs.keys()]],
  )
  return rows.flatMap(({ mac }) => macs.get(mac) ?? [])
}
