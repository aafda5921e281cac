import { landing } from '../../content/landing.ts'
import { CallToAction } from '../components/button.tsx'
import { Cards } from '../components/cards.tsx'
import { Section } from '../components/section.tsx'
import { FORM_ANCHOR } from './form-anchor.ts'

export function HowItWorks() {
  const { heading, steps, cta } = landing.howItWorks
  return (
    <Section id="how-it-works" heading={heading} tone="white">
      <Cards items={steps} numbered />
      <CallToAction href={FORM_ANCHOR} className="mt-9">
        {cta}
      </CallToAction>
    </Section>
  )
}
