/** The lead as it was last read. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { LeadAnswer } from '../../api/lead.ts'
import { ask } from '../client.ts'
import { queryKeys } from '../query-keys.ts'

/** Opening a lead is recorded in its history; refreshing the open page is not. */
export function useLead(id: string) {
  const isOpen = useRef(false)
  return useQuery({
    queryKey: queryKeys.lead(id),
    queryFn: async ({ signal }) => {
      const refresh = isOpen.current ? '?refresh' : ''
      const lead = await ask<LeadAnswer>(`/api/leads/${encodeURIComponent(id)}${refresh}`, { signal })
      isOpen.current = true
      return lead
    },
    refetchOnMount: 'always',
  })
}
