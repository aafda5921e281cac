/** The 404 page and the error pages. The panel shows some of the same text. */

import { organization } from '../organization.ts'
import type { NotFoundCopy, ProblemCopy } from '../types.ts'
import { relay } from './shared.ts'

export const notFound = {
  title: `Page not found | ${organization.name}`,
  description: "There's no page at this address.",
  heading: '404',
  text: 'Oops! Page not found',
  help: 'The address may have a typo, or the page may have moved.',
  home: 'Return to Home',
  callLead: "Or call us, and we'll help you find what you need:",
  relay,
  consoleNote: 'Page not found:',
} as const satisfies NotFoundCopy

export const applicationError = {
  title: `Something went wrong | ${organization.name}`,
  description: "This page couldn't be shown.",
  heading: 'Unexpected Application Error!',
  text: "Something went wrong on our end. It's nothing you did. Please try again in a minute.",
  home: 'Return to Home',
  callLead: "Or call us, and we'll take your information by phone:",
  relay,
} as const satisfies ProblemCopy

/** Shown when the plain form can't be submitted. */
export const submissionError = {
  title: `Submission Error | ${organization.name}`,
  description: "The form couldn't be sent.",
  heading: 'Submission Error',
  text: 'There was a problem submitting your information. Please try again.',
  help: "Use your browser's Back button. What you entered should still be there.",
  home: 'Return to Home',
  callLead: "Or call us, and we'll take your information by phone:",
  relay,
} as const satisfies ProblemCopy
