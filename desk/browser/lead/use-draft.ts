/** What was begun and not saved: it is still there when one comes back, or has to sign in again, until the page is closed. */
import { useCallback, useSyncExternalStore } from 'react'

const drafts = new Map<string, string>()
const listeners = new Set<() => void>()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** `key`: whose it is, and about what. */
export function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  // By all who show it: whoever left and came back sees that it was saved meanwhile.
  const text = useSyncExternalStore(listen, () => drafts.get(key) ?? '')
  const setText = useCallback(
    (typed: string) => {
      if (typed === '') drafts.delete(key)
      else drafts.set(key, typed)
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [text, setText]
}
