/** Words that stand on every page: header, footer, skip link. */
import { organization } from './organization.ts'

export const header = {
  skipLink: 'Skip to main content',
  homeLabel: `${organization.name}, home`,
} as const

export const footer = {
  callLead: 'Questions? Call us toll-free:',
  affiliation: `${organization.name} is a private organization. It is not affiliated with, endorsed by or part of the Social Security Administration or any government agency.`,
  notLegalAdvice: 'This website gives general information. It is not legal advice.',
  linksLabel: 'About this website',
  badges: { noFees: 'No Fees Unless You Win', secure: '100% Secure & HIPAA Compliant', rated: 'Rated by Thousands' },
  badgesLabel: 'Our promises',
  fiveStars: '5 out of 5 stars',
  copyright: `© ${organization.name}`,
} as const
