/** One line with a lock icon, shown where we ask for personal details. */
import { Icon } from './icon.tsx'

export function Reassurance({ text }: { text: string }) {
  return (
    <p className="flex min-h-12 items-center gap-2 text-note text-ink-soft">
      <Icon name="lock" className="size-5" />
      {text}
    </p>
  )
}
