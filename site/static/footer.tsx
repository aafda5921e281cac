/** The footer on every page: phone number, disclaimers, links, and badges. */
import type { Language } from '../../content/languages.ts'
import type { FooterLink } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { telHref } from '../../domain/phone.ts'
import { Icon, Stars } from './icon.tsx'
import { OrganizationDetails, type OrganizationDetailsCopy } from './organization-details.tsx'

export interface FooterCopy extends OrganizationDetailsCopy {
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
  readonly language: Language
  readonly copy: FooterCopy
  readonly links: readonly FooterLink[]
  readonly note?: string
}

export function Footer({ language, copy, links, note }: FooterProps) {
  return (
    <footer className="bg-ink px-[20px] py-12 text-note text-card print:hidden">
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-9">
        <ul
          aria-label={copy.badgesLabel}
          className="grid grid-cols-1 gap-x-10 gap-y-4 border-b border-edge pb-8 font-bold lg:flex lg:justify-between"
        >
          <Badge icon="no-fees">{copy.badges.noFees}</Badge>
          <Badge icon="secure">{copy.badges.secure}</Badge>
          <li className="flex flex-wrap items-center gap-x-3">
            <Stars label={copy.fiveStars} />
            {copy.badges.rated}
          </li>
        </ul>
        <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1fr_2fr]">
          <div className="grid grid-cols-1 content-start gap-2">
            <p>
              {copy.callLead}{' '}
              <a
                href={telHref(organization.phone)}
                className="inline-flex min-h-12 items-center font-heading text-question font-bold underline-offset-4 hover:underline"
              >
                {organization.phone}
              </a>
            </p>
            <OrganizationDetails
              copy={copy}
              {...organization}
              hours={organization.hours?.[language] ?? null}
              people={organization.people.map(({ name, role }) => ({ name, role: role[language] }))}
              className="grid max-w-3xl grid-cols-1 gap-3"
            />
          </div>
          <div className="grid max-w-[66ch] grid-cols-1 content-start gap-3">
            <p>{copy.affiliation}</p>
            <p>{copy.notLegalAdvice}</p>
            {note && <p>{note}</p>}
          </div>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-8">
          <nav aria-label={copy.linksLabel}>
            <ul className="flex flex-wrap gap-x-8">
              {links.map(({ text, href }) => (
                <li key={text}>
                  {/* Without a URL, it's plain text in the same place. */}
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
          <p className="text-small">{copy.copyright}</p>
        </div>
      </div>
    </footer>
  )
}

function Badge({ icon, children }: { icon: 'no-fees' | 'secure'; children: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <Icon name={icon} className="size-6" />
      {children}
    </li>
  )
}
