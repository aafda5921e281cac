/** The site's links, and the types for text with links. */
import { type InEachLanguage, type Language, languages } from './languages.ts'
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
 * Legal pages on another site, such as { en: 'https://www.example.org/privacy' }. A finished page in content/en/legal/ takes
 * precedence over a URL here. With neither, the text isn't a link.
 */
export const legalPagesElsewhere: Readonly<Record<LegalPageName, Partial<InEachLanguage> | null>> = {
  privacy: null,
  terms: null,
  hipaa: null,
  contact: null,
  help: null,
  accessibility: null,
}

/** Social Security's own number, also for applications, in English and Spanish. */
export const socialSecurityPhone: TextLink = { text: '1-800-772-1213', href: 'tel:+18007721213' }

/** The words for the footer's links. */
export interface LegalLinkWords extends Readonly<Record<LegalPageName, string>> {
  /** The advertorial's name for the terms. */
  readonly termsOfService: string
  /** Marks a link to a page that exists only in English. */
  readonly inEnglish: (text: string) => string
}

const hrefIn = (language: Language, name: LegalPageName): string | null => {
  const page = languages.includes(language) ? legalPages[language][name] : null
  return page && !page.isDraft ? page.path : (legalPagesElsewhere[name]?.[language] ?? null)
}

/** A link to the page in the visitor's language or, if there is none, to the English page. */
export function legalLink(
  language: Language,
  words: LegalLinkWords,
  name: LegalPageName,
  text = words[name],
): FooterLink {
  const href = hrefIn(language, name)
  const english = hrefIn('en', name)
  if (href !== null || english === null) return { text, href }
  return { text: words.inEnglish(text), href: english }
}

export function footerLinksIn(language: Language, words: LegalLinkWords, terms = words.terms): readonly FooterLink[] {
  const accessibility = legalLink(language, words, 'accessibility')
  return [
    legalLink(language, words, 'privacy'),
    legalLink(language, words, 'terms', terms),
    legalLink(language, words, 'hipaa'),
    legalLink(language, words, 'contact'),
    legalLink(language, words, 'help'),
    // Not in the specification, so it's shown only if it has a URL.
    ...(accessibility.href === null ? [] : [accessibility]),
  ]
}

export const officialLinks = {
  medicaid: {
    en: 'https://www.healthcare.gov/medicaid-chip/getting-medicaid-chip/',
    es: 'https://www.cuidadodesalud.gov/es/medicaid-chip/getting-medicaid-chip/',
  },
  medicare: {
    en: 'https://www.medicare.gov/basics/get-started-with-medicare',
    es: 'https://es.medicare.gov/basics/get-started-with-medicare',
  },
  socialSecurityDisability: {
    en: 'https://www.ssa.gov/disability',
    es: 'https://www.ssa.gov/espanol/beneficios/incapacidad',
  },
  /** The account's pages are in English. */
  socialSecurityAccount: {
    en: 'https://www.ssa.gov/myaccount/',
    es: 'https://www.ssa.gov/myaccount/',
  },
  representation: {
    en: 'https://www.ssa.gov/representation/',
    es: 'https://www.ssa.gov/representation/',
  },
  supplementalSecurityIncome: {
    en: 'https://www.ssa.gov/ssi',
    es: 'https://www.ssa.gov/espanol/beneficios/ssi',
  },
} as const satisfies Readonly<Record<string, InEachLanguage>>
