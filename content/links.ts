/** Where the site's links lead. `href: null` is a link that the operator has not filled in yet: it is shown, but leads nowhere. */
export interface FooterLink {
  readonly text: string
  readonly href: string | null
}

const terms = null
const footerLinksWithTermsAs = (termsText: string): readonly FooterLink[] => [
  { text: 'Privacy Policy', href: null },
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
  supplementalSecurityIncome: 'https://www.ssa.gov/ssi',
} as const
