/** The waiting view: a spinner beside its words. After a press it takes focus, so that it is read out and in view. */
import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'

export function Loading({ text, takesFocus = true }: { text: string; takesFocus?: boolean }) {
  const view = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (takesFocus) view.current?.focus()
  }, [takesFocus])
  return (
    <p
      ref={view}
      tabIndex={-1}
      role="status"
      className="grid min-h-48 grid-cols-1 place-content-center justify-items-center gap-5 py-8 text-center text-lead font-bold"
    >
      <LoaderCircle aria-hidden="true" className="size-12 text-action motion-safe:animate-spin" />
      {text}
    </p>
  )
}
