/**
 * The text of all leads as memory has it, kept up with the store: what has come is read before a search, and what was erased
 * is forgotten at the next look, whether anybody searches or not.
 */
import { firstIdAt } from '../lead-id.ts'
import type { Store } from '../store.ts'
import { createSearchMemory, type IdRange, type SearchMemory } from './search-memory.ts'
import { type SearchableLead, searchText } from './search-text.ts'

export interface KnownLeads extends Pick<SearchMemory, 'find' | 'countFound'> {
  /** Reads what has come since. */
  refresh(): Promise<void>
  /** Forgets what was erased since. */
  forgetErased(): Promise<void>
}

export type KnownStore = Pick<Store, 'searchableLeads' | 'idsBetween' | 'countBetween' | 'erasedSince' | 'storeTime'>

/** While this many come between two looks, the youngest wait for the next one: others are still on their way to the disk. */
const MANY = 1000
const REST_MS = 200
/** A lead may be committed so much later than its id says, and another with a later id before it. */
const LATE_MS = 8000
/** Most are not late at all: only now and then all of that time is looked at again, which is much while many leads come in. */
const MOSTLY_LATE_MS = 1500
const LOOK_FOR_LATE_EVERY_MS = 5000
/** An erasure may be committed so much later than it says. */
const LATE_ERASURE_MS = 60_000
const READ_AT_A_TIME = 5000

/** `freshMs`: what was read within this time is new enough. */
export async function readLeads(store: KnownStore, freshMs: number): Promise<KnownLeads> {
  const memory = createSearchMemory()
  // By our own clock, which nobody sets back.
  let refreshedAt = performance.now()
  let lookedForLateAt = refreshedAt
  let refreshing: Promise<void> | undefined
  let isBusy = false
  let erasuresReadUntil = await store.storeTime()
  let erasedLately: ReadonlySet<string> = new Set()

  /** What was read before it was erased may come here after that. */
  const remember = (leads: readonly SearchableLead[]) =>
    memory.add(leads.map(lead => ({ id: lead.id, text: erasedLately.has(lead.id) ? '' : searchText(lead) })))

  /** The next ones in their order. Answers with how many. */
  async function readOn(before?: string): Promise<number> {
    for (let total = 0; ; ) {
      const leads = await store.searchableLeads({
        after: memory.lastId,
        limit: READ_AT_A_TIME,
        ...(before && { before }),
      })
      remember(leads)
      total += leads.length
      if (leads.length < READ_AT_A_TIME) return total
    }
  }

  /** Counted first: that there are none is soon told, and looked after every second. */
  async function readLate(range: IdRange): Promise<void> {
    if ((await store.countBetween(range)) <= memory.countIn(range)) return
    const known = new Set(memory.idsIn(range))
    for (let { from } = range; ; ) {
      const ids = await store.idsBetween({ from, before: range.before, limit: READ_AT_A_TIME })
      const late = ids.filter(id => !known.has(id))
      for (const id of late) known.add(id)
      remember(await store.searchableLeads({ ids: late }))
      if (ids.length < READ_AT_A_TIME) return
      from = ids.at(-1) ?? range.before
    }
  }

  async function read(): Promise<void> {
    const startedAt = performance.now()
    const now = await store.storeTime()
    const before = firstIdAt(now - (isBusy ? REST_MS : -LATE_MS))
    isBusy = (await readOn(before)) > MANY
    const isForLate = startedAt - lookedForLateAt > LOOK_FOR_LATE_EVERY_MS
    const ago = startedAt - (isForLate ? lookedForLateAt - LATE_MS : refreshedAt - MOSTLY_LATE_MS)
    await readLate({ from: firstIdAt(now - Math.ceil(ago)), before })
    if (isForLate) lookedForLateAt = startedAt
    refreshedAt = startedAt
  }

  await readOn()
  return {
    find: memory.find,
    countFound: memory.countFound,
    async refresh() {
      if (performance.now() - refreshedAt < freshMs) return
      refreshing ??= read().finally(() => {
        refreshing = undefined
      })
      await refreshing
    },
    async forgetErased() {
      const now = await store.storeTime()
      const erased = await store.erasedSince(erasuresReadUntil - LATE_ERASURE_MS)
      const news = erased.filter(id => !erasedLately.has(id))
      erasedLately = new Set(erased)
      erasuresReadUntil = now
      memory.forget(news)
    },
  }
}
