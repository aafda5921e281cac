/** In place of content: nothing is here, it failed, or it is loading. And warnings above it. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../client.ts'
import { Button } from './button.tsx'
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

export function Skeleton({ className = 'h-5 w-full' }: { readonly className?: string }) {
  return <span aria-hidden className={`skeleton block animate-breathe rounded-md bg-line/45 ${className}`} />
}

export function LoadingText({ what }: { readonly what: string }) {
  return (
    <span role="status" className="sr-only">
      Loading {what}…
    </span>
  )
}

interface WarningProps {
  readonly icon?: IconName
  readonly className?: string
  readonly children: ReactNode
}

export function Warning({ icon = 'alert', className = 'font-bold', children }: WarningProps) {
  return (
    <div className={`flex items-start gap-2.5 rounded-xl border border-error bg-error-soft p-3 ${className}`}>
      <Icon name={icon} size={20} className="mt-0.5 text-error" />
      <div>{children}</div>
    </div>
  )
}

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>
  readonly what: string
  /** While it is loading. */
  readonly outline: ReactNode
  readonly children: (data: T) => ReactNode
}

/** What was asked for: loading, failed, here, or here but out of date. */
export function Loaded<T>({ query: { data, error, isError, refetch }, what, outline, children }: LoadedProps<T>) {
  return (
    <>
      {isError ? (
        <div className="mb-5">
          <Problem
            title={data === undefined ? `Couldn’t load ${what}` : 'This may be out of date'}
            onRetry={() => void refetch()}
          >
            {messageOf(error)}
          </Problem>
        </div>
      ) : null}
      {data !== undefined ? (
        children(data)
      ) : isError ? null : (
        <>
          <LoadingText what={what} />
          {outline}
        </>
      )}
    </>
  )
}
