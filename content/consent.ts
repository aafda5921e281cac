/** Assembles the consent from one language's words. */
import type { FooterLink } from './links.ts'

interface ConsentWords {
  readonly button: string
  /** What the person agrees to, that they don't have to, and how to opt out. */
  readonly paragraphs: readonly [string, string, string]
  readonly privacyPolicy: FooterLink
  /** Added if the privacy policy has a URL. */
  readonly privacyNotice: (policy: string) => string
}

export function createConsent({ button, paragraphs, privacyPolicy, privacyNotice }: ConsentWords) {
  const shown: readonly string[] =
    privacyPolicy.href === null ? paragraphs : [...paragraphs, privacyNotice(privacyPolicy.text)]
  return { button, text: shown.join(' '), paragraphs: shown, privacyPolicy }
}
