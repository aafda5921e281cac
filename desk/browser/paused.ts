/** Whether deliveries are paused: every view says so, since what is sent then waits. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PauseAnswer } from '../api/health.ts'
import { ask } from './client.ts'

/** Asked once; from then on the stream of events tells. */
export const pausedQuery = queryOptions({
  queryKey: ['paused'],
  queryFn: ({ signal }) => ask<PauseAnswer>('/api/health/pause', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** False until it is known. */
export function usePaused(): boolean {
  return useQuery(pausedQuery).data?.paused ?? false
}
