/** All findings in content/ and the pages built from it. The build stores them for the server and the desk. */
import { claims } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { legalPages } from '../content/legal.ts'
import { advertorialFooterLinks, footerLinks, legalPagesElsewhere } from '../content/links.ts'
import { organization } from '../content/organization.ts'
import { advertorialQuote, testimonials } from '../content/testimonials.ts'
import type { LaunchFinding } from '../server/launch/findings.ts'
import type { BuiltSite } from './page.ts'
import { claimFindings, figureFindings, scarcityFindings, testimonialFindings } from './rules/claims.ts'
import * as disclosures from './rules/disclosures.ts'
import { linkFindings } from './rules/links.ts'

export function siteFindings(site: BuiltSite & { readonly siteUrl: string }): readonly LaunchFinding[] {
  const { pages } = site
  const legalPaths = Object.values(legalPages).map(({ path }) => path)
  // The finding about the draft already covers these.
  const linksToDrafts = [...footerLinks, ...advertorialFooterLinks].filter(({ href }) => href === null)
  return [
    ...testimonialFindings(pages, [...testimonials, advertorialQuote]),
    ...disclosures.noticeFindings(pages),
    ...disclosures.advertorialFindings(pages),
    ...disclosures.consentFindings(pages, organization.name),
    ...scarcityFindings(pages, figures),
    ...claimFindings(pages, claims, legalPaths),
    ...figureFindings(pages, figures),
    ...disclosures.legalFindings(legalPages, legalPagesElsewhere),
    ...disclosures.placeholderFindings(pages),
    ...disclosures.organizationFindings(organization),
    ...linkFindings(site).filter(
      ({ code, subject }) => code !== 'link_without_destination' || !linksToDrafts.some(({ text }) => text === subject),
    ),
  ]
}
