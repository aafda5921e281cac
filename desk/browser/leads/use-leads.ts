/** What the list is asked for: pages by key, and how many there are. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { LeadSort, LeadsAnswer, LeadsChoices, LeadsCount, LeadsFilter } from '../../api/leads.ts'
import { ask } from '../client.ts'
import { queryKeys } from '../query-keys.ts'

export const PAGE_SIZE = 50

export function useLeads(filter: LeadsFilter, sort: LeadSort) {
  return useInfiniteQuery({
    queryKey: queryKeys.list(filter, sort),
    queryFn: ({ pageParam, signal }) =>
      ask<LeadsAnswer>('/api/leads/search', { body: { filter, sort, after: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    // The list of before stays until the next is here, shown as old.
    placeholderData: keepPreviousData,
  })
}

/** It comes with the first page, or is asked for where it has to be counted. */
export function useLeadsCount(filter: LeadsFilter, leads: ReturnType<typeof useLeads>): LeadsCount | undefined {
  const first = leads.data?.pages[0]
  const isOld = leads.isPlaceholderData
  const counted = useQuery({
    queryKey: queryKeys.count(filter),
    queryFn: ({ signal }) => ask<LeadsCount>('/api/leads/count', { body: { filter }, signal }),
    // Of a list that is refused, such as one too long to be sorted by name, the number is all that there is.
    enabled: leads.isError || (first?.count === null && !isOld),
  })
  const count = first?.count ?? counted.data
  // The number of before stays with the list of before, and with one that has grown beyond a page until it is counted anew.
  const last = useRef<{ readonly filter: LeadsFilter; readonly count: LeadsCount }>(undefined)
  if (count && !isOld) last.current = { filter, count }
  return count ?? (isOld || last.current?.filter === filter ? last.current?.count : undefined)
}

/** Pages and campaigns to choose from; the list works without. */
export function useChoices() {
  return useQuery({
    queryKey: queryKeys.choices,
    queryFn: ({ signal }) => ask<LeadsChoices>('/api/leads/choices', { signal }),
    staleTime: 10 * 60_000,
  })
}
