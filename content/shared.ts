/** Text on every page: header, footer, skip link. */
import { claims } from './claims.ts'
import { organization } from './organization.ts'

export const header = {
  skipLink: 'Skip to main content',
  homeLabel: `${organization.name}, home`,
} as const

export const footer = {
  callLead: 'Questions? Call us toll-free:',
  affiliation: `${organization.name} is a private organization. It is not affiliated with, endorsed by, or part of the Social Security Administration or any government agency.`,
  notLegalAdvice: 'This website gives general information. It is not legal advice.',
  hoursLabel: 'Hours:',
  addressLabel: 'Address:',
  peopleLabel: 'Our team:',
  emailLabel: 'Email:',
  credentialsLabel: 'Credentials:',
  linksLabel: 'About this website',
  badges: { noFees: 'No Fees Unless You Win', secure: claims.secure.shown, rated: claims.rated.shown },
  badgesLabel: 'Our promises',
  fiveStars: claims.fiveStars.shown,
  copyright: `© ${organization.name}`,
} as const
