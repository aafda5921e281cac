import type { HowItWorksCopy } from '../../../site-folder/types.ts'
import { CallToAction } from '../../components/button.tsx'
import { Path } from './path.tsx'
import { Section, SectionHeading } from './section.tsx'

export function HowItWorks({ copy, toForm }: { copy: HowItWorksCopy; toForm: string }) {
  const { heading, steps, cta } = copy
  if (steps.length === 0) return null
  return (
    <Section id="how-it-works" tone="white">
      <SectionHeading id="how-it-works">{heading}</SectionHeading>
      <Path steps={steps} />
      <CallToAction href={toForm} className="justify-self-start">
        {cta}
      </CallToAction>
    </Section>
  )
}
