/** What keeps the site from being shown to the public, found in its own content: the launch check. */
import { type Claim, claims } from '../content/claims.ts'
import { type Figure, figures } from '../content/figures.ts'
import { advertorialFooterLinks, footerLinks } from '../content/links.ts'
import { advertorialQuote, testimonials } from '../content/testimonials.ts'

export function launchProblems(today: string): readonly string[] {
  return [...figureProblems(figures, today), ...claimProblems(claims), ...testimonialProblems(), ...linkProblems()]
}

export function figureProblems(all: Readonly<Record<string, Figure>>, today: string): string[] {
  return Object.entries(all).flatMap(([name, { shown, source, until, note }]) => {
    const hint = note === undefined ? '' : ` ${note}`
    if (source === null) return [`Figure ${name} (${shown}) has no source.${hint}`]
    if (until !== null && until < today) return [`Figure ${name} (${shown}) held only until ${until}.${hint}`]
    return []
  })
}

export function claimProblems(all: Readonly<Record<string, Claim>>): string[] {
  return Object.entries(all)
    .filter(([, { support }]) => support === null)
    .map(([name, { shown }]) => `The claim ${name} (“${shown}”) has nothing that supports it in content/claims.ts.`)
}

function testimonialProblems(): string[] {
  return [...testimonials, advertorialQuote]
    .filter(({ sample }) => sample)
    .map(
      ({ name }) =>
        `The testimonial of ${name} is a sample. Publishing invented testimonials is unlawful (16 CFR 465).`,
    )
}

function linkProblems(): string[] {
  const texts = new Set(
    [...footerLinks, ...advertorialFooterLinks].filter(({ href }) => href === null).map(({ text }) => text),
  )
  return [...texts].map(text => `The footer link ${text} has no destination.`)
}
