/** All findings in a site's texts and the pages built from them. The build stores them for the server and the desk. */
import type { Language } from '../domain/languages.ts'
import { idOf, type LaunchCode, type LaunchFinding } from '../domain/launch/findings.ts'
import { footerLinksIn } from '../site-folder/legal.ts'
import type { SiteData, FoundText as Text } from '../site-folder/types.ts'
import { legalRules } from './legal-rules.ts'
import type { BuiltSite } from './page.ts'
import {
  claimFindings,
  figureFindings,
  isPart,
  scarcityFindings,
  showsTestimonials,
  testimonialFindings,
  unlistedFigures,
} from './rules/claims.ts'
import { contrastFindings } from './rules/contrast.ts'
import * as disclosures from './rules/disclosures.ts'
import { differingFigures, spanishFindings } from './rules/languages.ts'
import { overdueRules, protectedNames } from './rules/legal-rules.ts'
import { linkFindings } from './rules/links.ts'

/** `built` only matters for links; everything else is checked where it's written. */
export function siteFindings(
  site: SiteData,
  built: BuiltSite & { readonly siteUrl: string },
): readonly LaunchFinding[] {
  const { languages, texts: all } = site
  const texts = all.filter(text => !isPart(text))
  // A wrong figure shows in every text that uses it, but it's fixed in one place.
  const wrongFigures = differingFigures(all.filter(({ name }) => name.startsWith('figures.')))
  // The finding about the draft already covers these.
  const linksToDrafts = languages
    .flatMap(language => {
      const { links } = site.words[language]
      return [...footerLinksIn(language, links, site), ...footerLinksIn(language, links, site, links.termsOfService)]
    })
    .filter(({ href }) => href === null)
  const found = [
    ...languages.flatMap(language =>
      findingsIn(
        language,
        site,
        texts.filter(text => text.language === language),
      ),
    ),
    ...(languages.includes('es')
      ? spanishFindings(site.reviews.languages.es, site.spanishVersion, site.organization.spanish, today())
      : []),
    ...(wrongFigures.length > 0 ? wrongFigures : differingFigures(texts)),
    ...unlistedFigures(all),
    ...contrastFindings(site.organization.colors),
    ...disclosures.organizationFindings(site.organization),
    ...disclosures.reviewFindings(site.reviewable, site.reviews.texts),
    ...protectedNames(site.organization.name, built.siteUrl),
    ...overdueRules(legalRules, site.reviews.rules),
    ...linkFindings(built).filter(
      ({ code, subject }) => code !== 'link_without_destination' || !linksToDrafts.some(({ text }) => text === subject),
    ),
  ]
  // A figure, claim, or testimonial has the same problem in every language.
  return [...new Map(found.toReversed().map(finding => [idOf(finding), finding])).values()].toReversed()
}

/** For `npm run dev`: what an edit may have brought, but not what a new site has anyway. */
const fromAnEdit = new Set<LaunchCode>(['low_contrast', 'unlisted_figure', 'unlisted_claim', 'placeholder_text'])

export const editFindings = (site: SiteData) =>
  siteFindings(site, { pages: [], otherPaths: [], siteUrl: 'http://localhost' }).filter(
    finding => fromAnEdit.has(finding.code) && !(idOf(finding) in site.reviews.accepted),
  )

const today = () => new Date().toISOString().slice(0, 10)

function findingsIn(language: Language, site: SiteData, texts: readonly Text[]): readonly LaunchFinding[] {
  const { words, figures, claims: evidence, testimonials, advertorialQuote, legalPages, legalPagesElsewhere } = site
  const said = words[language]
  const shown = showsTestimonials(language, site) ? testimonials : []
  const quotes = [...shown, ...(advertorialQuote ? [advertorialQuote] : [])]
  const shownFigures = Object.fromEntries(
    Object.entries(figures).map(([name, figure]) => [name, { ...figure, shown: said.figures[name] ?? '' }]),
  )
  const claims = Object.fromEntries(
    Object.entries(said.claims).flatMap(([name, claim]) =>
      claim === null ? [] : [[name, { shown: claim, support: evidence[name as keyof typeof evidence] ?? null }]],
    ),
  )
  const elsewhere = Object.fromEntries(
    Object.entries(legalPagesElsewhere).map(([name, urls]) => [name, urls?.[language]]),
  )
  return [
    ...testimonialFindings(quotes.filter(({ text }) => text[language] !== undefined)),
    ...disclosures.disclosureFindings(language, said, site.organization.legalName),
    ...scarcityFindings(texts, shownFigures),
    ...claimFindings(texts, claims),
    ...figureFindings(texts, shownFigures),
    ...disclosures.legalFindings(legalPages[language], elsewhere, site.reviews.texts),
    ...disclosures.placeholderFindings(texts),
  ]
}
