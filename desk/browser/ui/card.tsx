/** Cards, and lists of name-value pairs. */
import { type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

interface CardProps {
  readonly title: string
  /** Shown next to the heading, such as a badge or a button. */
  readonly aside?: ReactNode
  readonly note?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

export function Card({ title, aside, note, className = '', children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      // At 200% text size, the content needs the room more than the padding does. Content adapts to the card's width.
      className={`@container min-w-0 rounded-2xl border border-line bg-card p-[min(1rem,16px)] shadow-card sm:p-[min(1.25rem,20px)] print:shadow-none ${className}`}
    >
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-title">
          {title}
        </h2>
        {aside}
      </div>
      {note === undefined ? null : <p className="-mt-2 mb-3 text-small text-ink-soft">{note}</p>}
      {children}
    </section>
  )
}

/** A card that shows one line until it's opened. Printed open. */
export function Folded({
  title,
  summary,
  children,
}: Pick<CardProps, 'title' | 'children'> & { readonly summary: string }) {
  return (
    <details className="group @container min-w-0 rounded-2xl border border-line bg-card shadow-card print:shadow-none">
      <summary className="relative flex min-h-11 flex-wrap items-baseline gap-x-4 rounded-2xl p-[min(1rem,16px)] pr-12! sm:p-[min(1.25rem,20px)]">
        <h2 className="text-title">{title}</h2>
        <span className="text-small text-ink-soft">{summary}</span>
        <Icon
          name="chevron-down"
          className="absolute right-4 self-center text-ink-soft group-open:rotate-180 print:hidden"
        />
      </summary>
      <div className="px-[min(1rem,16px)] pb-[min(1rem,16px)] sm:px-[min(1.25rem,20px)]">{children}</div>
    </details>
  )
}

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
