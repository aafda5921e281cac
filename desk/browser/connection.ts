/** The stream of events: says when something has changed, and whether the desk can be reached at all. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ChangedEvent } from '../api/today.ts'
import { pausedQuery } from './paused.ts'
import { sessionQuery } from './session.ts'

/** Not shown for a blink: a stream that is renewed is gone for a moment. */
const PATIENCE_MS = 2500
const RETRY_MS = 4000
/** On a busy day something changes every second; nobody reads that fast. */
const REFRESH_EVERY_MS = 4000

let changes = 0
const listeners = new Set<() => void>()

function tellOfChange(): void {
  changes++
  for (const listener of listeners) listener()
}

/** Grows with every change: for a list that must not move under whoever reads it. */
export function useChanges(): number {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => changes,
  )
}

/** Queries whose key begins like this are refreshed by their own view, when it does no harm. */
export const REFRESHED_BY_VIEW = 'list'

/** False once the desk has been out of reach for a while. */
export function useConnection(): boolean {
  const client = useQueryClient()
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    const byItself = new Set<unknown>([sessionQuery.queryKey[0], pausedQuery.queryKey[0], REFRESHED_BY_VIEW])
    const refresh = throttled(() => {
      client.invalidateQueries({ predicate: ({ queryKey }) => !byItself.has(queryKey[0]) })
      tellOfChange()
    })
    let source: EventSource | undefined
    let complaint: ReturnType<typeof setTimeout> | undefined
    let retry: ReturnType<typeof setTimeout> | undefined
    let wasLost = false

    function open(): void {
      source = new EventSource('/api/events')
      source.addEventListener('changed', ({ data }) => {
        const { paused } = JSON.parse(data) as ChangedEvent
        client.setQueryData(pausedQuery.queryKey, { paused })
        // Whatever the browser thinks of the network.
        setConnected(true)
        refresh.soon()
      })
      source.addEventListener('open', () => {
        clearTimeout(complaint)
        complaint = undefined
        setConnected(true)
        // What was missed meanwhile.
        if (wasLost) catchUp()
        wasLost = false
      })
      source.addEventListener('error', () => {
        wasLost = true
        complaint ??= setTimeout(() => setConnected(false), PATIENCE_MS)
        if (source?.readyState !== EventSource.CLOSED) return
        // Refused, not merely out of reach: the session may have ended, and the browser does not try again by itself.
        client.invalidateQueries({ queryKey: sessionQuery.queryKey })
        clearTimeout(retry)
        retry = setTimeout(open, RETRY_MS)
      })
    }

    /** The stream itself may take minutes to find out. */
    function lose(): void {
      wasLost = true
      setConnected(false)
    }
    function find(): void {
      if (source?.readyState !== EventSource.OPEN) return
      wasLost = false
      setConnected(true)
      catchUp()
    }
    function catchUp(): void {
      client.invalidateQueries({ queryKey: pausedQuery.queryKey })
      refresh.soon()
    }

    addEventListener('offline', lose)
    addEventListener('online', find)
    open()
    return () => {
      removeEventListener('offline', lose)
      removeEventListener('online', find)
      source?.close()
      refresh.cancel()
      clearTimeout(complaint)
      clearTimeout(retry)
    }
  }, [client])
  return connected
}

/** At once, and then once for all that came meanwhile. */
function throttled(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  function soon(): void {
    if (timer !== undefined) {
      again = true
      return
    }
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (!again) return
      again = false
      soon()
    }, REFRESH_EVERY_MS)
  }
  return { soon, cancel: () => clearTimeout(timer) }
}
