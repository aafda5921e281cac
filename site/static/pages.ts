/**
 * The site's pages. To add a page, add a line; the build writes the page and the server serves it. Additional landing pages
 * are in en.toml and es.toml.
 */
import { type Language, pathInLanguage, pathWithoutLanguage } from '../../domain/languages.ts'
import { data } from '../../site-folder/data.ts'
import { footerLinksIn } from '../../site-folder/legal.ts'
import {
  advertorialQuote,
  landingPages as campaignPages,
  headlineVariants,
  languageNames,
  languages,
  legalPages,
  publishedOn,
  testimonialsIn,
  words,
} from '../../site-folder/site.ts'
import type { InEachLanguage } from '../../site-folder/types.ts'
import type { Page, SiteCopy } from './page.ts'
import { advertorialPage } from './pages/advertorial.tsx'
import { declinePage } from './pages/decline.tsx'
import { campaignLandingPage, landingPages } from './pages/landing.tsx'
import { publishedLegalPages } from './pages/legal.tsx'
import { plainFormPage } from './pages/plain-form.tsx'
import { notFoundPage, shortProblemPage } from './pages/problem.tsx'
import { stopPages } from './pages/stop.tsx'
import { thankYouPage } from './pages/thank-you.tsx'

export const siteCopy = (language: Language): SiteCopy => {
  const { description, header, footer, relay, questionnaire, links, plainForm } = words[language]
  return {
    language,
    description,
    header,
    footer,
    relay,
    scriptProblems: { stillLoading: questionnaire.stillLoading, ...questionnaire.scriptMissing },
    footerLinks: footerLinksIn(language, links, data),
    plainForm,
    otherLanguages: languages
      .filter(other => other !== language)
      .map(other => ({ language: other, name: languageNames[other], home: pathInLanguage(other, '/') })),
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
  const campaigns = campaignPages.flatMap(({ path, [language]: copy }) =>
    copy === null ? [] : [campaignLandingPage(pathInLanguage(language, path), { ...landing, ...copy }, site)],
  )
  return [
    ...landingPages(pathInLanguage(language, '/'), landing, variants, site),
    ...campaigns,
    advertorialPage(
      pathInLanguage(language, '/advertorial'),
      { ...advertorial, quote: testimonialsIn(language, [advertorialQuote])[0] ?? null, publishedOn },
      { ...site, footerLinks: footerLinksIn(language, links, data, links.termsOfService) },
    ),
    thankYouPage(pathInLanguage(language, '/thank-you'), thankYou, site),
    declinePage(pathInLanguage(language, '/decline'), decline, site),
    ...stopPages(stopContact, contactForm.errorTitlePrefix, site),
    ...publishedLegalPages(Object.values(legalPages[language]), site),
    // Pages without a path: the server sends them in response to errors.
    notFoundPage(notFound, site),
    shortProblemPage('error.html', applicationError, site),
    shortProblemPage('submission-error.html', submissionError, site),
    plainFormPage(plainForm.problem, site),
  ]
}

const all = languages.flatMap(pagesIn)

/** The same page in each language that has it. */
function translationsOf({ path }: Page): Partial<InEachLanguage> {
  if (path === null) return {}
  const base = pathWithoutLanguage(path)
  const paths = languages.map(language => [language, pathInLanguage(language, base)] as const)
  return Object.fromEntries(paths.filter(([, there]) => all.some(page => page.path === there)))
}

export const pages: readonly Page[] = all.map(page => ({ ...page, translations: translationsOf(page) }))
