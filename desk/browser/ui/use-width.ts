/** How wide an element is, as it changes: charts are drawn at their real size, so that their words stay readable. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export function useWidth<E extends Element>(): readonly [ref: RefObject<E | null>, width: number] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}
