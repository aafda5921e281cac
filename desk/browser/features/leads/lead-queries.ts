/** Queries for the leads list (pagination, count, auto-refresh) and for a single lead, including its actions. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { LeadSort } from '../../../limits.ts'
import { api, type LeadActionRequest, type LeadsCount, type LeadsFilter, unwrap } from '../../client.ts'
import { useChangeMarker } from '../../pulse.ts'
import { queryKeys } from '../../query-keys.ts'

export function useLeads(filter: LeadsFilter, sort: LeadSort) {
  return useInfiniteQuery({
    queryKey: queryKeys.list(filter, sort),
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.leads.search.$post({ json: { filter, sort, after: pageParam } }, { init: { signal } })),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    // Show the previous list, dimmed, until the next one loads.
    placeholderData: keepPreviousData,
    // Going back after a long call restores the scroll position, which needs every page.
    gcTime: 60 * 60_000,
  })
}

/** If everything fits on the first page, its response includes the count. Otherwise, the count is fetched separately. */
export function useLeadsCount(filter: LeadsFilter, leads: ReturnType<typeof useLeads>): LeadsCount | undefined {
  const first = leads.data?.pages[0]
  const isStale = leads.isPlaceholderData
  const countQuery = useQuery({
    queryKey: queryKeys.count(filter),
    queryFn: ({ signal }) => unwrap(api.leads.count.$post({ json: { filter } }, { init: { signal } })),
    // Also fetch it if the list query fails.
    enabled: leads.isError || (first?.count === null && !isStale),
  })
  const count = first?.count ?? countQuery.data
  // Keep the last count while the previous list is still showing, or if this list has just grown past one page.
  const last = useRef<{ readonly filter: LeadsFilter; readonly count: LeadsCount }>(undefined)
  if (count && !isStale) last.current = { filter, count }
  return count ?? (isStale || last.current?.filter === filter ? last.current?.count : undefined)
}

/** How many leads are in the quick lists. */
export function useQuickLists() {
  return useQuery({
    queryKey: queryKeys.quickLists,
    queryFn: ({ signal }) => unwrap(api.leads.lists.$get({}, { init: { signal } })),
  })
}

/** Pages and campaigns to choose from. The list works without them. */
export function useChoices() {
  return useQuery({
    queryKey: queryKeys.choices,
    queryFn: ({ signal }) => unwrap(api.leads.choices.$get({}, { init: { signal } })),
    staleTime: 10 * 60_000,
  })
}

/** Rows must not move under the pointer or the focus, or while someone reads further down. */
const isInUse = () => scrollY >= 200 || document.querySelector('main table:is(:hover, :focus-within)') !== null

interface AutoRefreshOptions {
  /** Only the first page is shown, and nothing is selected. */
  readonly isUntouched: boolean
  /** The last refresh failed, so the list is out of date. */
  readonly hasFailed: boolean
  readonly refetch: () => unknown
}

/** Auto-refreshes, or offers a Refresh button if the user is working in the list. */
export function useAutoRefresh({ isUntouched, hasFailed, refetch }: AutoRefreshOptions) {
  const mark = useChangeMarker()
  const [seen, setSeen] = useState(mark)
  const latest = useRef({ isUntouched, refetch })
  latest.current = { isUntouched, refetch }
  function refresh(): void {
    setSeen(mark)
    latest.current.refetch()
  }
  useEffect(() => {
    // The list loaded before the first change marker arrived, so use that marker as the baseline.
    if (seen === undefined) return setSeen(mark)
    if (seen === mark || !latest.current.isUntouched || isInUse()) return
    setSeen(mark)
    latest.current.refetch()
  }, [seen, mark])
  return { isStale: (seen !== mark && seen !== undefined) || hasFailed, refresh }
}

/** When this list was first loaded, so leads that arrived later can be highlighted. */
export function useOpenedAt(filter: LeadsFilter, { data, isPlaceholderData }: ReturnType<typeof useLeads>): number {
  const first = useRef<{ readonly filter: LeadsFilter; readonly at: number }>(undefined)
  const at = data?.pages[0]?.at
  // While the previous list is still showing, its time says nothing about this one.
  if (at !== undefined && !isPlaceholderData && first.current?.filter !== filter) first.current = { filter, at }
  return first.current?.filter === filter ? first.current.at : Number.POSITIVE_INFINITY
}

/** Opening a lead is recorded in its history; refreshing the open page isn't. */
export function useLead(id: string) {
  const isOpen = useRef(false)
  return useQuery({
    queryKey: queryKeys.lead(id),
    queryFn: async ({ signal }) => {
      const query = isOpen.current ? { refresh: '' } : {}
      const lead = await unwrap(api.leads[':id'].$get({ param: { id }, query }, { init: { signal } }))
      isOpen.current = true
      return lead
    },
    refetchOnMount: 'always',
  })
}

/** No optimistic updates: the UI changes only after the server confirms. */
export function useLeadAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: LeadActionRequest) => unwrap(api.leads[':id'].actions.$post({ param: { id }, json })),
    onSuccess: ({ lead }) => {
      client.setQueryData(queryKeys.lead(id), lead)
      client.invalidateQueries({ queryKey: queryKeys.pulse })
      client.invalidateQueries({ queryKey: queryKeys.lists })
    },
    // Someone else may have changed the lead first, so show its current state.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.lead(id) }),
  })
}
