/** The layout around every view: navigation, account link, and connection status. */
import { type ReactNode, useId, useRef, useState } from 'react'
import { type MenuPage, menuOf } from '../../routes.ts'
import { ApiError } from '../client.ts'
import { useIsAgent } from '../features/calls/call-queries.ts'
import { IncomingCallContext, IncomingCallDialog } from '../features/calls/incoming-call.tsx'
import { UnfinishedBanner } from '../features/calls/unfinished-banner.tsx'
import type { ListHistoryState } from '../leads-url.ts'
import { usePaused, usePolling } from '../pulse.ts'
import { Link, navigate, useHistoryState, usePath } from '../router.tsx'
import { useSession } from '../session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Notifications } from '../ui/toast.tsx'
import { KeyboardHelp, useShortcuts } from './shortcuts.tsx'

interface MenuEntry extends Pick<MenuPage, 'title' | 'icon'> {
  readonly href: string
}

export function Shell({ children }: { readonly children: ReactNode }) {
  const { demo, name } = useSession()
  const menu = menuOf(useSession())
  const problem = usePolling()
  const path = usePath()
  const [help, setHelp] = useState(false)
  const [incoming, setIncoming] = useState(false)
  const isAgent = useIsAgent()
  useShortcuts({
    '?': () => setHelp(true),
    ...Object.fromEntries(menu.flatMap(({ key, href }) => (key ? [[key, () => navigate(href)]] : []))),
    ...(isAgent && { i: () => setIncoming(true) }),
    // The leads list has its own / shortcut, which keeps the filters.
    ...(path !== '/leads' && {
      '/': () => navigate('/leads', { state: { find: true } satisfies ListHistoryState }),
    }),
  })
  return (
    <>
      <a
        href="#view"
        className="sr-only rounded-lg bg-action px-4 py-2 font-bold text-on-action focus:not-sr-only focus:fixed focus:left-3 focus:top-3 focus:z-40"
      >
        Skip to content
      </a>
      {/* The notice stays in view: with the header or, in short windows, by itself. */}
      <header
        className={`top-0 z-20 border-b border-line bg-paper/95 backdrop-blur print:hidden ${problem ? 'sticky [@media(max-height:30rem)]:contents' : 'sm:sticky [@media(max-height:30rem)]:static'}`}
      >
        <div className="@container mx-auto max-w-[120rem] px-3 sm:px-6">
          <div className="flex items-center gap-x-2">
            <Link
              href="/"
              className="flex items-baseline gap-2 py-2 font-heading text-[1.375rem] font-[650] [overflow-wrap:normal]"
            >
              Desk
              {demo ? (
                <span className="rounded-md border border-amber-edge bg-amber px-1.5 font-body text-small font-bold text-amber-ink @max-[16rem]:hidden">
                  Demo
                </span>
              ) : null}
            </Link>
            <Navigation />
            <Link
              href="/you"
              aria-label={`${name}: your account`}
              className="ml-auto flex min-h-11 items-center gap-2 rounded-lg px-2.5 font-bold hover:bg-mist @max-[52rem]:hidden"
            >
              <Icon name="account" size={20} />
              <span className="max-w-40 truncate max-lg:hidden">{name}</span>
            </Link>
          </div>
        </div>
        <div role="status" aria-live="polite" className="sticky top-0 z-20 print:hidden">
          {problem === null ? null : (
            <p className="flex items-center justify-center gap-2.5 border-t border-amber-edge bg-amber px-4 py-2 text-center font-bold text-amber-ink">
              <Icon name="offline" />
              {problem instanceof ApiError && problem.code === 'someone else'
                ? problem.message
                : 'Not connected. What you see may be out of date. Retrying…'}
            </p>
          )}
        </div>
      </header>
      <PausedBanner />
      <UnfinishedBanner />
      <Notifications />
      <main
        id="view"
        tabIndex={-1}
        className="mx-auto max-w-[120rem] px-[min(0.75rem,12px)] pb-24 pt-3 sm:px-6 sm:pt-6 print:p-0"
      >
        <IncomingCallContext value={() => setIncoming(true)}>{children}</IncomingCallContext>
      </main>
      {incoming ? <IncomingCallDialog onClose={() => setIncoming(false)} /> : null}
      {help ? <KeyboardHelp onClose={() => setHelp(false)} /> : null}
    </>
  )
}

/** A row of links; on phones and with large text, a menu, which leaves the screen to the page. */
function Navigation() {
  const path = usePath()
  const { name } = useSession()
  const isAgent = useIsAgent()
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()
  const start = isAgent ? '/calls' : '/today'
  // A lead belongs to the list that its back link names.
  const list = useHistoryState<ListHistoryState>()?.list?.href ?? (isAgent ? start : path)
  const current = path === '/' ? start : /^\/leads\/(?!do-not-call$)/.test(path) ? list : path
  const pages = menuOf(useSession())
  const link = ({ href, title, icon }: MenuEntry) => {
    const isCurrent = current.startsWith(href)
    return (
      <li key={href} className="shrink-0">
        <Link
          href={href}
          aria-current={isCurrent ? 'page' : undefined}
          className={`flex min-h-11 items-center gap-2 rounded-lg px-3 font-bold ${isCurrent ? 'bg-sage text-action-strong' : 'text-ink-soft hover:bg-mist hover:text-ink'}`}
          onClick={() => menu.current?.hidePopover()}
        >
          <Icon name={icon} className="@min-[52rem]:max-xl:hidden" />
          {title}
        </Link>
      </li>
    )
  }
  const currentName = pages.find(({ href }) => current.startsWith(href))?.title ?? 'Menu'
  return (
    <nav aria-label="Desk" className="ml-auto min-w-0 @min-[52rem]:ml-4">
      <ul className="flex flex-wrap gap-1 @max-[52rem]:hidden">{pages.map(link)}</ul>
      <Button kind="quiet" popoverTarget={id} className="max-w-full @min-[52rem]:hidden">
        <span className="sr-only">Menu. Current page: </span>
        <span className="truncate">{currentName}</span>
        <Icon name="chevron-down" />
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu-at-button min-w-56 rounded-xl border border-line bg-raised p-1.5 text-ink shadow-raised"
      >
        <ul>{[...pages, { href: '/you', title: name, icon: 'account' } as const].map(link)}</ul>
      </div>
    </nav>
  )
}

/** Shown on every page, since they all mention deliveries. */
function PausedBanner() {
  const paused = usePaused()
  const { crm } = useSession()
  const path = usePath()
  return (
    <Banner icon="pause">
      {paused && crm ? (
        <>
          <strong>Deliveries are paused.</strong> New leads are still accepted and will be sent when deliveries resume.{' '}
          {path === '/health' ? null : (
            <Link href="/health" className="inline-block font-bold underline underline-offset-4">
              Go to Health
            </Link>
          )}
        </>
      ) : null}
    </Banner>
  )
}
