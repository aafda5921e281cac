/** The layout for a view, and the pages for unknown URLs and crashes. */
import { Component, type ReactNode, useEffect, useRef } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState, Problem } from '../ui/placeholders.tsx'

interface PageProps {
  readonly title: string
  /** The browser tab's title, for pages titled with a person's name: people nearby can read tabs. */
  readonly tab?: string
  /** The heading, if it differs from the title. */
  readonly heading?: ReactNode
  readonly aside?: ReactNode
  /** A link back, beside the heading where there's room. */
  readonly back?: ReactNode
  readonly children: ReactNode
}

/** The first view leaves focus at the top, like any page load. Later views move focus to their heading. */
let firstView = true

export function Page({ title, tab = title, heading, aside, back, children }: PageProps) {
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
      <div className="mb-3 flex flex-wrap items-baseline-last justify-between gap-x-3 gap-y-2 sm:gap-x-6 sm:mb-5">
        <div className="min-w-0 lg:flex lg:items-center lg:gap-2">
          {back}
          <h1 ref={element} tabIndex={-1} className="min-w-0 text-heading">
            {heading ?? title}
          </h1>
        </div>
        {aside}
      </div>
      {children}
    </>
  )
}

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState icon="search-x" title="There’s no page at this address.">
        <ButtonLink kind="primary" href="/today">
          Go to Today
        </ButtonLink>
      </EmptyState>
    </Page>
  )
}

interface CrashedProps {
  readonly title: string
  readonly onRetry?: () => void
  readonly children: ReactNode
}

/** Shown in place of the whole app. */
export function Crashed({ title, onRetry, children }: CrashedProps) {
  return (
    <main className="mx-auto max-w-xl px-4 py-16">
      <h1 tabIndex={-1} className="mb-4 text-heading">
        Desk
      </h1>
      <Problem title={title} onRetry={onRetry}>
        {children}
      </Problem>
    </main>
  )
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Crashed title="This page couldn’t be shown">
        <p>Something went wrong on this page. Reload the page, or go to Today.</p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <Button onClick={() => location.reload()}>Reload</Button>
          <Button onClick={() => location.assign('/today')}>Today</Button>
        </div>
      </Crashed>
    )
  }
}
