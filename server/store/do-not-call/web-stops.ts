/**
 * Floods of requests on /stop: anyone can enter strangers' numbers there. An editor reviews a flood's entries and takes them back
 * together. Entries that a colleague or the CRM confirmed stay, and so do those of people who have a lead: they may have asked
 * themselves.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { emailMark, KEY_VERSION, phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { BATCH_PAUSE_MS, type Dialect, type Sql, type SqlPort } from '../sql.ts'
import { removeIn } from './do-not-call.ts'
import { contactKeys, contactOfEntry, kindOf } from './stops.ts'

const SLOT_MS = 10 * 60_000
/** Per slot. On other days, there are a few an hour. */
const MIN_FLOOD = 50
const BATCH = 200

export interface Flood {
  readonly since: number
  readonly until: number
  readonly entries: number
}

interface Period {
  readonly since: number
  /** Inclusive. */
  readonly until: number
}

const confirmedElsewhere = `EXISTS (SELECT 1 FROM do_not_call_history AS other WHERE other.contact = asked.contact
  AND other.at >= asked.at AND other.event IN ('added', 'confirmed') AND COALESCE(other.source, '') <> 'web')`

/** Entries on the list that only the website asked for. */
const fromWebOnly = `do_not_call_history AS asked
  JOIN do_not_call ON do_not_call.contact = asked.contact AND do_not_call.added_at = asked.at
  WHERE asked.source = 'web' AND asked.event = 'added' AND asked.at >= $1 AND asked.at <= $2 AND NOT ${confirmedElsewhere}`

export function createWebStops({ read, transact, dialect }: SqlPort) {
  const entries = (sql: Sql, { since, until, after, limit }: Period & { after: string; limit: number }) =>
    sql<{ readonly contact: string; readonly at: number }>(
      `SELECT asked.contact, asked.at FROM ${fromWebOnly} AND asked.contact > $3 ORDER BY asked.contact LIMIT $4`,
      [since, until, after, limit],
    )

  return {
    /** Newest first. */
    async webFloods({ since, until }: Period): Promise<readonly Flood[]> {
      const slots = await read<Flood & { readonly slot: number }>(
        `SELECT asked.at / ${SLOT_MS} AS slot, MIN(asked.at) AS since, MAX(asked.at) AS until, COUNT(*) AS entries
         FROM ${fromWebOnly} GROUP BY 1 ORDER BY 1`,
        [since, until],
      )
      return floodsIn(slots)
    },
    /** `hasLead`: the person may have asked themselves, so the entry stays. */
    async webStops(page: Period & { readonly after: string; readonly limit: number }) {
      const found = await entries(read, page)
      const known = await withLeads(
        read,
        dialect,
        found.map(({ contact }) => contact),
      )
      return found.map(entry => ({ ...entry, hasLead: known.has(entry.contact) }))
    },
    /** Returns the entries that were removed. */
    async takeBackWebStops({ since, until, by, reason }: Period & { readonly by: string; readonly reason: string }) {
      const removed: string[] = []
      for (let after = ''; ; ) {
        const batch = await transact(async sql => {
          const page = { since, until, after, limit: BATCH }
          const first = await entries(sql, page)
          await dialect.lockKeys(sql, contactKeys(first.map(({ contact }) => contact)))
          // A colleague may have confirmed one before the lock.
          const found = (await entries(sql, page)).map(({ contact }) => contact)
          const known = await withLeads(sql, dialect, found)
          const strangers = found.filter(contact => !known.has(contact))
          await removeIn(sql, { contacts: strangers.map(contactOfEntry), by, source: 'desk', request: null, reason })
          return { strangers, last: first.length < BATCH ? null : (first.at(-1)?.contact ?? null) }
        })
        removed.push(...batch.strangers)
        if (batch.last === null) break
        after = batch.last
        await sleep(BATCH_PAUSE_MS)
      }
      return removed
    },
  }
}

/** A flood is a run of busy slots, and the slots next to them. */
export function floodsIn(slots: readonly (Flood & { readonly slot: number })[]): readonly Flood[] {
  const busy = new Set(slots.filter(({ entries }) => entries >= MIN_FLOOD).map(({ slot }) => slot))
  const floods: (Flood & { readonly slot: number })[] = []
  for (const part of slots) {
    if (![part.slot - 1, part.slot, part.slot + 1].some(slot => busy.has(slot))) continue
    const before = floods.at(-1)
    if (before?.slot !== part.slot - 1) floods.push(part)
    else floods[floods.length - 1] = { ...part, since: before.since, entries: before.entries + part.entries }
  }
  return floods.map(({ slot: _, ...flood }) => flood).toReversed()
}

/** Those of these entries that have a lead. */
async function withLeads(sql: Sql, { valuesOf }: Dialect, entries: readonly string[]): Promise<ReadonlySet<string>> {
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  const known = await sql<{ contact: string }>(
    `SELECT DISTINCT phone AS contact FROM leads WHERE ${phoneMarkOfKey} IN ${valuesOf('$1')} AND phone IN ${valuesOf('$2')}`,
    [JSON.stringify(phones.map(phoneMark)), JSON.stringify(phones)],
  )
  const contacts = known.map(({ contact }) => contact)
  for (const email of entries.filter(entry => kindOf(entry) === 'email')) {
    const prefix = `${KEY_VERSION}${emailMark(email)}`
    const found = await sql('SELECT 1 FROM leads WHERE person_key >= $1 AND person_key < $2 AND email = $3 LIMIT 1', [
      prefix,
      `${prefix}~`,
      email,
    ])
    if (found.length > 0) contacts.push(email)
  }
  return new Set(contacts)
}
