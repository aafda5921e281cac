/** The footer of every page: the number, who we are not, the links and the badges. */
import type { FooterLink } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { footer } from '../../content/shared.ts'
import { Icon } from './icon.tsx'
import { OrganizationDetails } from './organization-details.tsx'
import { Stars } from './stars.tsx'

export function Footer({ links, note }: { links: readonly FooterLink[]; note?: string }) {
  return (
    <footer className="below-the-fold border-t border-line bg-card px-5 py-12 text-note print:py-4">
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-9 print:gap-3">
        <ul
          aria-label={footer.badgesLabel}
          className="grid grid-cols-1 gap-x-10 gap-y-4 font-bold lg:flex lg:justify-between print:hidden"
        >
          <Badge icon="no-fees">{footer.badges.noFees}</Badge>
          <Badge icon="secure">{footer.badges.secure}</Badge>
          <li className="flex flex-wrap items-center gap-x-3">
            <Stars label={footer.fiveStars} />
            {footer.badges.rated}
          </li>
        </ul>
        <p>
          {footer.callLead}{' '}
          <a
            href={organization.phone.href}
            className="inline-flex min-h-12 items-center font-bold text-action-dark underline underline-offset-4"
          >
            {organization.phone.shown}
          </a>
        </p>
        <OrganizationDetails {...organization} />
        <div className="grid max-w-3xl grid-cols-1 gap-3 text-ink-soft">
          <p>{footer.affiliation}</p>
          <p>{footer.notLegalAdvice}</p>
          {note && <p>{note}</p>}
        </div>
        <nav aria-label={footer.linksLabel} className="print:hidden">
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
        <p className="text-small text-ink-soft">{footer.copyright}</p>
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
