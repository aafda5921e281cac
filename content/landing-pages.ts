/**
 * More landing pages, for campaigns that need their own words. Each has an address and says only what differs from
 * `content/landing.ts`; everything else, the questions and the form included, is the same. Search engines are told to skip
 * them, since most of their words are on the front page too.
 */
import type { landing } from './landing.ts'

type LandingWords = typeof landing

/** A whole text or list takes the place of the one in landing.ts; of a section, only the parts that are named here. */
export type LandingPage = { readonly path: string } & {
  readonly [Section in keyof LandingWords]?: LandingWords[Section] extends string
    ? string
    : Partial<LandingWords[Section]>
}

export const landingPages: readonly LandingPage[] = []
