/** Where the site's links lead, and the shape of a text that has links in it. */
import { type LegalPageName, legalPages } from './legal.ts'

/** `href: null` is a link that the operator has not filled in yet: it is shown, but leads nowhere. */
export interface FooterLink {
  readonly text: string
  readonly href: string | null
}

export interface TextLink {
  readonly text: string
  readonly href: string
}

/** A plain text, or one in parts, some of which are links. */
export type LinkedText = string | readonly (string | TextLink)[]

/**
 * Pages that you have at another address, such as 'https://www.example.org/privacy'. The rule: a finished page in
 * content/legal/ wins; without one, the link leads to the address here; without either, it has no destination.
 */
export const legalPagesElsewhere: Readonly<Record<LegalPageName, string | null>> = {
  privacy: null,
  terms: null,
  hipaa: null,
  contact: null,
  help: null,
  accessibility: null,
}

const legalLink = (text: string, name: LegalPageName): FooterLink => {
  const { isDraft, path } = legalPages[name]
  return { text, href: isDraft ? legalPagesElsewhere[name] : path }
}

/** Once it leads somewhere, the consent links to it, too. */
export const privacyPolicy = legalLink('Privacy Policy', 'privacy')

const accessibility = legalLink('Accessibility', 'accessibility')

const footerLinksWithTermsAs = (termsText: string): readonly FooterLink[] => [
  privacyPolicy,
  legalLink(termsText, 'terms'),
  legalLink('HIPAA Notice', 'hipaa'),
  legalLink('Contact Us', 'contact'),
  legalLink('Help', 'help'),
  // The specification does not name it: it is there once it leads somewhere.
  ...(accessibility.href === null ? [] : [accessibility]),
]

export const footerLinks = footerLinksWithTermsAs('Terms of Use')
export const advertorialFooterLinks = footerLinksWithTermsAs('Terms of Service')

export const officialLinks = {
  medicaid: 'https://www.healthcare.gov/medicaid-chip/getting-medicaid-chip/',
  medicare: 'https://www.medicare.gov/basics/get-started-with-medicare',
  socialSecurityDisability: { text: 'ssa.gov', href: 'https://www.ssa.gov/disability' },
  supplementalSecurityIncome: 'https://www.ssa.gov/ssi',
} as const
