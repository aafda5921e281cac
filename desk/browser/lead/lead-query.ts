/** The lead as it was last read. */
import { useQuery } from '@tanstack/react-query'
import type { LeadAnswer } from '../../api/lead.ts'
import { ask } from '../client.ts'

export const leadKey = (id: string) => ['lead', id] as const

export const useLead = (id: string) =>
  useQuery({
    queryKey: leadKey(id),
    queryFn: ({ signal }) => ask<LeadAnswer>(`/api/leads/${encodeURIComponent(id)}`, { signal }),
  })
