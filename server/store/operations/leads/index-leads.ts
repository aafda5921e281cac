/** Makes new leads searchable. For SQLite only, where captures would take 30 times as long if they indexed each lead. */
import { type OnFailure, repeat } from '../../../process/timers.ts'
import type { SqlPort } from '../../sql.ts'
import { addNewSearchTexts, notIndexed } from '../../tables/lead-search.ts'

const INDEX_EVERY_MS = 700
const BATCH = 500
/** Pause between batches, so captures get a turn while a large store is indexed after an upgrade. */
const PAUSE_MS = 10
export function createSearchIndex({ read, transact }: SqlPort) {
  return {
    /** Returns how many leads were indexed. */
    async indexLeads({ limit }: { readonly limit: number }) {
      if (!read.dialect.hasTrigramTable) return 0
      const { length } = await read(notIndexed('leads.rowid'), [limit])
      if (length > 0) await transact(tx => addNewSearchTexts(tx, limit))
      return length
    },
  }
}

/** Indexes new leads about every second and, after an upgrade, all existing ones. Returns a stop function. */
export function startSearchIndexer(
  store: Pick<ReturnType<typeof createSearchIndex>, 'indexLeads'>,
  onFailure: OnFailure,
) {
  let stopped = false
  async function indexAll(): Promise<void> {
    while (!stopped && (await store.indexLeads({ limit: BATCH })) === BATCH) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    }
  }
  const stop = repeat(INDEX_EVERY_MS, indexAll, onFailure)
  return () => {
    stopped = true
    return stop()
  }
}
