/**
 * Headlines to test against the one in `content/en/landing.ts` and its counterparts, as
 * { name: 'plain', en: { headline: '…', lead: '…' }, es: null }. Null leaves a language out of the test. The server assigns them, and
 * The desk's Campaigns page shows which one brings in more leads.
 */
import type { InEachLanguage } from './languages.ts'

export interface HeadlineVariant extends InEachLanguage<{ readonly headline: string; readonly lead: string } | null> {
  /** Lowercase letters, digits, and dashes; the desk's Campaigns page shows it. */
  readonly name: string
}

export const headlineVariants: readonly HeadlineVariant[] = []
