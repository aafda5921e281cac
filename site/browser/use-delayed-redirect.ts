/** Redirects to another page after a delay. Reloads this page if the visitor comes back. */
import { useEffect } from 'react'
import { leaveFor } from './use-question-history.ts'

export function useDelayedRedirect(path: string, delay: number, leaving: boolean): void {
  useEffect(() => {
    if (!leaving) return
    // With the campaign's parameters, in case the visitor tries again (site/browser/inline/keep-campaign.ts).
    const timer = setTimeout(() => leaveFor(path + location.search), delay)
    // The visitor returned to a cached copy of this page, which would wait for a redirect that already happened.
    const restart = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', restart)
    return () => {
      clearTimeout(timer)
      removeEventListener('pageshow', restart)
    }
  }, [path, delay, leaving])
}
