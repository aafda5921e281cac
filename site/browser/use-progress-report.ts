/**
 * When the page is hidden or closed, reports the last question reached, so operators can see where people drop off. The
 * report has no identifier and no answers, and the browser sends it in the background.
 */
import { useEffect, useRef } from 'react'
import { PROGRESS_PATH } from '../../domain/visits/drop-off.ts'
import { VARIANT_PARAMETER } from '../../domain/visits/variants.ts'
import type { LeadDestination } from './send-lead.ts'

export function useProgressReport({ leadEndpoint, variant }: LeadDestination, reached: number): void {
  const farthest = useRef(0)
  farthest.current = Math.max(farthest.current, reached)

  useEffect(() => {
    // In direct mode, there is no server to report to.
    if (!leadEndpoint.startsWith('/')) return
    let reported = 0
    const report = () => {
      const to = farthest.current
      if (document.visibilityState !== 'hidden' || to === reported) return
      const variantQuery = variant ? `&${VARIANT_PARAMETER}=${variant}` : ''
      if (navigator.sendBeacon(`${PROGRESS_PATH}?from=${reported}&to=${to}${variantQuery}`)) reported = to
    }
    document.addEventListener('visibilitychange', report)
    return () => document.removeEventListener('visibilitychange', report)
  }, [leadEndpoint, variant])
}
