/** What keeps the site from being shown to the public, found in its own content: the launch check. */

interface Figure {
  readonly shown: string
  readonly source: string | null
  readonly until: string | null
  readonly note?: string
}

export interface PublicContent {
  readonly figures: Readonly<Record<string, Figure>>
  readonly claims: Readonly<Record<string, { readonly shown: string; readonly support: string | null }>>
  readonly testimonials: readonly { readonly name: string; readonly sample: boolean }[]
  readonly links: readonly { readonly text: string; readonly href: string | null }[]
}

/** One thing to settle. `subject` is the figure, the person or the link that it is about. */
export type LaunchProblem =
  | { readonly code: 'figureWithoutSource'; readonly subject: string; readonly note: string }
  | { readonly code: 'figureExpired'; readonly subject: string; readonly note: string; readonly until: string }
  | { readonly code: 'unsupportedClaim'; readonly subject: string }
  | { readonly code: 'sampleTestimonial'; readonly subject: string }
  | { readonly code: 'linkWithoutDestination'; readonly subject: string }

export function launchProblems(content: PublicContent, today: string): readonly LaunchProblem[] {
  return [
    ...figureProblems(content, today),
    ...claimProblems(content),
    ...testimonialProblems(content),
    ...linkProblems(content),
  ]
}

function figureProblems({ figures }: PublicContent, today: string): LaunchProblem[] {
  return Object.entries(figures).flatMap(([name, { shown, source, until, note = '' }]): LaunchProblem[] => {
    const subject = `${name} (${shown})`
    if (source === null) return [{ code: 'figureWithoutSource', subject, note }]
    if (until !== null && until < today) return [{ code: 'figureExpired', subject, note, until }]
    return []
  })
}

function claimProblems({ claims }: PublicContent): LaunchProblem[] {
  return Object.entries(claims)
    .filter(([, { support }]) => support === null)
    .map(([name, { shown }]) => ({ code: 'unsupportedClaim' as const, subject: `${name} (“${shown}”)` }))
}

function testimonialProblems({ testimonials }: PublicContent): LaunchProblem[] {
  return testimonials
    .filter(({ sample }) => sample)
    .map(({ name }) => ({ code: 'sampleTestimonial' as const, subject: name }))
}

function linkProblems({ links }: PublicContent): LaunchProblem[] {
  const texts = new Set(links.filter(({ href }) => href === null).map(({ text }) => text))
  return [...texts].map(text => ({ code: 'linkWithoutDestination' as const, subject: text }))
}
