/** Up to three cards in a row, each with an icon, a title, and a sentence. */

import type { ReactNode } from 'react'
import type { CardContent } from '../../../site-folder/types.ts'
import { Icon } from '../icon.tsx'

interface CardsProps<C extends CardContent> {
  readonly items: readonly C[]
  readonly children?: (item: C) => ReactNode
}

export function Cards<C extends CardContent>({ items, children }: CardsProps<C>) {
  return (
    <ul className="mt-8 grid grid-cols-1 gap-5 lg:mt-10 lg:grid-cols-3 lg:gap-7">
      {items.map(item => (
        <li key={item.title} className="flex flex-col rounded-3xl border border-line bg-card p-6 lg:p-7">
          {/* The icon is next to the title, or above it if three cards share a row or text is magnified. */}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:block">
            {item.icon && (
              <span className="grid size-12 shrink-0 place-items-center rounded-full bg-sage text-action-dark lg:mb-4">
                <Icon name={item.icon} />
              </span>
            )}
            <h3 className="flex-1 basis-40 text-title">{item.title}</h3>
          </div>
          <p className="mt-3 max-w-[62ch]">{item.text}</p>
          {children?.(item)}
        </li>
      ))}
    </ul>
  )
}

/** Steps joined by a dotted line: down the page on a phone, across it on a desktop and in print. */
export function Path({ steps }: { steps: readonly CardContent[] }) {
  return (
    <ol className="path">
      {steps.map(({ title, text }, index) => (
        <li key={title}>
          <span aria-hidden="true">{index + 1}</span>
          <h3 className="text-title">{title}</h3>
          <p className="max-w-[62ch] pt-2">{text}</p>
        </li>
      ))}
    </ol>
  )
}
