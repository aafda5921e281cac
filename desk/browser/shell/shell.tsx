/** What stands around every view: where one can go, who is signed in, and whether the desk can be reached. */
import { CircleUserRound, HeartPulse, Keyboard, LogOut, type LucideIcon, Sun, UsersRound, WifiOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ask } from '../client.ts'
import type { Kept } from '../leads-address.ts'
import { usePolling } from '../pulse.ts'
import { useSession, useSetSession } from '../session.ts'
import { Menu } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { KeyboardHelp } from './keyboard-help.tsx'
import { PausedLine } from './paused-line.tsx'
import { useShortcuts } from './shortcuts.ts'
import { ThemeSwitch } from './theme-switch.tsx'

const views: readonly (readonly [href: string, name: string, icon: LucideIcon])[] = [
  ['/', 'Today', Sun],
  ['/leads', 'Leads', UsersRound],
  ['/health', 'Health', HeartPulse],
]

export function Shell({ children }: { readonly children: ReactNode }) {
  const { demo } = useSession()
  const connected = usePolling()
  const [location, navigate] = useLocation()
  const [help, setHelp] = useState(false)
  useShortcuts({
    '?': () => setHelp(true),
    t: () => navigate('/'),
    l: () => navigate('/leads'),
    h: () => navigate('/health'),
    // The list of leads has its own, which keeps the list as it is.
    ...(location !== '/leads' && { '/': () => navigate('/leads', { state: { find: true } satisfies Kept }) }),
  })
  return (
    <>
      <a
        href="#view"
        className="sr-only rounded-lg bg-action px-4 py-2 font-bold text-on-action focus:not-sr-only focus:fixed focus:left-3 focus:top-3 focus:z-40"
      >
        Skip to the content
      </a>
      <header className="top-0 z-20 border-b border-line bg-paper/95 backdrop-blur print:hidden sm:sticky [@media(max-height:30rem)]:static">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-2 px-3 sm:px-6">
          <Link href="/" className="flex items-baseline gap-2 py-2 font-heading text-[1.375rem] font-[650]">
            Desk
            {demo ? (
              <span className="rounded-md border border-amber-edge bg-amber px-1.5 font-body text-small font-bold text-amber-ink">
                Demo
              </span>
            ) : null}
          </Link>
          <Navigation />
          <div className="ml-auto flex items-center">
            <ThemeSwitch />
            <AccountMenu onHelp={() => setHelp(true)} />
          </div>
        </div>
      </header>
      <PausedLine />
      <div role="status" aria-live="polite" className="sticky top-0 z-10 print:hidden">
        {connected ? null : (
          <p className="flex items-center justify-center gap-2.5 border-b border-amber-edge bg-amber px-4 py-2 text-center font-bold text-amber-ink">
            <WifiOff aria-hidden size={18} className="shrink-0" />
            Not connected: what you see may be old. Trying again …
          </p>
        )}
      </div>
      <main id="view" tabIndex={-1} className="mx-auto max-w-7xl px-[min(0.75rem,12px)] pb-24 pt-6 sm:px-6">
        {children}
      </main>
      {help ? <KeyboardHelp onClose={() => setHelp(false)} /> : null}
    </>
  )
}

/** In a row of its own where the first has no room. */
function Navigation() {
  const [location] = useLocation()
  const isCurrent = (href: string) => (href === '/' ? location === '/' : location.startsWith(href))
  return (
    <nav aria-label="Desk" className="order-last -mx-1 w-full sm:order-none sm:mx-0 sm:ml-4 sm:w-auto">
      <ul className="flex flex-wrap gap-1 pb-1.5 sm:pb-0">
        {views.map(([href, name, Icon]) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isCurrent(href) ? 'page' : undefined}
              className={`flex min-h-11 items-center gap-2 rounded-lg px-3 font-bold ${isCurrent(href) ? 'bg-sage text-action-strong' : 'text-ink-soft hover:bg-mist hover:text-ink'}`}
            >
              <Icon aria-hidden size={18} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { name } = useSession()
  const setSession = useSetSession()
  const toast = useToast()
  const [, navigate] = useLocation()
  async function signOut(): Promise<void> {
    try {
      await ask('/api/session/sign-out', { body: {} })
      setSession(null)
      navigate('/')
    } catch {
      toast({
        text: 'You are still signed in: the desk cannot be reached. Close the browser, or try again.',
        tone: 'bad',
      })
    }
  }
  return (
    <Menu
      label={`${name}: you and this browser`}
      items={[
        { label: 'Your passkeys', icon: <CircleUserRound aria-hidden size={18} />, onChoose: () => navigate('/you') },
        { label: 'Keyboard', icon: <Keyboard aria-hidden size={18} />, onChoose: onHelp },
        { label: 'Sign out', icon: <LogOut aria-hidden size={18} />, onChoose: signOut },
      ]}
    >
      <CircleUserRound aria-hidden size={20} />
      <span className="max-w-40 truncate max-sm:hidden">{name}</span>
    </Menu>
  )
}
