/** The footer on every page: phone number, disclaimers, links, and badges. */

import { telHref } from '../../domain/contact/phone.ts'
import type { Language } from '../../domain/languages.ts'
import { organization } from '../../site-folder/site.ts'
import type { FooterCopy, PageLink } from '../../site-folder/types.ts'
import { Icon, Stars } from './icon.tsx'
import { OrganizationDetails } from './organization-details.tsx'

interface FooterProps {
  readonly language: Language
  readonly copy: FooterCopy
  readonly relay: string | null
  readonly links: readonly PageLink[]
  readonly note?: string
}

export function Footer({ language, copy, relay, links, note }: FooterProps) {
  const { noFees, secure, rated } = copy.badges
  return (
    <footer className="bg-ink px-[20px] py-12 text-note text-card print:hidden">
      <div className="mx-auto grid max-w-6xl grid-cols-1 gap-9">
        {(noFees ?? secure ?? rated) !== null && (
          <ul
            aria-label={copy.badgesLabel}
            className="grid grid-cols-1 gap-x-10 gap-y-4 border-b border-edge pb-8 font-bold lg:flex lg:justify-between"
          >
            {noFees !== null && <Badge icon="no-fees">{noFees}</Badge>}
            {secure !== null && <Badge icon="secure">{secure}</Badge>}
            {rated !== null && (
              <li className="flex flex-wrap items-center gap-x-3">
                {copy.fiveStars !== null && <Stars label={copy.fiveStars} />}
                {rated}
              </li>
            )}
          </ul>
        )}
        <div className="grid grid-cols-1 gap-x-16 gap-y-8 lg:grid-cols-[1fr_2fr]">
          <div className="grid grid-cols-1 content-start gap-2">
            <p>
              {copy.callLead}{' '}
              <a
                href={telHref(organization.phone)}
                className="flex min-h-12 w-fit items-center font-heading text-question font-bold underline-offset-4 hover:underline"
              >
                {organization.phone}
              </a>
            </p>
            {relay && <p>{relay}</p>}
            <OrganizationDetails
              copy={copy}
              {...organization}
              hours={organization.hours?.[language]}
              people={organization.people.map(({ name, role }) => ({ name, role: role[language] }))}
              credentials={organization.credentials.map(each => each[language])}
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
      {/* Beside the icon, unless magnified text doesn't fit there. */}
      <span className="flex-1 basis-40">{children}</span>
    </li>
  )
}
