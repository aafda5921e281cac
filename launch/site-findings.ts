/** All findings in content/ and the pages built from it. The build stores them for the server and the desk. */
import { publishedOn } from '../content/advertorial.ts'
import { claimSupport } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { type Language, languages, launchFacts } from '../content/languages.ts'
import { legalPages } from '../content/legal.ts'
import { footerLinksIn, legalPagesElsewhere } from '../content/links.ts'
import { organization } from '../content/organization.ts'
import { advertorialQuote, testimonials, testimonialsIn } from '../content/testimonials.ts'
import { words } from '../content/words.ts'
import { idOf, type LaunchFinding } from '../server/launch/findings.ts'
import { type BuiltPage, type BuiltSite, languageOf } from './page.ts'
import { claimFindings, figureFindings, scarcityFindings, testimonialFindings } from './rules/claims.ts'
import * as disclosures from './rules/disclosures.ts'
import { differingFigures, languageFindings } from './rules/languages.ts'
import { linkFindings } from './rules/links.ts'

type NamedFigure = keyof typeof figures
type NamedClaim = keyof typeof claimSupport

export function siteFindings(site: BuiltSite & { readonly siteUrl: string }): readonly LaunchFinding[] {
  // The finding about the draft already covers these.
  const linksToDrafts = languages
    .flatMap(language => {
      const { links } = words[language]
      return [...footerLinksIn(language, links), ...footerLinksIn(language, links, links.termsOfService)]
    })
    .filter(({ href }) => href === null)
  const inEachLanguage = languages.flatMap(language =>
    findingsIn(
      language,
      site.pages.filter(page => languageOf(page) === language),
    ),
  )
  const translated = languages.filter(language => language !== 'en')
  return [
    // A figure, claim, or testimonial has the same problem in every language.
    ...inEachLanguage.filter(
      (finding, index) => inEachLanguage.findIndex(other => idOf(other) === idOf(finding)) === index,
    ),
    ...translated.flatMap(language => languageFindings(language, launchFacts[language], today())),
    ...differingFigures(site.pages),
    ...disclosures.organizationFindings(organization),
    ...linkFindings(site).filter(
      ({ code, subject }) => code !== 'link_without_destination' || !linksToDrafts.some(({ text }) => text === subject),
    ),
  ]
}

export const siteNotes = disclosures.dateNotes(publishedOn)

const today = () => new Date().toISOString().slice(0, 10)

function findingsIn(language: Language, pages: readonly BuiltPage[]): readonly LaunchFinding[] {
  const said = words[language]
  const shownFigures = Object.fromEntries(
    Object.entries(said.figures).map(([name, shown]) => [name, { ...figures[name as NamedFigure], shown }]),
  )
  const claims = Object.fromEntries(
    Object.entries(said.claims).flatMap(([name, shown]) =>
      shown === null ? [] : [[name, { shown, support: claimSupport[name as NamedClaim] }]],
    ),
  )
  const legalPaths = Object.values(legalPages[language]).map(({ path }) => path)
  return [
    ...testimonialFindings(pages, testimonialsIn(language, [...testimonials, advertorialQuote])),
    ...disclosures.noticeFindings(pages),
    ...disclosures.advertorialFindings(pages),
    ...disclosures.consentFindings(pages, organization.name),
    ...scarcityFindings(pages, shownFigures),
    ...claimFindings(pages, claims, legalPaths),
    ...figureFindings(pages, shownFigures),
    ...disclosures.legalFindings(legalPages[language], elsewhereIn(language)),
    ...disclosures.placeholderFindings(pages, legalPages[language]),
  ]
}

const elsewhereIn = (language: Language) =>
  Object.fromEntries(Object.entries(legalPagesElsewhere).map(([name, urls]) => [name, urls?.[language] ?? null]))
