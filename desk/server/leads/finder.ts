/** Finds leads for the list, its count, bulk jobs, and exports, all by one filter. */
import type { LeadFilter, LeadRecord } from '../../../server/store/lead-records.ts'
import { leadPages } from '../../../server/store/leads.ts'
import type { Store } from '../../../server/store/store.ts'
import { type LeadSort, MOST_COUNTED } from '../../limits.ts'
import { ApiError } from '../api-error.ts'

const BATCH = 500
/** One more shows that there are more. */
const COUNT_LIMIT = MOST_COUNTED + 1

export type LeadFinder = ReturnType<typeof createLeadFinder>

interface PageOrder {
  readonly sort: LeadSort
  readonly after: string | null
  readonly limit: number
}

export function createLeadFinder(reader: Pick<Store, 'page' | 'countUpTo'>) {
  /** All of them, oldest first, a batch at a time. */
  const batches = (filter: LeadFilter) => leadPages(reader, { filter, order: 'oldest first', limit: BATCH })

  async function upToLimit(filter: LeadFilter): Promise<readonly LeadRecord[]> {
    const found: LeadRecord[] = []
    for await (const batch of batches(filter)) {
      found.push(...batch)
      if (found.length >= COUNT_LIMIT) break
    }
    return found.slice(0, COUNT_LIMIT)
  }

  async function byName(filter: LeadFilter): Promise<readonly LeadRecord[]> {
    const found = await upToLimit(filter)
    if (found.length > MOST_COUNTED) {
      throw new ApiError(
        'bad request',
        `More than ${MOST_COUNTED.toLocaleString('en-US')} leads can’t be sorted by name. Narrow the list first.`,
      )
    }
    return found.toSorted(
      (a, b) =>
        names.compare(a.lastName ?? '', b.lastName ?? '') ||
        names.compare(a.firstName ?? '', b.firstName ?? '') ||
        (a.id < b.id ? -1 : 1),
    )
  }

  return {
    batches,
    /** Oldest first, one more than MOST_COUNTED at most. */
    ids: async (filter: LeadFilter) => (await upToLimit(filter)).map(({ id }) => id),
    /** Exact up to MOST_COUNTED. */
    count: async (filter: LeadFilter) => countOf(await reader.countUpTo({ filter, most: COUNT_LIMIT })),
    async page(filter: LeadFilter, { sort, after, limit }: PageOrder) {
      if (sort === 'name') {
        const sorted = await byName(filter)
        const start = after === null ? 0 : sorted.findIndex(({ id }) => id === after) + 1
        if (after !== null && start === 0) throw new ApiError('conflict', 'The list has changed. Reload it.')
        const leads = sorted.slice(start, start + limit)
        const next = start + limit < sorted.length ? (leads.at(-1)?.id ?? null) : null
        return { leads, next, count: after === null ? countOf(sorted.length) : null }
      }
      const order = sort === 'newest' ? 'newest first' : 'oldest first'
      // One more than is shown tells whether there is another page.
      const found = await reader.page({ filter, order, limit: limit + 1, after })
      const leads = found.slice(0, limit)
      const isAll = after === null && found.length <= limit
      return {
        leads,
        next: found.length > limit ? (leads.at(-1)?.id ?? null) : null,
        count: isAll ? countOf(found.length) : null,
      }
    },
  }
}

/** `exact` is false if there are more. */
function countOf(total: number) {
  return { total: Math.min(total, MOST_COUNTED), exact: total <= MOST_COUNTED }
}

const names = new Intl.Collator('en', { sensitivity: 'base' })
