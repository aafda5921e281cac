/** A list that changed refreshes itself while nobody is in the middle of it; otherwise it says so. */
import { useEffect, useRef, useState } from 'react'
import { useMark } from '../pulse.ts'

interface FreshList {
  /** Only the first page is shown, and nothing is selected. */
  readonly isQuiet: boolean
  /** The last refresh failed, so what is shown is old. */
  readonly hasFailed: boolean
  readonly refetch: () => unknown
}

export function useFreshList({ isQuiet, hasFailed, refetch }: FreshList) {
  const mark = useMark()
  const [seen, setSeen] = useState(mark)
  const latest = useRef({ isQuiet, refetch })
  latest.current = { isQuiet, refetch }
  const isOld = seen !== mark
  function refresh(): void {
    setSeen(mark)
    latest.current.refetch()
  }
  useEffect(() => {
    // The first mark came after the list.
    if (seen === undefined) return setSeen(mark)
    const atTheTop = scrollY < 200 && !document.activeElement?.closest('table')
    if (seen === mark || !latest.current.isQuiet || !atTheTop) return
    setSeen(mark)
    latest.current.refetch()
  }, [seen, mark])
  return { isOld: (isOld && seen !== undefined) || hasFailed, refresh }
}
