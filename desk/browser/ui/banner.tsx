/** A notice across the page, below the header. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface BannerProps {
  readonly icon: IconName
  /** Null: nothing to say. */
  readonly children: ReactNode
}

export function Banner({ icon, children }: BannerProps) {
  return (
    // Always rendered, so screen readers announce its text when it appears.
    <div role="status" aria-live="polite" className="print:hidden">
      {children === null ? null : (
        <div className="border-b border-amber-edge bg-amber text-amber-ink">
          <div className="mx-auto flex max-w-[120rem] items-start gap-2.5 px-3 py-2 sm:px-6">
            <Icon name={icon} className="mt-1" />
            <div className="min-w-0 flex-1">{children}</div>
          </div>
        </div>
      )}
    </div>
  )
}
