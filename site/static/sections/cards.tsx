/** Up to three cards in a row, each an icon or a number, a title and a sentence. */
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon.tsx'

export interface CardContent {
  readonly title: string
  readonly text: string
  readonly icon?: IconName
}

interface CardsProps<C extends CardContent> {
  readonly items: readonly C[]
  readonly numbered?: boolean
  readonly level?: 'h2' | 'h3'
  readonly children?: (item: C) => ReactNode
}

const mark = 'grid size-12 shrink-0 place-items-center lg:mb-4 rounded-full bg-sage text-action-dark'

export function Cards<C extends CardContent>({
  items,
  numbered = false,
  level: Title = 'h3',
  children,
}: CardsProps<C>) {
  const List = numbered ? 'ol' : 'ul'
  return (
    <List className="mt-8 grid grid-cols-1 gap-5 lg:mt-10 lg:grid-cols-3 print:grid-cols-3 lg:gap-7">
      {items.map((item, index) => (
        <li key={item.title} className="flex flex-col rounded-2xl border border-line bg-card p-6 lg:p-7">
          {/* The mark stands beside the title, above it where three cards share a row or the text is magnified. */}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 lg:block">
            {numbered ? (
              <span aria-hidden="true" className={`${mark} text-title font-bold`}>
                {index + 1}
              </span>
            ) : (
              item.icon && (
                <span className={mark}>
                  <Icon name={item.icon} />
                </span>
              )
            )}
            <Title className="flex-1 basis-40 text-title">{item.title}</Title>
          </div>
          <p className="mt-3 max-w-[62ch] text-ink-soft">{item.text}</p>
          {children?.(item)}
        </li>
      ))}
    </List>
  )
}
