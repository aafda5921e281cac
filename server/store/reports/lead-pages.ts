/** Leads of a filter, however many, a page at a time. */
import type { LeadRecord } from '../lead-records.ts'
import type { PageRequest, Store } from '../store.ts'

/**
 * Each page goes on after the last id of the one before, in a read of its own: a reader that takes its time, such as a
 * pager, then keeps no old state of the store alive.
 */
export async function* leadPages(
  store: Pick<Store, 'page'>,
  request: Omit<PageRequest, 'after'>,
): AsyncIterable<readonly LeadRecord[]> {
  for (let after: string | null = null; ; ) {
    const leads: readonly LeadRecord[] = await store.page({ ...request, after })
    if (leads.length > 0) yield leads
    if (leads.length < request.limit) return
    after = leads.at(-1)?.id ?? null
  }
}
