/** One action on a lead. The screen changes when the store has: nothing is shown as done before it is. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { LeadActionRequest, LeadAnswer } from '../../api/lead.ts'
import { ask } from '../client.ts'
import { leadKey } from './lead-query.ts'

export function useLeadAction(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: LeadActionRequest) => ask<LeadAnswer>(`/api/leads/${encodeURIComponent(id)}/actions`, { body }),
    onSuccess: lead => {
      client.setQueryData(leadKey(id), lead)
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[1] !== id })
    },
    // Somebody else was faster: show how it stands now.
    onError: () => client.invalidateQueries({ queryKey: leadKey(id) }),
  })
}
