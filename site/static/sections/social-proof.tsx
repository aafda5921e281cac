import type { SocialProofCopy } from '../../../content/types.ts'
import { Stars } from '../icon.tsx'
import type { PageProps } from '../page.ts'
import { Picture } from './picture.tsx'
import { Section, SectionHeading } from './section.tsx'

export interface Testimonial {
  readonly name: string
  readonly text: string
  readonly sample: boolean
}

interface SocialProofProps extends Pick<PageProps, 'assets'> {
  readonly copy: SocialProofCopy
  readonly testimonials: readonly Testimonial[]
}

export function SocialProof({ copy, testimonials, assets }: SocialProofProps) {
  const { heading, sampleNote, sampleLabel, starsLabel } = copy
  if (testimonials.length === 0) return null
  const areAllSamples = testimonials.every(({ sample }) => sample)
  return (
    <Section id="social-proof" tone="white">
      <div>
        <SectionHeading id="social-proof">{heading}</SectionHeading>
        {areAllSamples && <p className="pt-2 text-note text-ink-soft">{sampleNote}</p>}
      </div>
      <ul className="grid grid-cols-1 gap-10 lg:grid-cols-2 lg:gap-x-16 lg:*:first:row-span-2">
        {testimonials.map(({ name, text, sample }, index) => (
          <li key={name}>
            {index === 0 && <Picture of="seniors" assets={assets} alt="" className="mb-8 rounded-3xl" />}
            <figure>
              {starsLabel !== null && <Stars label={starsLabel} />}
              <blockquote className="pt-3 font-heading text-title leading-snug lg:text-question lg:leading-snug">
                “{text}”
              </blockquote>
              <figcaption className="pt-3 font-bold">
                {name}
                {sample && !areAllSamples && (
                  <span className="block text-note font-normal text-ink-soft">{sampleLabel}</span>
                )}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
