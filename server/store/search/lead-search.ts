/**
 * Finds leads by a part of their name, address or number among a million, and costs captures nothing: no index is kept for it.
 * The text of all leads is read into memory once, and what has come since before every search. What is found is looked up in
 * the store before it is shown, so nobody sees an erased lead, or one as it was.
 */
import { firstIdAt } from '../lead-id.ts'
import type { LeadFilter, LeadRecord } from '../lead-records.ts'
import type { Store } from '../store.ts'
import { QueryTimeoutError } from '../store-errors.ts'
import { type KnownLeads, type KnownStore, readLeads } from './known-leads.ts'
import type { IdRange } from './search-memory.ts'
import { isFoundBy, readSearch, searchText } from './search-text.ts'

export interface SearchRequest {
  readonly typed: string
  readonly filter: LeadFilter
  readonly order: 'newest first' | 'oldest first'
  readonly limit: number
  /** The last id of the page before; null for the first page. */
  readonly after: string | null
}

export interface CountRequest extends Pick<SearchRequest, 'typed' | 'filter'> {
  readonly most: number
}

/** The first page of what is found. */
export interface FirstFound {
  readonly leads: readonly LeadRecord[]
  /** How many are found in all, but counted only so far; null where that takes more than a look into memory. */
  readonly total: number | null
}

export interface LeadSearch {
  search(request: SearchRequest): Promise<readonly LeadRecord[]>
  /** The first page, with how many there are where that costs next to nothing: whoever types asks for both at every letter. */
  searchFirst(request: Omit<SearchRequest, 'after'> & CountRequest): Promise<FirstFound>
  /** So many ids at most, the oldest first. */
  searchIds(request: Pick<SearchRequest, 'typed' | 'filter' | 'limit'>): Promise<readonly string[]>
  /** How many are found, but counted only so far. */
  count(request: CountRequest): Promise<number>
}

export interface PreparedSearch extends LeadSearch {
  /** Reads all leads in, so that the first who searches need not wait for that. */
  prepare(): Promise<void>
  /** Nothing of what was erased since stays in memory. To be called every second or so. */
  forgetErased(): Promise<void>
}

export interface LeadSearchOptions {
  readonly giveUpAfterMs?: number
  /** What was read from the store within this time is new enough. */
  readonly freshMs?: number
}

type SearchedStore = KnownStore & Pick<Store, 'page' | 'leadsAmong'>

const FRESH_MS = 700
/** Most pages are full of what is found first. */
const LOOK_UP_FIRST = 60
const LOOK_UP_AT_A_TIME = 200
/** Looked at by the one way, before it is the other's turn. */
const TURN = 600
const GIVEN_UP = 'The search took too long, and was given up. Type more of it, or narrow the list by a filter.'
/** After the last id there can be. */
const END = 'g'

export function createLeadSearch(
  store: SearchedStore,
  { giveUpAfterMs = 10_000, freshMs = FRESH_MS }: LeadSearchOptions = {},
): PreparedSearch {
  let known: Promise<KnownLeads> | undefined

  async function knownLeads(): Promise<KnownLeads> {
    known ??= readLeads(store, freshMs)
    known.catch(() => {
      known = undefined
    })
    const leads = await known
    await leads.refresh()
    return leads
  }

  /**
   * Two ways lead to the leads that have both what was typed and what the filter asks for: to look up what memory finds, and to
   * compare what the filter finds. Which of them finds less on its way is not known, so they take turns, each from where the
   * other has got to: that takes no more than twice as long as the shorter one.
   */
  async function* find({ typed, filter, order, after }: Omit<SearchRequest, 'limit'>): AsyncIterable<LeadRecord> {
    const search = readSearch(typed)
    if (!search) return
    const giveUpAt = performance.now() + giveUpAfterMs
    const leads = await knownLeads()
    for (let last = after; ; ) {
      let lookedUp = 0
      let isAtEnd = true
      for (const ids of inBatches(leads.find(search, rangeOf(filter, order, last), order))) {
        if (performance.now() > giveUpAt) throw new QueryTimeoutError(GIVEN_UP)
        const found = new Map((await store.leadsAmong({ ids, filter })).map(lead => [lead.id, lead]))
        for (const id of ids) {
          const lead = found.get(id)
          // As it is now: memory may have it as it was.
          if (lead && isFoundBy(search, id, searchText(lead))) yield lead
        }
        last = ids.at(-1) ?? last
        lookedUp += ids.length
        isAtEnd = lookedUp < TURN || !narrows(filter)
        if (!isAtEnd) break
      }
      if (isAtEnd) return
      const compared = await store.page({ filter, order, limit: TURN, after: last })
      for (const lead of compared) if (isFoundBy(search, lead.id, searchText(lead))) yield lead
      if (compared.length < TURN) return
      last = compared.at(-1)?.id ?? last
    }
  }

  /** What memory has may be a second old, which a number may be. */
  async function countInMemory({ typed, filter, most }: CountRequest): Promise<number> {
    const search = readSearch(typed)
    return search ? (await knownLeads()).countFound(search, rangeOf(filter, 'newest first', null), most) : 0
  }

  return {
    prepare: async () => void (await knownLeads()),
    forgetErased: async () => void (await (await known)?.forgetErased()),
    search: request => take(find(request), request.limit),
    async searchIds({ typed, filter, limit }) {
      return (await take(find({ typed, filter, order: 'oldest first', after: null }), limit)).map(({ id }) => id)
    },
    async searchFirst(request) {
      const leads = await take(find({ ...request, after: null }), request.limit)
      if (leads.length < request.limit) return { leads, total: leads.length }
      return { leads, total: narrows(request.filter) ? null : await countInMemory(request) }
    },
    async count({ typed, filter, most }) {
      if (!narrows(filter)) return countInMemory({ typed, filter, most })
      return (await take(find({ typed, filter, order: 'newest first', after: null }), most)).length
    },
  }
}

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

function* inBatches(ids: Iterable<string>): Iterable<readonly string[]> {
  let batch: string[] = []
  let size = LOOK_UP_FIRST
  for (const id of ids) {
    if (batch.push(id) < size) continue
    yield batch
    batch = []
    size = LOOK_UP_AT_A_TIME
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
