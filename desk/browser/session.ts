/** Who is signed in. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { SessionAnswer } from '../api/session.ts'
import { ask, Refused } from './client.ts'
import { queryKeys } from './query-keys.ts'

export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  /** Null when nobody is. */
  queryFn: async ({ signal }): Promise<SessionAnswer | null> => {
    try {
      return await ask<SessionAnswer>('/api/session', { signal })
    } catch (error) {
      if (error instanceof Refused && error.code === 'not signed in') return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Whether a session ended that nobody ended here: its time was over, or somebody ended it elsewhere. */
export const sessionEnded = queryOptions({
  queryKey: queryKeys.sessionEnded,
  queryFn: () => false,
  staleTime: Infinity,
})

export const useSessionQuery = () => useQuery(sessionQuery)

/** What belongs to one person must not be on the screen of the next: everything but the session is forgotten. */
export function useSetSession(): (session: SessionAnswer | null) => void {
  const client = useQueryClient()
  return session => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    client.setQueryData(sessionQuery.queryKey, session)
  }
}

export const SessionContext = createContext<SessionAnswer | null>(null)

/** Inside of the views, where somebody is always signed in. */
export function useSession(): SessionAnswer {
  const session = use(SessionContext)
  if (!session) throw new Error('This view is shown only to somebody who is signed in.')
  return session
}

export const useMayAct = () => useSession().role === 'editor'
