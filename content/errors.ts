/** Pages and panels for when something is not there or goes wrong. */
import { organization } from './organization.ts'

export const notFound = {
  title: `Page not found | ${organization.name}`,
  description: 'There is no page at this address.',
  heading: '404',
  text: 'Oops! Page not found',
  help: 'The address may be mistyped, or the page may have moved.',
  home: 'Return to Home',
  callLead: 'Or call us, and we will help you find what you need:',
  consoleNote: 'Page not found:',
} as const

export const applicationError = {
  title: `Something went wrong | ${organization.name}`,
  description: 'The page could not be shown.',
  heading: 'Unexpected Application Error!',
  text: 'Something went wrong on our side. It is nothing you did. Please try again in a minute.',
  home: 'Return to Home',
  callLead: 'Or call us, and we will take your details by phone:',
} as const
