/** Where the site's links lead, and the shape of a text that has links in it. */

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

/** Once it leads somewhere, the consent links to it, too. */
export const privacyPolicy: FooterLink = { text: 'Privacy Policy', href: null }

const terms = null
const footerLinksWithTermsAs = (termsText: string): readonly FooterLink[] => [
  privacyPolicy,
  { text: termsText, href: terms },
  { text: 'HIPAA Notice', href: null },
  { text: 'Contact Us', href: null },
  { text: 'Help', href: null },
]

export const footerLinks = footerLinksWithTermsAs('Terms of Use')
export const advertorialFooterLinks = footerLinksWithTermsAs('Terms of Service')

export const officialLinks = {
  medicaid: 'https://www.healthcare.gov/medicaid-chip/getting-medicaid-chip/',
  medicare: 'https://www.medicare.gov/basics/get-started-with-medicare',
  socialSecurityDisability: { text: 'ssa.gov', href: 'https://www.ssa.gov/disability' },
  supplementalSecurityIncome: 'https://www.ssa.gov/ssi',
} as const
