/** Whether deliveries are paused: every view says so, since what is sent then waits. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PauseAnswer } from '../api/health.ts'
import { ask } from './client.ts'

/** Asked once, and again when the stream of events tells of a change, as all else. */
export const pausedQuery = queryOptions({
  queryKey: ['paused'],
  queryFn: ({ signal }) => ask<PauseAnswer>('/api/health/pause', { signal }),
})

/** False until it is known. */
export function usePaused(): boolean {
  return useQuery(pausedQuery).data?.paused ?? false
}
