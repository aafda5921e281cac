import { landing } from '../../content/landing.ts'
import { CallToAction } from '../components/button.tsx'
import { Section } from '../components/section.tsx'
import { FORM_ANCHOR } from './form-anchor.ts'

export function Urgency() {
  const { heading, text, cta } = landing.urgency
  return (
    <Section id="urgency" heading={heading} tone="amber">
      <p className="max-w-[62ch] pt-4">{text}</p>
      <CallToAction href={FORM_ANCHOR} className="mt-8">
        {cta}
      </CallToAction>
    </Section>
  )
}
