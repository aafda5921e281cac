/**
 * Additional landing pages for campaigns that need their own text. Each has a path and lists only what differs from
 * `content/en/landing.ts` and its counterparts; everything else, including the questions and the form, is the same. Null means
 * that the page doesn't exist in that language. They aren't indexed by search engines, because most of their text is also on the
 * home page.
 */
import type { InEachLanguage } from './languages.ts'
import type { LandingCopy } from './types.ts'

/** Text and lists replace the ones in landing.ts; a section replaces only the parts listed here. Null removes a section. */
export type LandingChanges = {
  readonly [Section in keyof LandingCopy]?:
    | Partial<NonNullable<LandingCopy[Section]>>
    | Extract<LandingCopy[Section], string | null>
}

export interface LandingPage extends InEachLanguage<LandingChanges | null> {
  readonly path: string
}

export const landingPages: readonly LandingPage[] = []
