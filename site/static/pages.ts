/**
 * The site's pages. To add a page, add a line; the build writes the page and the server serves it. Additional landing pages
 * are listed in `content/landing-pages.ts`.
 */
import { advertorial } from '../../content/advertorial.ts'
import { decline } from '../../content/decline.ts'
import { applicationError, notFound, submissionError } from '../../content/errors.ts'
import { figures } from '../../content/figures.ts'
import { headlineVariants, landing } from '../../content/landing.ts'
import { landingPages as campaignPages } from '../../content/landing-pages.ts'
import { legalPages } from '../../content/legal.ts'
import { advertorialFooterLinks, footerLinks, legalPagesElsewhere } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { consent, contactForm } from '../../content/panel/contact-form.ts'
import { plainForm, questionnaire } from '../../content/panel/questionnaire.ts'
import { questions } from '../../content/questions.ts'
import { footer, header } from '../../content/shared.ts'
import { advertorialQuote, testimonials } from '../../content/testimonials.ts'
import { thankYou } from '../../content/thank-you.ts'
import { checkContent } from '../rules/content-rules.ts'
import type { Page, SiteCopy } from './page.ts'
import { advertorialPage } from './pages/advertorial.tsx'
import { declinePage } from './pages/decline.tsx'
import { campaignLandingPage, landingPages } from './pages/landing.tsx'
import { legalFacts, publishedLegalPages } from './pages/legal.tsx'
import { plainFormPage } from './pages/plain-form.tsx'
import { notFoundPage, problemPage } from './pages/problem.tsx'
import { thankYouPage } from './pages/thank-you.tsx'

// Check the content before rendering anything.
checkContent({
  organization,
  questions,
  figures,
  testimonials: [...testimonials, advertorialQuote],
  headlineVariants,
  landingPages: campaignPages,
  takenPaths: ['/advertorial', '/thank-you', '/decline', ...Object.values(legalPages).map(({ path }) => path)],
  legalPagesElsewhere,
  files: {
    'organization.ts': organization,
    'questions.ts': questions,
    'figures.ts': figures,
    'testimonials.ts': [testimonials, advertorialQuote],
    'landing.ts': [landing, headlineVariants],
    'landing-pages.ts': campaignPages,
    'advertorial.ts': advertorial,
    'thank-you.ts': thankYou,
    'decline.ts': decline,
    'errors.ts': [notFound, applicationError, submissionError],
    'shared.ts': [header, footer],
    'panel/contact-form.ts': [contactForm, consent],
    'panel/questionnaire.ts': [questionnaire, plainForm],
    ...Object.fromEntries(Object.entries(legalPages).map(([name, { text }]) => [`legal/${name}.md`, text])),
  },
})

export const english: SiteCopy = {
  language: 'en',
  header: { ...header, callLabel: organization.callLabel },
  footer,
  scriptProblems: { stillLoading: questionnaire.stillLoading, ...questionnaire.scriptMissing },
  footerLinks,
  plainForm,
}

export const pages: readonly Page[] = [
  ...landingPages('/', { ...landing, testimonials }, headlineVariants, english),
  ...campaignPages.map(page => campaignLandingPage(page, { ...landing, testimonials }, english)),
  advertorialPage(
    '/advertorial',
    { ...advertorial, quote: advertorialQuote },
    { ...english, footerLinks: advertorialFooterLinks },
  ),
  thankYouPage('/thank-you', thankYou, english),
  declinePage('/decline', decline, english),
  ...publishedLegalPages(Object.values(legalPages), legalFacts, english),
  // These have no path: the server sends them in response to errors.
  notFoundPage(notFound, english),
  problemPage('error.html', applicationError, english),
  problemPage('submission-error.html', submissionError, english),
  plainFormPage(plainForm.problem, english),
]
