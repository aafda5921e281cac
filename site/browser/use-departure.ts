/** Leaves for another page after a delay, and starts afresh when the visitor comes back. */
import { useEffect } from 'react'
import { discardDraft } from './use-draft.ts'

export function useDeparture(path: string, delay: number, leaving: boolean): void {
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => {
      discardDraft()
      location.assign(path)
    }, delay)
    // Back from the next page to a frozen copy of this one, which would wait for a redirect that is over.
    const restart = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', restart)
    return () => {
      clearTimeout(timer)
      removeEventListener('pageshow', restart)
    }
  }, [path, delay, leaving])
}
