import { Stars } from '../icon.tsx'
import type { PageProps } from '../page.ts'
import { Picture } from './picture.tsx'
import { Section, SectionHeading } from './section.tsx'

export interface Testimonial {
  readonly name: string
  readonly text: string
  readonly sample: boolean
}

export interface SocialProofCopy {
  readonly heading: string
  readonly starsLabel: string
  /** Shown under the heading if any testimonial is a sample. */
  readonly sampleNote: string
}

interface SocialProofProps extends Pick<PageProps, 'assets'> {
  readonly copy: SocialProofCopy
  readonly testimonials: readonly Testimonial[]
}

export function SocialProof({ copy, testimonials, assets }: SocialProofProps) {
  const { heading, sampleNote, starsLabel } = copy
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
            <figure>
              <Stars label={starsLabel} />
              <blockquote className="pt-3 font-heading text-title leading-snug lg:text-question lg:leading-snug">
                “{text}”
              </blockquote>
              <figcaption className="pt-3 font-bold">{name}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
