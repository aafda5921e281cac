/** How wide an element is and how large the text, as they change: charts are drawn at their real size, so that their words stay readable. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

interface Room {
  readonly width: number
  /** How often larger the text is than browsers have it by themselves. */
  readonly enlarged: number
}

const USUAL_PX = 16

export function useRoom<E extends Element>(): readonly [ref: RefObject<E | null>, room: Room] {
  const ref = useRef<E>(null)
  const [width, setWidth] = useState(0)
  const [enlarged, setEnlarged] = useState(1)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => {
      setWidth(element.clientWidth)
      setEnlarged(Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_PX)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // It grows with the text, which need not change the width of anything.
    observer.observe(document.documentElement)
    return () => observer.disconnect()
  }, [])
  return [ref, { width, enlarged }] as const
}
