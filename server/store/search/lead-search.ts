/**
 * Finds leads by a part of their name, address or number among a million, and costs captures nothing: no index is kept for it.
 * The text of all leads is read into memory once, and what has come since before every search. What is found is looked up in
 * the store before it is shown, so nobody sees an erased lead, or one as it was.
 */
import { firstIdAt } from '../lead-id.ts'
import type { LeadFilter, LeadRecord } from '../lead-records.ts'
import type { Store } from '../store.ts'
import { TookTooLong } from '../store-errors.ts'
import { createSearchMemory, findAmong, type IdRange, type SearchMemory, type TextOfLead } from './search-memory.ts'
import { isFoundBy, readSearch, type Search, searchText } from './search-text.ts'

export interface SearchRequest {
  readonly typed: string
  readonly filter: LeadFilter
  readonly order: 'newest first' | 'oldest first'
  readonly limit: number
  /** The last id of the page before; null for the first page. */
  readonly after: string | null
}

export interface LeadSearch {
  search(request: SearchRequest): Promise<readonly LeadRecord[]>
  /** So many ids at most, the oldest first. */
  searchIds(request: Pick<SearchRequest, 'typed' | 'filter' | 'limit'>): Promise<readonly string[]>
}

export interface PreparedSearch extends LeadSearch {
  /** Reads all leads in, so that the first who searches need not wait for that. */
  prepare(): Promise<void>
}

export interface LeadSearchOptions {
  readonly giveUpAfterMs?: number
}

type SearchedStore = Pick<Store, 'page' | 'leadsAmong' | 'searchableLeads' | 'idsSince' | 'storeTime'>

/** A lead may be committed so much later than its id says, and another with a later id before it. */
const LATE_MS = 8000
/** Most are not late at all: only now and then all of that time is read again, which is much while many leads come in. */
const MOSTLY_LATE_MS = 1500
const LOOK_FOR_LATE_EVERY_MS = 5000
/** What was read within this time is new enough. */
const FRESH_MS = 700
/** All is read anew after this time: what was erased meanwhile does not stay in memory for longer. */
const REBUILD_MS = 6 * 60 * 60 * 1000
const READ_AT_A_TIME = 5000
const LOOK_UP_AT_A_TIME = 200
/** Of these a filter finds so few that they are all compared; if there are more, so do the newest of them often enough. */
const COMPARED_FIRST = 2000
const GIVEN_UP = 'The search took too long, and was given up. Type more of it, or narrow the list by a filter.'
/** After the last id there can be. */
const END = 'g'

export function createLeadSearch(
  store: SearchedStore,
  { giveUpAfterMs = 10_000 }: LeadSearchOptions = {},
): PreparedSearch {
  let known: Promise<KnownLeads> | undefined
  let builtAt = 0
  let rebuilding = false

  async function build(): Promise<KnownLeads> {
    const leads = createKnownLeads(store)
    await leads.refresh()
    builtAt = performance.now()
    return leads
  }

  async function knownLeads(): Promise<KnownLeads> {
    known ??= build()
    known.catch(() => {
      known = undefined
    })
    const leads = await known
    if (performance.now() - builtAt > REBUILD_MS && !rebuilding) {
      rebuilding = true
      void build().then(
        rebuilt => {
          known = Promise.resolve(rebuilt)
          rebuilding = false
        },
        () => {
          rebuilding = false
        },
      )
    }
    await leads.refresh()
    return leads
  }

  async function* find(request: Omit<SearchRequest, 'limit'>): AsyncIterable<LeadRecord> {
    const { typed, filter, order, after } = request
    const search = readSearch(typed)
    if (!search) return
    const giveUpAt = performance.now() + giveUpAfterMs
    let last = after
    if (narrows(filter)) {
      const compared = await store.page({ filter, order, limit: COMPARED_FIRST, after })
      for (const lead of compared) if (isFoundBy(search, lead.id, searchText(lead))) yield lead
      if (compared.length < COMPARED_FIRST) return
      last = compared.at(-1)?.id ?? null
    }
    const range = rangeOf(filter, order, last)
    const leads = await knownLeads()
    for (const ids of inBatches(leads.find(search, range, order), LOOK_UP_AT_A_TIME)) {
      if (performance.now() > giveUpAt) throw new TookTooLong(GIVEN_UP)
      const found = new Map((await store.leadsAmong({ ids, filter })).map(lead => [lead.id, lead]))
      for (const id of ids) {
        const lead = found.get(id)
        // As it is now: memory may have it as it was.
        if (lead && isFoundBy(search, id, searchText(lead))) yield lead
      }
    }
  }

  return {
    prepare: async () => void (await knownLeads()),
    search: request => take(find(request), request.limit),
    async searchIds({ typed, filter, limit }) {
      return (await take(find({ typed, filter, order: 'oldest first', after: null }), limit)).map(({ id }) => id)
    },
  }
}

interface KnownLeads {
  /** Reads what has come since. */
  refresh(): Promise<void>
  find(search: Search, range: IdRange, order: SearchRequest['order']): Iterable<string>
}

function createKnownLeads(store: SearchedStore): KnownLeads {
  const memory: SearchMemory = createSearchMemory()
  /** The youngest: one with an earlier id may still come between them. */
  const young = new Map<string, TextOfLead>()
  let youngInOrder: readonly TextOfLead[] = []
  let readUntil = 0
  /** All that came so long before this instant that it cannot be late any more is read. */
  let lateReadUntil = 0
  let refreshedAt = Number.NEGATIVE_INFINITY
  let refreshing: Promise<void> | undefined

  async function read(): Promise<void> {
    const now = await store.storeTime()
    const isForLate = now - lateReadUntil > LOOK_FOR_LATE_EVERY_MS
    if (memory.size + young.size === 0) await readAll(now)
    else await readSince(isForLate ? lateReadUntil - LATE_MS : readUntil - MOSTLY_LATE_MS)
    readUntil = Math.max(readUntil, now)
    if (isForLate) lateReadUntil = now
    settle()
    refreshedAt = performance.now()
  }

  async function readAll(now: number): Promise<void> {
    const old = firstIdAt(now - LATE_MS)
    for (let after = ''; ; ) {
      const leads = await store.searchableLeads({ after, limit: READ_AT_A_TIME })
      const texts = leads.map(lead => ({ id: lead.id, text: searchText(lead) }))
      memory.append(texts.filter(({ id }) => id < old))
      for (const lead of texts) if (lead.id >= old) young.set(lead.id, lead)
      if (leads.length < READ_AT_A_TIME) return
      after = leads.at(-1)?.id ?? END
    }
  }

  async function readSince(since: number): Promise<void> {
    for (let after = ''; ; ) {
      const ids = await store.idsSince({ since, after, limit: READ_AT_A_TIME })
      const unknown = ids.filter(id => !young.has(id))
      for (const lead of await store.searchableLeads({ ids: unknown })) {
        young.set(lead.id, { id: lead.id, text: searchText(lead) })
      }
      if (ids.length < READ_AT_A_TIME) return
      after = ids.at(-1) ?? END
    }
  }

  /** Those that no other can come before any more. */
  function settle(): void {
    const before = firstIdAt(lateReadUntil - LATE_MS)
    const inOrder = [...young.values()].toSorted(byId)
    const settled = inOrder.filter(({ id }) => id < before)
    memory.append(settled)
    for (const { id } of settled) young.delete(id)
    youngInOrder = inOrder.slice(settled.length)
  }

  return {
    async refresh() {
      if (performance.now() - refreshedAt < FRESH_MS) return
      refreshing ??= read().finally(() => {
        refreshing = undefined
      })
      await refreshing
    },
    *find(search, range, order) {
      if (order === 'newest first') {
        yield* findAmong(youngInOrder, search, range, order)
        yield* memory.find(search, range, order)
      } else {
        yield* memory.find(search, range, order)
        yield* findAmong(youngInOrder, search, range, order)
      }
    },
  }
}

const byId = (a: TextOfLead, b: TextOfLead) => (a.id < b.id ? -1 : 1)

/** By more than time, which memory knows itself. */
function narrows({ since: _since, until: _until, ...others }: LeadFilter): boolean {
  return Object.values(others).some(value => value !== undefined)
}

function rangeOf({ since, until }: LeadFilter, order: SearchRequest['order'], after: string | null): IdRange {
  const from = since === undefined ? '' : firstIdAt(since)
  const before = until === undefined ? END : firstIdAt(until)
  if (after === null) return { from, before }
  if (order === 'newest first') return { from, before: after < before ? after : before }
  // The next text after an id.
  const next = `${after} `
  return { from: next > from ? next : from, before }
}

function* inBatches(ids: Iterable<string>, size: number): Iterable<readonly string[]> {
  let batch: string[] = []
  for (const id of ids) {
    if (batch.push(id) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function take<T>(items: AsyncIterable<T>, limit: number): Promise<readonly T[]> {
  const taken: T[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= limit) break
  }
  return taken
}
