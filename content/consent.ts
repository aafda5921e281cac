/** Assembles the consent from one language's words. */
import type { FooterLink } from './links.ts'

interface ConsentWords {
  /** Above the button: says that pressing it is the consent, and links to the text below it. */
  readonly notice: string
  /** The part of the notice that is the link. */
  readonly noticeLink: string
  readonly button: string
  /** What the person agrees to, that they don't have to, and how to opt out. */
  readonly paragraphs: readonly [string, string, string]
  readonly privacyPolicy: FooterLink
  /** The page to opt out on, as the text names it. */
  readonly stopPage: string
  /** Added if the privacy policy has a URL. */
  readonly privacyNotice: (policy: string) => string
}

/** What the form shows. The full text is only for the contact record. */
export type ConsentCopy = Omit<ReturnType<typeof createConsent>, 'text'>

export function createConsent({ paragraphs, privacyPolicy, stopPage, privacyNotice, ...words }: ConsentWords) {
  const shown: readonly string[] =
    privacyPolicy.href === null ? paragraphs : [...paragraphs, privacyNotice(privacyPolicy.text)]
  const links: readonly FooterLink[] = [{ text: stopPage, href: stopPage }, privacyPolicy]
  return { ...words, text: shown.join(' '), paragraphs: shown, links }
}
