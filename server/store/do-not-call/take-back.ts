/**
 * Takes entries back together: anyone can enter strangers' numbers on /stop, thousands of them. Left out are entries of anyone who has or
 * had a lead, and those that another source confirmed: these people may have asked themselves. They're removed one at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { emailMac, phoneMac } from '../leads/erasure.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import { BATCH_PAUSE_MS, type Sql, type SqlPort } from '../sql.ts'
import { removeIn } from './do-not-call.ts'
import { type EntryFilter, type EntryMark, newestEntries } from './requests.ts'
import { closedByEmails, contactOfEntry, kindOf, lockContacts } from './stops.ts'

const BATCH = 200

export interface TakeBackOrder {
  /** Selected entries, or all that match. */
  readonly chosen: readonly string[] | EntryFilter
  readonly by: string
  readonly reason: string
  /** The installation's key, to find erased people; null if nobody was erased. */
  readonly key: string | null
}

export function createTakeBack({ read, transact, now }: SqlPort) {
  return {
    /** Those of these entries that aren't taken back together. */
    ownEntries: ({ entries, key }: { readonly entries: readonly string[]; readonly key: string | null }) =>
      ownEntries(read, entries, key),
    /** Returns the entries that were removed. */
    async takeBackEntries({ chosen, by, reason, key }: TakeBackOrder): Promise<readonly string[]> {
      const removed: string[] = []
      const removeStrangers = async (entries: readonly string[]) => {
        const strangers = await transact(async tx => {
          await lockContacts(tx, entries)
          // A colleague may have confirmed one before the lock.
          const own = await ownEntries(tx, entries, key)
          const contacts = entries.filter(entry => !own.has(entry)).map(contactOfEntry)
          return (await removeIn(tx, { contacts, by, source: 'desk', request: null, reason })).removed
        })
        removed.push(...strangers)
        await sleep(BATCH_PAUSE_MS)
      }
      if (!('length' in chosen)) {
        // What comes in from now on wasn't on the page.
        const until = Math.min(chosen.until ?? Number.POSITIVE_INFINITY, (await now()) + 1)
        for (let before: EntryMark | null = null; ; ) {
          const batch: readonly EntryMark[] = await newestEntries(read, { ...chosen, until, before, limit: BATCH })
          if (batch.length > 0) await removeStrangers(batch.map(({ entry }) => entry))
          before = batch.at(-1) ?? null
          if (batch.length < BATCH) return removed
        }
      }
      for (let start = 0; start < chosen.length; start += BATCH)
        await removeStrangers(chosen.slice(start, start + BATCH))
      return removed
    },
  }
}

async function ownEntries(sql: Sql, entries: readonly string[], key: string | null): Promise<ReadonlySet<string>> {
  const phones = entries.filter(entry => kindOf(entry) === 'phone')
  const emails = entries.filter(entry => kindOf(entry) === 'email')
  const ofLeads = await sql<{ contact: string }>(
    `SELECT DISTINCT phone AS contact FROM leads WHERE ${phoneMarkOfKey} = ANY($1) AND phone = ANY($2)`,
    [phones.map(phoneMark), phones],
  )
  const confirmed = await sql<{ contact: string }>(
    `SELECT do_not_call.contact FROM do_not_call
       JOIN do_not_call_history AS other ON other.contact = do_not_call.contact AND other.n >= do_not_call.n
     WHERE do_not_call.contact = ANY($1) AND other.event IN ('added', 'confirmed')
       AND COALESCE(other.source, '') <> COALESCE(do_not_call.source, '')
       AND NOT EXISTS (SELECT 1 FROM do_not_call_history AS undone
         WHERE undone.contact = other.contact AND undone.undoes = other.n)`,
    [entries],
  )
  const own = new Set([...ofLeads, ...confirmed].map(({ contact }) => contact))
  for (const { email } of await closedByEmails(sql, emails)) own.add(email)
  for (const entry of key === null ? [] : await erasedAmong(sql, entries, key)) own.add(entry)
  return own
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
