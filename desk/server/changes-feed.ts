/**
 * Tells all open pages that something has changed, whoever changed it, and what every one of them shows: one look at the store a
 * second for all of them.
 */
import type { Store } from '../../server/store/store.ts'

const LOOK_EVERY_MS = 1000

export interface ChangesFeed {
  /** Answers with the way to stop listening. */
  listen(listener: Listener): () => void
}

type Listener = (change: { readonly paused: boolean }) => void

export function createChangesFeed(reader: Pick<Store, 'changeMark' | 'deliveryPause'>): ChangesFeed {
  const listeners = new Set<Listener>()
  let timer: NodeJS.Timeout | undefined
  let mark: string | undefined
  let looking = false

  async function look(): Promise<void> {
    if (looking) return
    looking = true
    try {
      const found = await reader.changeMark()
      const isNews = mark !== undefined && found !== mark
      const paused = isNews && (await reader.deliveryPause()) !== null
      mark = found
      if (isNews) for (const listener of listeners) listener({ paused })
    } catch {
      // The store is away: whoever asks it for something is told so.
    } finally {
      looking = false
    }
  }

  return {
    listen(listener) {
      listeners.add(listener)
      if (!timer) {
        mark = undefined
        timer = setInterval(look, LOOK_EVERY_MS).unref()
        void look()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
