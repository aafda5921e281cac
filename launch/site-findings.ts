/** Everything that can be found in the content and the pages built from it. The build notes it for the server. */
import { claims } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { legalPages } from '../content/legal.ts'
import { legalPagesElsewhere } from '../content/links.ts'
import { organization } from '../content/organization.ts'
import { advertorialQuote, testimonials } from '../content/testimonials.ts'
import type { LaunchFinding } from '../domain/launch/finding.ts'
import type { BuiltPage } from './page.ts'
import { advertorialFindings } from './rules/advertorial.ts'
import { claimFindings } from './rules/claims.ts'
import { consentFindings } from './rules/consent.ts'
import { figureFindings, scarcityFindings } from './rules/figures.ts'
import { legalFindings, placeholderFindings } from './rules/legal.ts'
import { linkFindings } from './rules/links.ts'
import { noticeFindings } from './rules/notice.ts'
import { testimonialFindings } from './rules/testimonials.ts'

interface BuiltSite {
  readonly pages: readonly BuiltPage[]
  /** Addresses of what is no page: pictures, the sitemap. */
  readonly otherPaths: readonly string[]
  readonly siteUrl: string
}

export function siteFindings({ pages, otherPaths, siteUrl }: BuiltSite): readonly LaunchFinding[] {
  const legal = Object.values(legalPages)
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
    ...linkFindings(pages, otherPaths, siteUrl),
  ]
}
