/** One action on a lead. The screen changes when the store has: nothing is shown as done before it is. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LeadActionRequest, LeadAnswer } from '../../api/lead.ts'
import { ask } from '../client.ts'
import { pulseQuery } from '../pulse.ts'
import { queryKeys } from '../query-keys.ts'

export function useLeadAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LeadActionRequest) => ask<LeadAnswer>(`/api/leads/${encodeURIComponent(id)}/actions`, { body }),
    onSuccess: lead => {
      client.setQueryData(queryKeys.lead(id), lead)
      client.invalidateQueries({ queryKey: pulseQuery.queryKey })
      client.invalidateQueries({ queryKey: queryKeys.lists })
    },
    // Somebody else was faster: show how it stands now.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.lead(id) }),
  })
}
