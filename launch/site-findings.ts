/** All findings in content/ and the pages built from it. The build stores them for the server and the desk. */
import { publishedOn } from '../content/advertorial.ts'
import { claimSupport, justifications } from '../content/claims.ts'
import { colors } from '../content/colors.ts'
import { figures } from '../content/figures.ts'
import { landingPages } from '../content/landing-pages.ts'
import { type Language, languages, launchFacts } from '../content/languages.ts'
import { legalPages } from '../content/legal.ts'
import { legalRules } from '../content/legal-rules.ts'
import { footerLinksIn, legalPagesElsewhere } from '../content/links.ts'
import { organization } from '../content/organization.ts'
import { advertorialQuote, testimonials, testimonialsIn } from '../content/testimonials.ts'
import { isPart, type Text, textsIn } from '../content/texts.ts'
import { words } from '../content/words.ts'
import { idOf, type LaunchCode, type LaunchFinding } from '../domain/launch/findings.ts'
import type { BuiltSite } from './page.ts'
import { type ReadText, readingNotes } from './reading-level.ts'
import {
  claimFindings,
  figureFindings,
  scarcityFindings,
  showsTestimonials,
  testimonialFindings,
  unlistedFigures,
} from './rules/claims.ts'
import { contrastFindings } from './rules/contrast.ts'
import * as disclosures from './rules/disclosures.ts'
import { differingFigures, languageFindings } from './rules/languages.ts'
import { overdueRules, protectedNames } from './rules/legal-rules.ts'
import { linkFindings } from './rules/links.ts'

type NamedFigure = keyof typeof figures
type NamedClaim = keyof typeof claimSupport

/** `site` only matters for links; everything else is checked where it's written. */
export function siteFindings(site: BuiltSite & { readonly siteUrl: string }): readonly LaunchFinding[] {
  const all = textsIn()
  const texts = all.filter(text => !isPart(text))
  // A wrong figure shows in every text that uses it, but it's fixed in one place.
  const wrongFigures = differingFigures(all.filter(({ file }) => file.endsWith('/figures.ts')))
  // The finding about the draft already covers these.
  const linksToDrafts = languages
    .flatMap(language => {
      const { links } = words[language]
      return [...footerLinksIn(language, links), ...footerLinksIn(language, links, links.termsOfService)]
    })
    .filter(({ href }) => href === null)
  const translated = languages.filter(language => language !== 'en')
  const found = [
    ...languages.flatMap(language =>
      findingsIn(
        language,
        texts.filter(text => text.language === language),
      ),
    ),
    ...translated.flatMap(language => languageFindings(language, launchFacts[language], today())),
    ...(wrongFigures.length > 0 ? wrongFigures : differingFigures(texts)),
    ...unlistedFigures(all),
    ...contrastFindings(colors),
    ...disclosures.organizationFindings(organization),
    ...protectedNames(organization.name, site.siteUrl),
    ...overdueRules(legalRules),
    ...linkFindings(site).filter(
      ({ code, subject }) => code !== 'link_without_destination' || !linksToDrafts.some(({ text }) => text === subject),
    ),
  ]
  // A figure, claim, or testimonial has the same problem in every language.
  return [...new Map(found.toReversed().map(finding => [idOf(finding), finding])).values()].toReversed()
}

/** For `npm run dev`: what an edit may have brought, but not what a new site has anyway. */
const fromAnEdit = new Set<LaunchCode>(['low_contrast', 'unlisted_figure', 'unlisted_claim', 'placeholder_text'])

export const editFindings = () =>
  siteFindings({ pages: [], otherPaths: [], siteUrl: 'http://localhost' }).filter(
    finding => fromAnEdit.has(finding.code) && !(idOf(finding) in justifications),
  )

export const siteNotes = () => [...disclosures.dateNotes(publishedOn), ...readingNotes(readTexts())]

/** The pages' names in content/ and in the notes. The footer and the questions are on several pages. */
const read = {
  'landing.ts': 'home page',
  'advertorial.ts': 'advertorial',
  'contact-form.ts': 'form',
  'questions.ts': 'questions',
  'questionnaire.ts': 'questionnaire',
  'thank-you.ts': 'thank-you page',
  'decline.ts': 'decline page',
  'stop.ts': 'stop page',
  'errors.ts': 'error pages',
  'shared.ts': 'header and footer',
} as const

/** The sentences that visitors read: not buttons, labels, or what only search engines show. */
export function readTexts(): readonly ReadText[] {
  const isSentence = ({ name, text }: Text) => /[.!?…:]["”)]?$/.test(text) && !/ description$/.test(name)
  const texts = textsIn().filter(isSentence)
  return languages.flatMap(language => [
    ...Object.entries(read).map(([file, name]) => {
      const inFile = texts.filter(text => text.file === `content/${language}/${file}` && !isConsent(text))
      return { language, name, texts: inFile.map(({ text }) => text) }
    }),
    { language, name: 'consent', texts: words[language].consent.paragraphs },
    ...Object.values(legalPages[language])
      .filter(({ isDraft }) => !isDraft)
      .map(({ path, text }) => ({ language, name: path, texts: text.split('\n').map(plainText) })),
  ])
}

const isConsent = ({ name }: Text) => name.startsWith('contact-form.ts 3 consent')

/** A line of Markdown without its marks. */
const plainText = (line: string) => line.replaceAll(/^[#\s-]+|\*\*|\{\{\w+\}\}|\]\([^)]*\)/g, '').replaceAll('[', '')

const today = () => new Date().toISOString().slice(0, 10)

function findingsIn(language: Language, texts: readonly Text[]): readonly LaunchFinding[] {
  const said = words[language]
  const shown = showsTestimonials(language, said.landing, landingPages) ? testimonials : []
  const shownFigures = Object.fromEntries(
    Object.entries(said.figures).map(([name, shown]) => [name, { ...figures[name as NamedFigure], shown }]),
  )
  const claims = Object.fromEntries(
    Object.entries(said.claims).flatMap(([name, shown]) =>
      shown === null ? [] : [[name, { shown, support: claimSupport[name as NamedClaim] }]],
    ),
  )
  return [
    ...testimonialFindings(testimonialsIn(language, [...shown, advertorialQuote])),
    ...disclosures.disclosureFindings(language, said, organization.name),
    ...scarcityFindings(texts, shownFigures),
    ...claimFindings(texts, claims),
    ...figureFindings(texts, shownFigures),
    ...disclosures.legalFindings(legalPages[language], elsewhereIn(language)),
    ...disclosures.placeholderFindings(texts),
  ]
}

const elsewhereIn = (language: Language) =>
  Object.fromEntries(Object.entries(legalPagesElsewhere).map(([name, urls]) => [name, urls?.[language] ?? null]))
