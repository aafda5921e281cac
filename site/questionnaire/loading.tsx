/** The waiting view: a spinner beside its words. It takes focus, so that it is read out and in view. */
import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'

export function Loading({ text }: { text: string }) {
  const view = useRef<HTMLParagraphElement>(null)
  useEffect(() => view.current?.focus(), [])
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
