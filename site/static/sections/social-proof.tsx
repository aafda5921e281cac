import type { testimonialsIn } from '../../../site-folder/site.ts'
import type { SocialProofCopy } from '../../../site-folder/types.ts'
import { Stars } from '../icon.tsx'
import { Section, SectionHeading } from './section.tsx'

export type Testimonial = Pick<ReturnType<typeof testimonialsIn>[number], 'name' | 'text' | 'sample'>

interface SocialProofProps {
  readonly copy: SocialProofCopy
  readonly testimonials: readonly Testimonial[]
}

export function SocialProof({ copy, testimonials }: SocialProofProps) {
  const { heading, sampleHeading, sampleNote, sampleLabel, starsLabel } = copy
  if (testimonials.length === 0) return null
  const areAllSamples = testimonials.every(({ sample }) => sample)
  return (
    <Section id="social-proof" tone="white">
      <div>
        <SectionHeading id="social-proof">{areAllSamples ? sampleHeading : heading}</SectionHeading>
        {areAllSamples && <p className="pt-2 text-note text-ink-soft">{sampleNote}</p>}
      </div>
      <ul className="grid grid-cols-1 gap-10 lg:grid-cols-3 lg:gap-12">
        {testimonials.map(({ name, text, sample }) => (
          <li key={name}>
            {/* The names line up, however long the quotes are. */}
            <figure className="flex h-full flex-col">
              {starsLabel !== null && <Stars label={starsLabel} />}
              <blockquote className="grow pt-3 font-heading text-title leading-snug">“{text}”</blockquote>
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
