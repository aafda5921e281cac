/** The header of every page: the way home on the left, the phone number, always in the same place, on the right. */
import { organization } from '../../content/organization.ts'
import { header } from '../../content/shared.ts'
import { Icon } from './icon.tsx'

/** The brand's mark, the same drawing as the favicon (site/assets/icon.svg). */
function Mark({ src }: { src: string }) {
  return <img src={src} alt="" width="40" height="40" fetchPriority="low" className="size-8 sm:size-10" />
}

export function Header({ markSrc }: { markSrc: string }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-20 bg-ink px-5 py-4 font-bold text-card focus:not-sr-only focus:fixed focus:top-0 focus:left-0"
      >
        {header.skipLink}
      </a>
      {/* Sticky only where it leaves room to read: on a short or magnified screen it scrolls away. */}
      <header className="z-10 border-b border-line bg-paper px-5 [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:top-0 print:static">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-2 py-1.5">
          <a
            href="/"
            aria-label={header.homeLabel}
            className="inline-flex min-h-12 items-center gap-2 text-body font-bold tracking-tight sm:text-title"
          >
            <Mark src={markSrc} />
            {organization.name}
          </a>
          <a
            href={organization.phone.href}
            className="inline-flex min-h-12 items-center gap-1.5 rounded-xl px-1 text-note max-sm:-mr-1 font-bold text-action-dark underline-offset-4 hover:underline sm:bg-sage sm:px-5 sm:text-body"
          >
            <Icon name="phone" className="size-5" />
            <span className="max-sm:sr-only">{organization.callLabel}</span> {organization.phone.shown}
          </a>
        </div>
      </header>
    </>
  )
}
