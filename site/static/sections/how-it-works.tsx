import { CallToAction } from '../../components/button.tsx'
import { type CardContent, Path } from './cards.tsx'
import { Section, SectionHeading } from './section.tsx'

export interface HowItWorksWords {
  readonly heading: string
  readonly steps: readonly CardContent[]
  readonly cta: string
}

export function HowItWorks({ words, toForm }: { words: HowItWorksWords; toForm: string }) {
  const { heading, steps, cta } = words
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
