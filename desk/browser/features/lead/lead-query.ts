/** Reading one lead, and acting on it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { answer, api, type LeadActionRequest } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'

/** Opening a lead is recorded in its history; refreshing the open page is not. */
export function useLead(id: string) {
  const isOpen = useRef(false)
  return useQuery({
    queryKey: queryKeys.lead(id),
    queryFn: async ({ signal }) => {
      const query = isOpen.current ? { refresh: '' } : {}
      const lead = await answer(api.leads[':id'].$get({ param: { id }, query }, { init: { signal } }))
      isOpen.current = true
      return lead
    },
    refetchOnMount: 'always',
  })
}

/** The screen changes when the store has: nothing is shown as done before it is. */
export function useLeadAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: LeadActionRequest) => answer(api.leads[':id'].actions.$post({ param: { id }, json })),
    onSuccess: lead => {
      client.setQueryData(queryKeys.lead(id), lead)
      client.invalidateQueries({ queryKey: queryKeys.pulse })
      client.invalidateQueries({ queryKey: queryKeys.lists })
    },
    // Someone else was faster: show the present state.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.lead(id) }),
  })
}
