/** Names and what belongs to them, two columns where there is room. */
import type { ReactNode } from 'react'

export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[minmax(7rem,auto)_minmax(0,1fr)]">{children}</dl>
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-small text-ink-soft sm:pt-0.5">{name}</dt>
      <dd className="-mt-2.5 min-w-0 sm:mt-0">{children}</dd>
    </>
  )
}
