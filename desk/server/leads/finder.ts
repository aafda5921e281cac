/** Finds leads for the list, for its count, for jobs and for exports: by one filter, with or without a search. */
import type { LeadRecord } from '../../../server/store/lead-records.ts'
import { leadPages } from '../../../server/store/reports/lead-pages.ts'
import type { FirstFound, LeadSearch } from '../../../server/store/search/lead-search.ts'
import type { PageRequest, Store } from '../../../server/store/store.ts'
import { type LeadSort, type LeadsCount, MOST_COUNTED } from '../../api/leads.ts'
import { Refused } from '../refusal.ts'
import type { Meant } from './filter.ts'

const BATCH = 500
/** One more tells that there are more. */
const COUNTED_UP_TO = MOST_COUNTED + 1

export interface LeadFinder {
  page(meant: Meant, page: PageOrder): Promise<FoundPage>
  /** Up to MOST_COUNTED. */
  count(meant: Meant): Promise<LeadsCount>
  /** MOST_COUNTED and one more at most, the oldest first. */
  ids(meant: Meant): Promise<readonly string[]>
  /** All, the oldest first, a batch at a time. */
  batches(meant: Meant): AsyncIterable<readonly LeadRecord[]>
}

export interface FoundPage {
  readonly leads: readonly LeadRecord[]
  readonly next: string | null
  /** Of the first page, where it is known without counting. */
  readonly count: LeadsCount | null
}

export interface PageOrder {
  readonly sort: LeadSort
  readonly after: string | null
  readonly limit: number
}

type FinderStore = Pick<Store, 'page' | 'leadsAmong' | 'countUpTo'>

export function createLeadFinder(reader: FinderStore, search: LeadSearch): LeadFinder {
  async function ids(meant: Meant): Promise<readonly string[]> {
    const { typed, filter } = meant
    const limit = COUNTED_UP_TO
    if (typed !== '') return search.searchIds({ typed, filter, limit })
    const found: string[] = []
    for await (const batch of leadPages(reader, { filter, order: 'oldest first', limit: BATCH })) {
      found.push(...batch.map(({ id }) => id))
      if (found.length >= limit) break
    }
    return found.slice(0, limit)
  }

  async function some({ typed, filter }: Meant, page: Omit<PageRequest, 'filter'>): Promise<FirstFound> {
    if (typed !== '' && page.after === null) {
      return search.searchFirst({ ...page, filter, typed, most: COUNTED_UP_TO })
    }
    const request = { ...page, filter }
    const leads = await (typed === '' ? reader.page(request) : search.search({ ...request, typed }))
    return { leads, total: page.after === null && leads.length < page.limit ? leads.length : null }
  }

  async function byName(meant: Meant): Promise<readonly LeadRecord[]> {
    const found = await ids(meant)
    if (found.length > MOST_COUNTED) {
      throw new Refused(
        'bad request',
        `More than ${MOST_COUNTED.toLocaleString('en-US')} leads are too many to sort by name. Narrow the list first.`,
      )
    }
    const leads = await reader.leadsAmong({ ids: found, filter: meant.filter })
    return leads.toSorted(
      (a, b) =>
        names.compare(a.lastName ?? '', b.lastName ?? '') ||
        names.compare(a.firstName ?? '', b.firstName ?? '') ||
        (a.id < b.id ? -1 : 1),
    )
  }

  return {
    ids,
    async page(meant, { sort, after, limit }) {
      if (sort === 'name') {
        const sorted = await byName(meant)
        const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1
        if (after !== null && start === 0)
          throw new Refused('changed meanwhile', 'The list has changed. Load it again.')
        const leads = sorted.slice(start, start + limit)
        const next = start + limit < sorted.length ? (leads.at(-1)?.id ?? null) : null
        return { leads, next, count: after === null ? countOf(sorted.length) : null }
      }
      const order = sort === 'newest' ? 'newest first' : 'oldest first'
      // One more than is shown tells whether there is another page.
      const { leads: found, total } = await some(meant, { order, limit: limit + 1, after })
      const leads = found.slice(0, limit)
      const next = found.length > limit ? (leads.at(-1)?.id ?? null) : null
      return { leads, next, count: total === null ? null : countOf(total) }
    },
    async count({ typed, filter }) {
      return countOf(
        await (typed === ''
          ? reader.countUpTo({ filter, most: COUNTED_UP_TO })
          : search.count({ typed, filter, most: COUNTED_UP_TO })),
      )
    },
    async *batches({ typed, filter }) {
      const request = { filter, order: 'oldest first', limit: BATCH } as const
      const pages =
        typed === '' ? reader : { page: (page: Parameters<Store['page']>[0]) => search.search({ ...page, typed }) }
      yield* leadPages(pages, request)
    },
  }
}

function countOf(total: number): LeadsCount {
  return { total: Math.min(total, MOST_COUNTED), exact: total <= MOST_COUNTED }
}

const names = new Intl.Collator('en', { sensitivity: 'base' })
