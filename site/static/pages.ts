/**
 * The site's pages. To add a page, add a line; the build writes the page and the server serves it. Additional landing pages
 * are listed in `content/landing-pages.ts`.
 */
import { publishedOn } from '../../content/advertorial.ts'
import { colors } from '../../content/colors.ts'
import { figures } from '../../content/figures.ts'
import { headlineVariants } from '../../content/headline-variants.ts'
import { landingPages as campaignPages } from '../../content/landing-pages.ts'
import { type InEachLanguage, type Language, languageNames, languages, pathIn } from '../../content/languages.ts'
import { legalPages } from '../../content/legal.ts'
import { footerLinksIn, legalPagesElsewhere } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { askedIn } from '../../content/questions.ts'
import { advertorialQuote, testimonials, testimonialsIn } from '../../content/testimonials.ts'
import { textsByFile } from '../../content/texts.ts'
import { words } from '../../content/words.ts'
import { pathWithoutLanguage } from '../../domain/languages.ts'
import { STOP_PATH } from '../../domain/stop.ts'
import { checkContent } from '../rules/content-rules.ts'
import type { Page, SiteCopy } from './page.ts'
import { advertorialPage } from './pages/advertorial.tsx'
import { declinePage } from './pages/decline.tsx'
import { campaignLandingPage, landingPages } from './pages/landing.tsx'
import { legalFacts, publishedLegalPages } from './pages/legal.tsx'
import { plainFormPage } from './pages/plain-form.tsx'
import { notFoundPage, problemPage } from './pages/problem.tsx'
import { stopPages } from './pages/stop.tsx'
import { thankYouPage } from './pages/thank-you.tsx'

// Check the content before rendering anything.
checkContent({
  organization,
  colors,
  questions: askedIn(words.en.questions),
  figures,
  testimonials: [...testimonials, ...(advertorialQuote ? [advertorialQuote] : [])],
  publishedOn,
  headlineVariants,
  landingPages: campaignPages,
  takenPaths: [
    '/advertorial',
    '/thank-you',
    '/decline',
    STOP_PATH,
    ...Object.values(legalPages.en).map(({ path }) => path),
  ],
  legalPagesElsewhere,
  files: textsByFile,
})

export const siteCopy = (language: Language): SiteCopy => {
  const { description, header, footer, questionnaire, links, plainForm } = words[language]
  return {
    language,
    description,
    header,
    footer,
    scriptProblems: { stillLoading: questionnaire.stillLoading, ...questionnaire.scriptMissing },
    footerLinks: footerLinksIn(language, links),
    plainForm,
    otherLanguages: languages
      .filter(other => other !== language)
      .map(other => ({ language: other, name: languageNames[other], home: pathIn(other, '/') })),
  }
}

function pagesIn(language: Language): readonly Page[] {
  const site = siteCopy(language)
  const {
    advertorial,
    thankYou,
    decline,
    stopContact,
    contactForm,
    notFound,
    applicationError,
    submissionError,
    plainForm,
    links,
  } = words[language]
  const landing = { ...words[language].landing, testimonials: testimonialsIn(language) }
  const variants = headlineVariants.flatMap(({ name, [language]: text }) => (text === null ? [] : [{ name, ...text }]))
  const campaigns = campaignPages.flatMap(({ path, [language]: changes }) =>
    changes === null ? [] : [campaignLandingPage(pathIn(language, path), changes, landing, site)],
  )
  return [
    ...landingPages(pathIn(language, '/'), landing, variants, site),
    ...campaigns,
    advertorialPage(
      pathIn(language, '/advertorial'),
      { ...advertorial, quote: testimonialsIn(language, [advertorialQuote])[0] ?? null, publishedOn },
      { ...site, footerLinks: footerLinksIn(language, links, links.termsOfService) },
    ),
    thankYouPage(pathIn(language, '/thank-you'), thankYou, site),
    declinePage(pathIn(language, '/decline'), decline, site),
    ...stopPages(stopContact, contactForm.errorTitlePrefix, site),
    ...publishedLegalPages(Object.values(legalPages[language]), legalFacts(language), site),
    // These have no path: the server sends them in response to errors.
    notFoundPage(notFound, site),
    problemPage('error.html', applicationError, site),
    problemPage('submission-error.html', submissionError, site),
    plainFormPage(plainForm.problem, site),
  ]
}

const all = languages.flatMap(pagesIn)

/** The same page in each language that has it. */
function translationsOf({ path }: Page): Partial<InEachLanguage> {
  if (path === null) return {}
  const base = pathWithoutLanguage(path)
  const paths = languages.map(language => [language, pathIn(language, base)] as const)
  return Object.fromEntries(paths.filter(([, there]) => all.some(page => page.path === there)))
}

export const pages: readonly Page[] = all.map(page => ({ ...page, translations: translationsOf(page) }))
