/** Nothing is here: says why, and what to do about it. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export function EmptyState({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-10 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-sage text-action-strong">
        <Icon name={icon} size={26} />
      </span>
      <p className="font-heading text-title font-[650]">{title}</p>
      {children}
    </div>
  )
}
