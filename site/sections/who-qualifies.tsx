import { landing } from '../../content/landing.ts'
import { Cards } from '../components/cards.tsx'
import { Section } from '../components/section.tsx'

export function WhoQualifies() {
  const { heading, lead, rules } = landing.whoQualifies
  return (
    <Section id="who-qualifies" heading={heading}>
      <p className="max-w-[62ch] pt-4">{lead}</p>
      <Cards items={rules} />
    </Section>
  )
}
