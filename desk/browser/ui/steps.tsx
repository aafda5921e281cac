/** Counts with bars, which are as long as the percentages say. They only illustrate the numbers, so screen readers skip them. */
import type { ReactNode } from 'react'
import { percent } from '../format/numbers.ts'

interface Step {
  readonly name: string
  readonly count: number
  readonly of: number
  readonly shown: ReactNode
}

export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {steps.map(({ name, count, of, shown }) => (
        <li key={name}>
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="line-clamp-4 min-w-0">{name}</span>
            <span className="ml-auto flex flex-wrap items-baseline justify-end gap-x-2">
              <strong>{shown}</strong>
              <span className="min-w-12 text-right text-small text-ink-soft">{of > 0 ? percent(count / of) : '–'}</span>
            </span>
          </p>
          <svg aria-hidden="true" className="mt-1 block h-2 w-full" preserveAspectRatio="none" viewBox="0 0 100 8">
            <rect width="100" height="8" className="fill-mist" />
            <rect
              width={count === 0 ? 0 : Math.max(0.8, Math.min(1, count / Math.max(1, of)) * 100)}
              height="8"
              className="fill-bar"
            />
          </svg>
        </li>
      ))}
    </ol>
  )
}
