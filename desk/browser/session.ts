/** Who is signed in. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { type DeskRole, roleAllows } from '../../domain/roles.ts'
import { PAGE_OF } from '../limits.ts'
import { ApiError, api, type Session, unwrap } from './client.ts'
import { queryKeys } from './query-keys.ts'

export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  /** Null if no one is signed in. */
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return await unwrap(api.session.$get({}, { init: { signal } }))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not signed in') return null
      throw error
    }
  },
  staleTime: 60_000,
})

/** Whether the session expired or was ended elsewhere, as opposed to the user signing out here. */
export const sessionEnded = queryOptions({
  queryKey: queryKeys.sessionEnded,
  queryFn: () => false,
  staleTime: Number.POSITIVE_INFINITY,
})

export const useSessionQuery = () => useQuery(sessionQuery)

/** Also clears all other cached data, so the next person to sign in doesn't see it. */
export function useSetSession(): (session: Session | null) => void {
  const client = useQueryClient()
  return session => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] })
    client.setQueryData(sessionQuery.queryKey, session)
  }
}

export const SessionContext = createContext<Session | null>(null)

/** For views, which are rendered only while someone is signed in. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('No one is signed in.')
  return session
}

/** The address of something that the API sends, for a link, which can't say in a header whose page it's on. */
export function useApiLink() {
  const { id } = useSession()
  return (path: string, query: Readonly<Record<string, string>> = {}) =>
    `${path}?${new URLSearchParams({ ...query, [PAGE_OF]: id })}`
}

export const useHasRole = (role: DeskRole) => roleAllows(useSession().role, role)
