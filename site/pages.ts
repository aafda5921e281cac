/** The site's pages. Adding one here is all it takes: the build writes it and the server serves it. */
import { advertorial } from '../content/advertorial.ts'
import { decline } from '../content/decline.ts'
import { applicationError, notFound } from '../content/errors.ts'
import { landing } from '../content/landing.ts'
import { advertorialFooterLinks, footerLinks } from '../content/links.ts'
import { plainForm, submissionError } from '../content/plain-form.ts'
import { thankYou } from '../content/thank-you.ts'
import beforeReact from './inline/before-react.ts?inline-script'
import publicationDate from './inline/publication-date.ts?inline-script'
import spaceKey from './inline/space-key.ts?inline-script'
import unknownPath from './inline/unknown-path.ts?inline-script'
import { AdvertorialPage } from './pages/advertorial.tsx'
import { DeclinePage } from './pages/decline.tsx'
import { ErrorPage } from './pages/error.tsx'
import { LandingPage } from './pages/landing.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import type { Page } from './pages/page.ts'
import { PlainFormPage } from './pages/plain-form.tsx'
import { SubmissionErrorPage } from './pages/submission-error.tsx'
import { ThankYouPage } from './pages/thank-you.tsx'
import { faqData, organizationData } from './structured-data.ts'

const plain = {
  indexed: false,
  hasQuestionnaire: false,
  headScripts: [],
  bodyScripts: [],
  structuredData: [],
  footerLinks,
} as const

export const pages: readonly Page[] = [
  {
    ...plain,
    path: '/',
    file: 'index.html',
    title: landing.title,
    description: landing.description,
    indexed: true,
    hasQuestionnaire: true,
    headScripts: [beforeReact, spaceKey],
    structuredData: [organizationData, faqData],
    Content: LandingPage,
  },
  {
    ...plain,
    path: '/advertorial',
    file: 'advertorial.html',
    title: advertorial.title,
    description: advertorial.description,
    indexed: true,
    hasQuestionnaire: true,
    headScripts: [beforeReact, spaceKey],
    bodyScripts: [publicationDate],
    structuredData: [organizationData],
    footerLinks: advertorialFooterLinks,
    footerNote: advertorial.footerNote,
    Content: AdvertorialPage,
  },
  {
    ...plain,
    path: '/thank-you',
    file: 'thank-you.html',
    title: thankYou.title,
    description: thankYou.description,
    Content: ThankYouPage,
  },
  {
    ...plain,
    path: '/decline',
    file: 'decline.html',
    title: decline.title,
    description: decline.description,
    Content: DeclinePage,
  },
  {
    ...plain,
    path: null,
    file: 'not-found.html',
    title: notFound.title,
    description: notFound.description,
    bodyScripts: [unknownPath],
    note: notFound.consoleNote,
    Content: NotFoundPage,
  },
  {
    ...plain,
    path: null,
    file: 'error.html',
    title: applicationError.title,
    description: applicationError.description,
    Content: ErrorPage,
  },
  {
    ...plain,
    path: null,
    file: 'plain-form.html',
    title: plainForm.problem.title,
    description: plainForm.problem.description,
    Content: PlainFormPage,
  },
  {
    ...plain,
    path: null,
    file: 'submission-error.html',
    title: submissionError.title,
    description: submissionError.description,
    Content: SubmissionErrorPage,
  },
]
