import { Stars } from '../stars.tsx'
import { Section } from './section.tsx'

export interface Testimonial {
  readonly name: string
  readonly text: string
  readonly sample: boolean
}

export interface SocialProofWords {
  readonly heading: string
  readonly starsLabel: string
  /** Under the heading, while any of the testimonials is a sample. */
  readonly sampleNote: string
}

interface SocialProofProps {
  readonly words: SocialProofWords
  readonly testimonials: readonly Testimonial[]
}

export function SocialProof({ words, testimonials }: SocialProofProps) {
  const { heading, sampleNote, starsLabel } = words
  return (
    <Section id="social-proof" heading={heading} tone="white">
      {testimonials.some(({ sample }) => sample) && <p className="pt-2 text-note text-ink-soft">{sampleNote}</p>}
      <ul className="mt-8 grid grid-cols-1 gap-5 lg:mt-10 lg:grid-cols-3 lg:gap-7">
        {testimonials.map(({ name, text }) => (
          <li key={name}>
            <figure className="flex h-full flex-col rounded-2xl bg-paper p-6 lg:p-7">
              <Stars label={starsLabel} />
              <blockquote className="max-w-[62ch] grow pt-4">“{text}”</blockquote>
              <figcaption className="pt-4 font-bold">{name}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
