/** Queries and requests for calls. What they show follows the pulse's mark for calls: see pulse.ts. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { type CallGroup, type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { api, type CallOutcomeRequest, messageOf, unwrap } from '../../client.ts'
import { saveDraft } from '../../drafts.ts'
import { fullName } from '../../format/names.tsx'
import { queryKeys } from '../../query-keys.ts'
import { navigate } from '../../router.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { useToast } from '../../ui/toast.tsx'

/** Whether this person calls leads from the desk. */
export function useIsAgent(): boolean {
  const { callList } = useSession()
  return useHasRole('agent') && callList
}

/** A language that callers speak, but not this agent. */
export function useUnspoken(): CallLanguage | undefined {
  const { languages } = useSession()
  return callLanguages.find(each => !languages.includes(each))
}

/** A call becomes due, or calling hours begin, without anything changing in the store. */
const LIST_REFRESH_MS = 30_000

/** `only`: null for everyone. */
export function useCallList(only: CallGroup | null) {
  return useQuery({
    queryKey: queryKeys.callList(only),
    queryFn: ({ signal }) => unwrap(api.calls.$get({ query: only === null ? {} : { only } }, { init: { signal } })),
    refetchInterval: LIST_REFRESH_MS,
    refetchIntervalInBackground: true,
  })
}

export function useCallState(leadId: string, { enabled }: { readonly enabled: boolean }) {
  return useQuery({
    queryKey: queryKeys.callState(leadId),
    queryFn: ({ signal }) => unwrap(api.calls[':id'].$get({ param: { id: leadId } }, { init: { signal } })),
    // Calling hours begin and end while the page is open.
    refetchInterval: LIST_REFRESH_MS,
    enabled,
  })
}

export function useUnfinishedCalls() {
  return useQuery({
    queryKey: queryKeys.unfinishedCalls,
    queryFn: ({ signal }) => unwrap(api.calls.unfinished.$get({}, { init: { signal } })),
    enabled: useIsAgent(),
  })
}

export function useRecentCalls() {
  return useQuery({
    queryKey: queryKeys.recentCalls,
    queryFn: ({ signal }) => unwrap(api.calls.recent.$get({}, { init: { signal } })),
    enabled: useIsAgent(),
  })
}

export function usePlaces() {
  return useQuery({
    queryKey: queryKeys.places,
    queryFn: ({ signal }) => unwrap(api.calls.places.$get({}, { init: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useColleagues() {
  return useQuery({
    queryKey: queryKeys.colleagues,
    queryFn: ({ signal }) => unwrap(api.calls.colleagues.$get({}, { init: { signal } })),
  })
}

/** What to say on the phone, in each language. */
export function useCallWords() {
  return useQuery({
    queryKey: queryKeys.callWords,
    queryFn: ({ signal }) => unwrap(api.calls.people.words.$get({}, { init: { signal } })),
    enabled: useIsAgent(),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Refetches everything about calls, and badges that say where calling someone stands, after this person did something. */
export function useCallsChanged(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    const changed = [queryKeys.calls, queryKeys.live].map(queryKey => client.invalidateQueries({ queryKey }))
    await Promise.all(changed)
  }, [client])
}

/** Claims the next person and opens their page. */
export function useCallNext() {
  const toast = useToast()
  const changed = useCallsChanged()
  return useMutation({
    mutationFn: () => unwrap(api.calls.next.$post()),
    onSuccess: ({ leadId }) => {
      if (leadId !== null) navigate(`/leads/${leadId}`)
      else toast({ text: 'No one can be called right now.' })
      void changed()
    },
    onError: error => toast({ text: messageOf(error), tone: 'bad' }),
  })
}

const RENEW_MS = 60_000
const touches = ['pointerdown', 'keydown'] as const

/** Keeps the call open for this person while they use its page. */
export function useHeartbeat(leadId: string, isMine: boolean): void {
  const changed = useCallsChanged()
  useEffect(() => {
    if (!isMine) return
    let isTouched = true
    const touch = () => {
      isTouched = true
    }
    for (const event of touches) window.addEventListener(event, touch)
    const timer = setInterval(async () => {
      // A page that nobody touches doesn't keep the person from colleagues.
      if (!isTouched) return void changed()
      isTouched = false
      const renewed = await unwrap(api.calls[':id'].renew.$post({ param: { id: leadId } })).catch(() => undefined)
      // A colleague took over. An unreachable desk changes nothing: the claim lasts ten minutes.
      if (renewed?.claim === null) void changed()
    }, RENEW_MS)
    return () => {
      clearInterval(timer)
      for (const event of touches) window.removeEventListener(event, touch)
    }
  }, [leadId, isMine, changed])
}

export const saveOutcome = (id: string, json: CallOutcomeRequest) =>
  unwrap(api.calls[':id'].outcome.$post({ param: { id }, json }))

/** Opens a lead's page at "What happened?", which is below the screen on phones. */
export const AT_OUTCOME = '#outcome'

export const callDraftKey = (name: string, leadId: string) => `${name} call ${leadId}`

/** Takes one's outcome back, and returns to the call, with its note as a draft. */
export function useUndoCall(): (callId: string) => Promise<undefined> {
  const { name } = useSession()
  const changed = useCallsChanged()
  const toast = useToast()
  return async callId => {
    const { leadId, note, kept, replaced, notice } = await unwrap(api.calls.undo.$post({ json: { callId } }))
    // Above one that they're typing about another call.
    if (note) saveDraft(callDraftKey(name, leadId), typed => (typed.trim() === '' ? note : `${note}\n${typed}`))
    for (const { contact, by } of kept) {
      toast({
        text: `The ${contact === 'email' ? 'email address' : 'phone number'} stays on the do-not-call list: ${by} added it, too.`,
      })
    }
    for (const person of replaced) {
      toast({
        text: `${fullName(person)} has another number now. That stays, but what this outcome promised or answered is taken back.`,
      })
    }
    if (notice !== null) toast({ text: notice })
    await changed()
    navigate(`/leads/${leadId}${AT_OUTCOME}`)
  }
}

export const startCall = (id: string, overrideReason?: string) =>
  unwrap(api.calls[':id'].start.$post({ param: { id }, json: overrideReason === undefined ? {} : { overrideReason } }))

export const claimCall = (id: string, takeOver = false) =>
  unwrap(api.calls[':id'].claim.$post({ param: { id }, json: { takeOver } }))

export const withdrawCall = (id: string) => unwrap(api.calls[':id'].withdraw.$post({ param: { id } }))

export const skipCall = (id: string, leaves: boolean) =>
  unwrap(api.calls[':id'].skip.$post({ param: { id }, json: { leaves } }))

/** `to`: null takes back what this person gave. */
export const giveCallbacks = (leads: readonly string[], to: string | null) =>
  unwrap(api.calls.give.$post({ json: { leads: [...leads], to } }))

export const setPlace = (id: string, place: string | null) =>
  unwrap(api.calls[':id'].place.$post({ param: { id }, json: { place } as never }))

export const setLanguage = (id: string, language: 'en' | 'es') =>
  unwrap(api.calls[':id'].language.$post({ param: { id }, json: { language } }))
