/**
 * Polls the desk: has anything changed, are deliveries paused, and can the desk be reached at all? Only a change refetches what's
 * on screen; returning to the tab just polls at once.
 */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Sending } from '../../domain/leads/lead-actions.ts'
import { api, unwrap } from './client.ts'
import { queryKeys } from './query-keys.ts'
import { useSession } from './session.ts'

const POLL_MS = 3000
const POLL_HIDDEN_MS = 60_000

export const pulseQuery = queryOptions({
  queryKey: queryKeys.pulse,
  queryFn: ({ signal }) => unwrap(api.pulse.$get({}, { init: { signal } })),
  staleTime: 1000,
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
  // Don't warn about a single lost request.
  retry: 1,
  retryDelay: 1000,
})

/** Starts polling, so call this from only one place. Returns what's wrong: the desk can't be reached, or someone else is signed in. */
export function usePolling(): Error | null {
  const client = useQueryClient()
  const { data, error } = useQuery({
    ...pulseQuery,
    refetchInterval: () => (document.hidden ? POLL_HIDDEN_MS : POLL_MS),
    refetchIntervalInBackground: true,
  })
  const seen = useRef(data)
  useEffect(() => {
    const before = seen.current
    seen.current = data
    if (!before || !data) return
    const changed = before.mark !== data.mark
    if (changed) client.invalidateQueries({ queryKey: queryKeys.live })
    if (changed || before.calls !== data.calls) client.invalidateQueries({ queryKey: queryKeys.calls })
  }, [client, data])
  return error
}

/** Changes whenever a lead or delivery does. */
export const useChangeMarker = () => useQuery({ ...pulseQuery, select: ({ mark }) => mark }).data

/** False until the first response. */
export const usePaused = () => useQuery({ ...pulseQuery, select: ({ paused }) => paused }).data ?? false

/** When a lead that's approved or resent now is sent. */
export function useSending(): Sending {
  const paused = usePaused()
  return useSession().crm ? (paused ? 'when resumed' : 'now') : 'never'
}
