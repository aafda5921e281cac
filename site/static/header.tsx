/**
 * The header on every page: the home link on the left, the other languages and the phone number on the right. Its heights are in
 * pixels, so magnified text doesn't enlarge the space around it, too.
 */

import { telHref } from '../../domain/contact/phone.ts'
import { organization } from '../../site-folder/site.ts'
import type { HeaderCopy } from '../../site-folder/types.ts'
import { Icon } from './icon.tsx'

/** The logo, the same drawing as the favicon (content/pictures/icon.svg). */
function Mark({ src }: { src: string }) {
  return <img src={src} alt="" width="40" height="40" loading="lazy" className="size-[32px] sm:size-[40px]" />
}

interface HeaderProps {
  readonly copy: HeaderCopy
  readonly homePath: string
  /** This page in the site's other languages. */
  readonly otherLanguages: readonly { readonly language: string; readonly name: string; readonly path: string }[]
  readonly markSrc: string
}

export function Header({ copy, homePath, otherLanguages, markSrc }: HeaderProps) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-20 bg-ink px-[20px] py-4 font-bold text-card focus:not-sr-only focus:fixed focus:top-0 focus:left-0"
      >
        {copy.skipLink}
      </a>
      {/* Sticky only if it leaves enough room to read. On a short or magnified screen, it scrolls away. */}
      <header className="z-10 border-b border-line bg-paper px-[20px] print:bg-transparent print:px-0 tall:sticky tall:top-0 print:static">
        {/* One row, unless large text needs two. The small gaps make room for the name at 360 px. */}
        <div className="@container mx-auto flex max-w-6xl flex-wrap items-center gap-x-3 py-[6px] sm:gap-x-8">
          <a
            href={homePath}
            aria-label={copy.homeLabel}
            className="mr-auto inline-flex min-h-[48px] items-center gap-2 text-note leading-[1.1] font-bold tracking-tight sm:text-title"
          >
            <Mark src={markSrc} />
            {/* On a phone, one word per line, to leave room for the rest. */}
            <span className="smallest:hidden max-sm:w-min max-sm:wrap-normal">{organization.name}</span>
          </a>
          {/* Stays while the form is open, where the consent has to be understood. */}
          {otherLanguages.length > 0 && (
            <nav aria-label={copy.languagesLabel} className="flex gap-4 text-note print:hidden">
              {otherLanguages.map(({ language, name, path }) => (
                <a
                  key={language}
                  href={path}
                  lang={language}
                  hrefLang={language}
                  className="inline-flex min-h-[48px] items-center underline underline-offset-4"
                >
                  {name}
                </a>
              ))}
            </nav>
          )}
          {/* This width fits both fonts, so nothing moves when ours replaces the fallback. */}
          <a
            href={telHref(organization.phone)}
            className="inline-flex min-h-[48px] items-center gap-[4px] rounded-xl border-2 border-action bg-sage px-[8px] text-[min(1rem,8.5vw)] font-bold text-action-dark underline-offset-4 hover:underline sm:min-w-[288px] sm:gap-2 sm:pr-[15px] sm:pl-[23px] sm:text-body print:border-0 print:bg-transparent print:p-0 print:min-w-0"
          >
            <Icon name="phone" className="size-[20px] narrow:hidden" />
            <span className="max-sm:sr-only sm:min-w-[80px]">{copy.callLabel}</span>{' '}
            {/* Digits have the same width in the fallback font. */}
            <span className="min-w-[6.6em]">{organization.phone}</span>
          </a>
        </div>
      </header>
    </>
  )
}
