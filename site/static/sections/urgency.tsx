import { CallToAction } from '../../components/button.tsx'
import type { CardContent } from './cards.tsx'
import { Section } from './section.tsx'

export interface UrgencyWords {
  readonly heading: string
  readonly lead: string
  readonly reasons: readonly CardContent[]
  readonly text: string
  readonly cta: string
}

export function Urgency({ words, toForm }: { words: UrgencyWords; toForm: string }) {
  const { heading, lead, reasons, text, cta } = words
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
      <CallToAction href={toForm} className="mt-8">
        {cta}
      </CallToAction>
    </Section>
  )
}
