/** One view: its title in the tab and as the heading, which takes focus so that a screen reader says where we are. */
import { type ReactNode, useEffect, useRef } from 'react'

interface PageProps {
  readonly title: string
  /** The name of the tab, where the heading has a person's name in it: tabs are seen by others. */
  readonly tab?: string
  /** Of the heading as it is shown. */
  readonly heading?: ReactNode
  readonly aside?: ReactNode
  readonly children: ReactNode
}

/** The first view of all keeps focus at the top of the document, as any page does. */
let firstView = true

export function Page({ title, tab = title, heading, aside, children }: PageProps) {
  const element = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${tab} · Desk`
  }, [tab])
  useEffect(() => {
    if (firstView) firstView = false
    else element.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h1 ref={element} tabIndex={-1} className="min-w-0 text-heading">
          {heading ?? title}
        </h1>
        {aside}
      </div>
      {children}
    </>
  )
}
