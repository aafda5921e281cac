/** Nothing is here: says why, and what to do about it. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function EmptyState({
  icon: Icon,
  title,
  children,
}: {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-10 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-sage text-action-strong">
        <Icon aria-hidden size={26} />
      </span>
      <p className="font-heading text-title font-[650]">{title}</p>
      {children}
    </div>
  )
}
