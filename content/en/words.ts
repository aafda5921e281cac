/** Everything the site says in English, for the pages and scripts that need it by language. */
import { advertorial } from './advertorial.ts'
import { claims } from './claims.ts'
import { consent, contactForm, contactMessages, offlineHelp, submissionFailedHelp, toasts } from './contact-form.ts'
import { decline } from './decline.ts'
import { applicationError, notFound, submissionError } from './errors.ts'
import { figures } from './figures.ts'
import { landing } from './landing.ts'
import { plainForm, questionnaire } from './questionnaire.ts'
import { questions } from './questions.ts'
import { description, footer, header, legalWords, links } from './shared.ts'
import { stopContact } from './stop.ts'
import { thankYou } from './thank-you.ts'

export const en = {
  advertorial,
  applicationError,
  claims,
  consent,
  contactForm,
  contactMessages,
  decline,
  description,
  figures,
  footer,
  header,
  landing,
  legalWords,
  links,
  notFound,
  offlineHelp,
  plainForm,
  questionnaire,
  questions,
  stopContact,
  submissionError,
  submissionFailedHelp,
  thankYou,
  toasts,
} as const
