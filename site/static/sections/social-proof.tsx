import type { PageProps } from '../page.ts'
import { Stars } from '../stars.tsx'
import { Picture } from './picture.tsx'
import { Section, SectionHeading } from './section.tsx'

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

interface SocialProofProps extends Pick<PageProps, 'assets'> {
  readonly words: SocialProofWords
  readonly testimonials: readonly Testimonial[]
}

export function SocialProof({ words, testimonials, assets }: SocialProofProps) {
  const { heading, sampleNote, starsLabel } = words
  return (
    <Section id="social-proof" tone="white">
      <div>
        <SectionHeading id="social-proof">{heading}</SectionHeading>
        {testimonials.some(({ sample }) => sample) && <p className="pt-2 text-note text-ink-soft">{sampleNote}</p>}
      </div>
      <ul className="grid grid-cols-1 gap-10 lg:grid-cols-2 lg:gap-x-16 lg:*:first:row-span-2">
        {testimonials.map(({ name, text }, index) => (
          <li key={name}>
            {index === 0 && <Picture of="seniors" assets={assets} alt="" className="mb-8 rounded-3xl" />}
            <div className="flex flex-wrap gap-x-5 gap-y-3">
              {/* A person's presence without a made-up face. */}
              <span
                aria-hidden="true"
                className="grid size-14 place-items-center rounded-full bg-sage font-heading text-question font-bold text-action-dark"
              >
                {name[0]}
              </span>
              <figure className="flex-1 basis-48">
                <blockquote className="font-heading text-title leading-snug lg:text-question lg:leading-snug">
                  “{text}”
                </blockquote>
                <figcaption className="flex flex-wrap items-center gap-x-4 pt-3">
                  <strong>{name}</strong>
                  <Stars label={starsLabel} />
                </figcaption>
              </figure>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
