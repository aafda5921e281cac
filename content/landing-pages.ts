/**
 * Additional landing pages for campaigns that need their own text. Each has a path and lists only what differs from
 * `content/landing.ts`; everything else, including the questions and the form, is the same. They aren't indexed by search
 * engines, because most of their text is also on the home page.
 */
import type { landing } from './landing.ts'

type LandingCopy = typeof landing

/** The same parts as in landing.ts, with any text. */
type AnyText<Copy> = Copy extends string ? string : { readonly [Part in keyof Copy]: AnyText<Copy[Part]> }

/** Text and lists replace the ones in landing.ts; a section replaces only the parts listed here. */
export type LandingPage = { readonly path: string } & {
  readonly [Section in keyof LandingCopy]?: LandingCopy[Section] extends string
    ? string
    : Partial<AnyText<LandingCopy[Section]>>
}

export const landingPages: readonly LandingPage[] = []
