/** Something did not work: what, and what to do now. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function Problem({
  title,
  children,
  onRetry,
}: {
  readonly title: string
  readonly children?: ReactNode
  readonly onRetry?: (() => void) | undefined
}) {
  return (
    <div role="alert" className="@container rounded-xl border border-error bg-error-soft p-[min(1rem,16px)]">
      <p className="flex items-start gap-2.5 font-bold">
        <Icon name="alert" size={20} className="mt-0.5 text-error" />
        {title}
      </p>
      {children === undefined ? null : <div className="mt-1 pl-[1.875rem] @max-[14rem]:pl-0">{children}</div>}
      {onRetry ? (
        <div className="mt-3 pl-[1.875rem] @max-[14rem]:pl-0">
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : null}
    </div>
  )
}
