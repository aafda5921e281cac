import { type CardContent, Cards } from './cards.tsx'
import { Section } from './section.tsx'

export interface WhoQualifiesWords {
  readonly heading: string
  readonly lead: string
  readonly rules: readonly CardContent[]
}

export function WhoQualifies({ words: { heading, lead, rules } }: { words: WhoQualifiesWords }) {
  return (
    <Section id="who-qualifies" heading={heading}>
      <p className="max-w-[62ch] pt-4">{lead}</p>
      <Cards items={rules} />
    </Section>
  )
}
