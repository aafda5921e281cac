/** Text on every page: header, footer, skip link. */

import type { LegalLinkWords } from '../links.ts'
import { organization } from '../organization.ts'
import type { FooterCopy, HeaderCopy } from '../types.ts'
import { claims } from './claims.ts'

/** Next to each page's main phone number. */
export const relay = organization.takesRelayCalls ? 'Deaf or hard of hearing? Dial 711 first.' : null

/** For legal pages: {{relay}}, {{answers}}, and {{stop}}. */
export const legalWords = { relay: relay ?? '', answers: '', stop: 'STOP' } as const

/** For search engines and home screens. */
export const description =
  "A private organization that helps people who can't work because of a disability apply for Social Security Disability Insurance."

export const header = {
  skipLink: 'Skip to main content',
  homeLabel: `${organization.name}, home`,
  callLabel: 'Call Now',
  languagesLabel: 'Language',
} as const satisfies HeaderCopy

export const footer = {
  callLead: 'Questions? Call us toll-free:',
  relay,
  affiliation: `${organization.name} is a private organization. It is not affiliated with, endorsed by, or part of the Social Security Administration or any government agency.`,
  notLegalAdvice: 'This website gives general information. It is not legal advice.',
  hoursLabel: 'Hours:',
  addressLabel: 'Address:',
  peopleLabel: 'Our team:',
  emailLabel: 'Email:',
  credentialsLabel: 'Credentials:',
  linksLabel: 'About this website',
  badges: { noFees: 'No Fees Unless You Win', secure: claims.secure, rated: claims.rated },
  badgesLabel: 'Our promises',
  fiveStars: claims.fiveStars,
  copyright: `© ${organization.name}`,
} as const satisfies FooterCopy

export const links = {
  privacy: 'Privacy Policy',
  terms: 'Terms of Use',
  termsOfService: 'Terms of Service',
  hipaa: 'HIPAA Notice',
  contact: 'Contact Us',
  help: 'Help',
  accessibility: 'Accessibility',
  inEnglish: text => text,
} as const satisfies LegalLinkWords
