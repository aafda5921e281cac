/** A list that has changed behind the scenes refreshes itself while nobody is in the middle of it, and says so otherwise. */
import { useEffect, useRef, useState } from 'react'
import { useChanges } from '../connection.ts'

interface FreshList {
  /** Only the first page is shown, and nothing is selected. */
  readonly isQuiet: boolean
  /** It was asked for anew, and did not come: what is shown is old, though every change was seen. */
  readonly hasFailed: boolean
  readonly refetch: () => unknown
}

export function useFreshList({ isQuiet, hasFailed, refetch }: FreshList) {
  const changes = useChanges()
  const [seen, setSeen] = useState(changes)
  const quiet = useRef(isQuiet)
  quiet.current = isQuiet
  const refresh = useRef(() => {})
  refresh.current = () => {
    setSeen(changes)
    refetch()
  }
  useEffect(() => {
    const atTheTop = scrollY < 200 && !document.activeElement?.closest('table')
    if (changes !== seen && quiet.current && atTheTop) refresh.current()
  }, [changes, seen])
  return { isOld: changes !== seen || hasFailed, refresh: () => refresh.current() }
}
