/** All findings in content/ and the pages built from it. The build stores them for the server and the desk. */
import { claims } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { legalPages } from '../content/legal.ts'
import { advertorialFooterLinks, footerLinks, legalPagesElsewhere } from '../content/links.ts'
import { organization } from '../content/organization.ts'
import { advertorialQuote, testimonials } from '../content/testimonials.ts'
import type { LaunchFinding } from './findings.ts'
import type { BuiltSite } from './page.ts'
import { claimFindings } from './rules/claims.ts'
import { consentFindings } from './rules/consent.ts'
import { advertorialFindings, noticeFindings } from './rules/disclosures.ts'
import { figureFindings, scarcityFindings } from './rules/figures.ts'
import { legalFindings, placeholderFindings } from './rules/legal.ts'
import { linkFindings } from './rules/links.ts'
import { organizationFindings } from './rules/organization.ts'
import { testimonialFindings } from './rules/testimonials.ts'

type Built = Pick<BuiltSite, 'pages' | 'otherPaths'> & { readonly siteUrl: string }

export function siteFindings({ pages, otherPaths, siteUrl }: Built): readonly LaunchFinding[] {
  const legal = Object.values(legalPages)
  // The finding about the draft already explains these.
  const linksToDrafts = [...footerLinks, ...advertorialFooterLinks].filter(({ href }) => href === null)
  return [
    ...testimonialFindings(pages, [...testimonials, advertorialQuote]),
    ...noticeFindings(pages),
    ...advertorialFindings(pages),
    ...consentFindings(pages, organization.name),
    ...scarcityFindings(pages, figures),
    ...claimFindings(
      pages,
      claims,
      legal.map(({ path }) => path),
    ),
    ...figureFindings(pages, figures),
    ...legalFindings(legalPages, legalPagesElsewhere),
    ...placeholderFindings(pages),
    ...organizationFindings(organization),
    ...linkFindings(pages, otherPaths, siteUrl).filter(
      ({ code, subject }) => code !== 'link_without_destination' || !linksToDrafts.some(({ text }) => text === subject),
    ),
  ]
}
