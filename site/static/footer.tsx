/** The footer of every page: the number, who we are not, the links and the badges. */
import type { FooterLink } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { Icon } from './icon.tsx'
import { OrganizationDetails, type OrganizationDetailsWords } from './organization-details.tsx'
import { Stars } from './stars.tsx'

export interface FooterWords extends OrganizationDetailsWords {
  readonly badges: { readonly noFees: string; readonly secure: string; readonly rated: string }
  readonly badgesLabel: string
  readonly fiveStars: string
  readonly callLead: string
  readonly affiliation: string
  readonly notLegalAdvice: string
  readonly linksLabel: string
  readonly copyright: string
}

interface FooterProps {
  readonly words: FooterWords
  readonly links: readonly FooterLink[]
  readonly note?: string
}

export function Footer({ words, links, note }: FooterProps) {
  return (
    <footer className="below-the-fold border-t border-line bg-card px-5 py-12 text-note print:py-4">
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-9 print:gap-3">
        <ul
          aria-label={words.badgesLabel}
          className="grid grid-cols-1 gap-x-10 gap-y-4 font-bold lg:flex lg:justify-between print:hidden"
        >
          <Badge icon="no-fees">{words.badges.noFees}</Badge>
          <Badge icon="secure">{words.badges.secure}</Badge>
          <li className="flex flex-wrap items-center gap-x-3">
            <Stars label={words.fiveStars} />
            {words.badges.rated}
          </li>
        </ul>
        <p>
          {words.callLead}{' '}
          <a
            href={organization.phone.href}
            className="inline-flex min-h-12 items-center font-bold text-action-dark underline underline-offset-4"
          >
            {organization.phone.shown}
          </a>
        </p>
        <OrganizationDetails words={words} {...organization} />
        <div className="grid max-w-3xl grid-cols-1 gap-3 text-ink-soft">
          <p>{words.affiliation}</p>
          <p>{words.notLegalAdvice}</p>
          {note && <p>{note}</p>}
        </div>
        <nav aria-label={words.linksLabel} className="print:hidden">
          <ul className="flex flex-wrap gap-x-8">
            {links.map(({ text, href }) => (
              <li key={text}>
                {/* Without a destination it is no link to press or to tab to, but it keeps its place. */}
                <a
                  {...(href === null ? {} : { href })}
                  className="inline-flex min-h-12 items-center underline-offset-4 [&[href]]:underline"
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p className="text-small text-ink-soft">{words.copyright}</p>
      </div>
    </footer>
  )
}

function Badge({ icon, children }: { icon: 'no-fees' | 'secure'; children: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Icon name={icon} className="size-6 text-action" />
      {children}
    </li>
  )
}
