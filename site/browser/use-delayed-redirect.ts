/** Redirects to another page after a delay. If the visitor comes back, this page starts over. */
import { useEffect } from 'react'
import { leaveFor } from './use-question-history.ts'

export function useDelayedRedirect(path: string, delay: number, leaving: boolean, onReturn?: () => void): void {
  useEffect(() => {
    if (!leaving) return
    // With the campaign's parameters, in case the visitor tries again (site/browser/inline/keep-campaign.ts).
    const timer = setTimeout(() => leaveFor(path + location.search), delay)
    // The visitor returned to a cached copy of this page, which would wait for a redirect that already happened.
    const restart = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      onReturn?.()
      location.reload()
    }
    addEventListener('pageshow', restart)
    return () => {
      clearTimeout(timer)
      removeEventListener('pageshow', restart)
    }
  }, [path, delay, leaving, onReturn])
}
