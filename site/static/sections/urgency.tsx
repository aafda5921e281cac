import type { UrgencyCopy } from '../../../site-folder/types.ts'
import { CallToAction } from '../../components/button.tsx'
import { Section, SectionHeading } from './section.tsx'

export function Urgency({ copy, toForm }: { copy: UrgencyCopy; toForm: string }) {
  const { heading, lead, reasons, text, cta } = copy
  return (
    <Section id="urgency" tone="amber" columns="lg:grid-cols-[2fr_3fr]">
      <div>
        <SectionHeading id="urgency">{heading}</SectionHeading>
        <p className="pt-4">{text}</p>
        <CallToAction href={toForm} className="mt-7">
          {cta}
        </CallToAction>
      </div>
      {reasons.length > 0 && (
        <div>
          <p>{lead}</p>
          <ul className="grid gap-5 pt-5 sm:grid-cols-2 sm:gap-8">
            {reasons.map(reason => (
              <li key={reason.title} className="border-t-3 border-amber-edge pt-4">
                <h3 className="text-title">{reason.title}</h3>
                <p className="pt-2">{reason.text}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}
