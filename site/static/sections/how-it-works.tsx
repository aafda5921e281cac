import { CallToAction } from '../../components/button.tsx'
import { type CardContent, Cards } from './cards.tsx'
import { Section } from './section.tsx'

export interface HowItWorksWords {
  readonly heading: string
  readonly steps: readonly CardContent[]
  readonly cta: string
}

export function HowItWorks({ words, toForm }: { words: HowItWorksWords; toForm: string }) {
  const { heading, steps, cta } = words
  return (
    <Section id="how-it-works" heading={heading} tone="white">
      <Cards items={steps} numbered />
      <CallToAction href={toForm} className="mt-9">
        {cta}
      </CallToAction>
    </Section>
  )
}
