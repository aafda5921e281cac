/** Empty, error, and loading states, and callouts. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError, messageOf } from '../client.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
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

const tones = {
  waiting: 'border-amber-edge bg-amber text-amber-ink',
  bad: 'border-error bg-error-soft text-ink',
  calm: 'border-line bg-mist text-ink',
}

export interface CalloutProps {
  readonly tone: keyof typeof tones
  readonly icon: IconName
  readonly title: ReactNode
  readonly role?: 'alert'
  readonly children?: ReactNode
}

export function Callout({ tone, icon, title, role, children }: CalloutProps) {
  return (
    <div role={role} className={`@container rounded-2xl border p-[min(1rem,16px)] ${tones[tone]}`}>
      <p className="flex items-start gap-2.5 font-bold">
        <Icon name={icon} size={20} className={`mt-0.5 ${tone === 'bad' ? 'text-error' : ''}`} />
        <span>{title}</span>
      </p>
      {children ? <div className="pl-[1.875rem] @max-[14rem]:pl-0">{children}</div> : null}
    </div>
  )
}

interface ProblemProps {
  readonly title: string
  readonly children?: ReactNode
  readonly onRetry?: (() => void) | undefined
}

export function Problem({ title, children, onRetry }: ProblemProps) {
  return (
    <Callout tone="bad" icon="alert" role="alert" title={title}>
      {children}
      {onRetry ? (
        <div className="mt-3">
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : null}
    </Callout>
  )
}

/** Why a request failed; nothing if it didn't. */
export function Failed({ request: { error } }: { readonly request: { readonly error: unknown } }) {
  return error === null ? null : <Problem title="That didn’t work">{messageOf(error)}</Problem>
}

/** Where the content will be, so the page doesn't jump. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div role="status" className="animate-pulse motion-reduce:animate-none">
      <span className="sr-only">Loading {what}…</span>
      <div aria-hidden className="flex flex-col gap-4 rounded-2xl border border-line bg-card p-[min(1.25rem,20px)]">
        {['w-1/3', 'w-full', 'w-5/6', 'w-full', 'w-2/3'].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change.
          <span key={index} className={`h-4 rounded-md bg-line ${width}`} />
        ))}
      </div>
    </div>
  )
}

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>
  readonly what: string
  readonly children: (data: T) => ReactNode
}

/** Renders a query: loading, failed, loaded, or loaded but out of date. */
export function Loaded<T>({ query: { data, error, isError, refetch }, what, children }: LoadedProps<T>) {
  const isForbidden = error instanceof ApiError && error.code === 'role required'
  return (
    <>
      {isError ? (
        <div className="mb-5">
          <Problem
            title={data === undefined ? `Couldn’t load ${what}` : 'This may be out of date'}
            onRetry={isForbidden ? undefined : () => void refetch()}
          >
            {messageOf(error)}
          </Problem>
        </div>
      ) : null}
      {data !== undefined ? children(data) : isError ? null : <Loading what={what} />}
    </>
  )
}
