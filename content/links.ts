/** The site's links, and the types for text with links. */
import { type LegalPageName, legalPages } from './legal.ts'

/** `href: null` means that the operator hasn't filled in the link yet: its text is shown but isn't a link. */
export interface FooterLink {
  readonly text: string
  readonly href: string | null
}

export interface TextLink {
  readonly text: string
  readonly href: string
}

/** Plain text, or a list of text and links. */
export type LinkedText = string | readonly (string | TextLink)[]

/**
 * Legal pages on another site, such as 'https://www.example.org/privacy'. A finished page in content/legal/ takes precedence
 * over a URL here. With neither, the text isn't a link.
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

/** If it has a URL, the consent text also links to it. */
export const privacyPolicy = legalLink('Privacy Policy', 'privacy')

const accessibility = legalLink('Accessibility', 'accessibility')

const footerLinksWithTermsAs = (termsText: string): readonly FooterLink[] => [
  privacyPolicy,
  legalLink(termsText, 'terms'),
  legalLink('HIPAA Notice', 'hipaa'),
  legalLink('Contact Us', 'contact'),
  legalLink('Help', 'help'),
  // Not in the specification, so it's shown only if it has a URL.
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
