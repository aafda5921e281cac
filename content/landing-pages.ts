/**
 * More landing pages, for campaigns that need their own text. Each has an address and lists only what differs from
 * `content/landing.ts`; everything else, including the questions and the form, is the same. Search engines skip them, since
 * most of their text is on the front page.
 */
import type { landing } from './landing.ts'

type LandingWords = typeof landing

/** A text or list replaces the one in landing.ts; in a section, only the parts named here are replaced. */
export type LandingPage = { readonly path: string } & {
  readonly [Section in keyof LandingWords]?: LandingWords[Section] extends string
    ? string
    : Partial<LandingWords[Section]>
}

export const landingPages: readonly LandingPage[] = []
