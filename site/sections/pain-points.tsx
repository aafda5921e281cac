import { landing } from '../../content/landing.ts'
import { CallToAction } from '../components/button.tsx'
import { Cards } from '../components/cards.tsx'
import { Section } from '../components/section.tsx'
import { FORM_ANCHOR } from './form-anchor.ts'

export function PainPoints() {
  const { heading, lead, points, cta } = landing.painPoints
  return (
    <Section id="pain-points" heading={heading}>
      <p className="max-w-[62ch] pt-4">{lead}</p>
      <Cards items={points} />
      <CallToAction href={FORM_ANCHOR} className="mt-9">
        {cta}
      </CallToAction>
    </Section>
  )
}
