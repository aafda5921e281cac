/** Whether what was shown is shown still: what comes of something later is told elsewhere when it is not. */
import { type RefObject, useEffect, useRef } from 'react'

export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}
