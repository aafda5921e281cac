/** Finds leads for the list, its count, bulk jobs, and exports, all with the same filter. */
import type { LeadFilter } from '../../../server/store/facts/leads/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import { leadPages } from '../../../server/store/views/leads.ts'
import { type LeadSort, MAX_COUNTED } from '../../limits.ts'

const BATCH = 500
/** Counts one past the limit, to find out whether there are more leads. */
const COUNT_LIMIT = MAX_COUNTED + 1

export type LeadFinder = ReturnType<typeof createLeadFinder>

interface PageOrder {
  readonly sort: LeadSort
  readonly after: string | null
  readonly limit: number
}

export function createLeadFinder(reader: Pick<Store, 'page' | 'countUpTo'>) {
  /** All matching leads, oldest first, one batch at a time. */
  const batches = (filter: LeadFilter) => leadPages(reader, { filter, order: 'oldest first', limit: BATCH })

  return {
    batches,
    /** Oldest first, at most one more than MAX_COUNTED. */
    async ids(filter: LeadFilter) {
      const ids: string[] = []
      for await (const batch of batches(filter)) {
        ids.push(...batch.map(({ id }) => id))
        if (ids.length >= COUNT_LIMIT) break
      }
      return ids.slice(0, COUNT_LIMIT)
    },
    /** Exact up to MAX_COUNTED. */
    count: async (filter: LeadFilter) => countOf(await reader.countUpTo({ filter, max: COUNT_LIMIT })),
    async page(filter: LeadFilter, { sort, after, limit }: PageOrder) {
      const order = sort === 'newest' ? 'newest first' : 'oldest first'
      // Fetch one extra to find out whether there's another page.
      const found = await reader.page({ filter, order, limit: limit + 1, after })
      const leads = found.slice(0, limit)
      const isComplete = after === null && found.length <= limit
      return {
        leads,
        next: found.length > limit ? (leads.at(-1)?.id ?? null) : null,
        count: isComplete ? countOf(found.length) : null,
      }
    },
  }
}

/** `exact` is false if there are more than MAX_COUNTED leads. */
function countOf(total: number) {
  return { total: Math.min(total, MAX_COUNTED), exact: total <= MAX_COUNTED }
}
