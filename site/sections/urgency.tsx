import { landing } from '../../content/landing.ts'
import { CallToAction } from '../components/button.tsx'
import { Section } from '../components/section.tsx'
import { FORM_ANCHOR } from './form-anchor.ts'

export function Urgency() {
  const { heading, lead, reasons, text, cta } = landing.urgency
  return (
    <Section id="urgency" heading={heading} tone="amber">
      <p className="max-w-[62ch] pt-4">{lead}</p>
      <ul className="grid max-w-[62ch] gap-4 pt-4">
        {reasons.map(reason => (
          <li key={reason.title}>
            <strong className="block">{reason.title}</strong>
            {reason.text}
          </li>
        ))}
      </ul>
      <p className="max-w-[62ch] pt-4">{text}</p>
      <CallToAction href={FORM_ANCHOR} className="mt-8">
        {cta}
      </CallToAction>
    </Section>
  )
}
