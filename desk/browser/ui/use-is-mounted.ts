/** Whether a component is still on the screen when something that it started ends. */
import { type RefObject, useEffect, useRef } from 'react'

export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
