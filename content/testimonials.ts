/**
 * Testimonials. These are samples to show the layout: no real person said them, and publishing made-up testimonials is
 * illegal (16 CFR 465). Replace each with a real one, set `sample: false`, and record the permission. The launch check
 * rejects samples, and real testimonials without permission.
 */
export interface Testimonial {
  readonly name: string
  readonly text: string
  readonly sample: boolean
  /** When the person agreed to be quoted, and where the proof is kept ('signed release, client file 2231'). */
  readonly permission?: { readonly given: string; readonly record: string }
}

export const testimonials: readonly Testimonial[] = [
  {
    name: 'Linda',
    text: "I'd put it off for a year because of the forms. They went through every page with me on the phone and never once made me feel rushed.",
    sample: true,
  },
  {
    name: 'Robert',
    text: 'After 31 years of warehouse work, my back gave out. My advocate knew which records to ask for and told me what came next, every time.',
    sample: true,
  },
  {
    name: 'Maria',
    text: "What I remember is that someone called back when they said they would. I wasn't dealing with it alone anymore.",
    sample: true,
  },
]

/** The customer quote in the advertorial. Also a sample. */
export const advertorialQuote: Testimonial = {
  name: 'Carol',
  text: "I figured that at 58 I'd be told to find other work. It turned out my age was one reason they took my claim seriously.",
  sample: true,
}
