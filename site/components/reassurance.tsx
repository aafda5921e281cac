/** One line beside a lock, where something personal is asked. */
import { LockKeyhole } from 'lucide-react'

export function Reassurance({ text }: { text: string }) {
  return (
    <p className="flex min-h-12 items-center gap-2 text-note text-ink-soft">
      <LockKeyhole aria-hidden="true" className="size-5 shrink-0" />
      {text}
    </p>
  )
}
