import { CallToAction } from '../../components/button.tsx'
import { type CardContent, Path } from './cards.tsx'
import { Section, SectionHeading } from './section.tsx'

export interface HowItWorksCopy {
  readonly heading: string
  readonly steps: readonly CardContent[]
  readonly cta: string
}

export function HowItWorks({ copy, toForm }: { copy: HowItWorksCopy; toForm: string }) {
  const { heading, steps, cta } = copy
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
