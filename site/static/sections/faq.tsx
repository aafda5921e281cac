/** Native `<details>` with a shared name: one open at a time, without a script. */
import type { FaqCopy } from '../../../site-folder/types.ts'
import { CallCard } from '../call.tsx'
import { Icon } from '../icon.tsx'
import { LinkedText } from '../linked-text.tsx'
import type { SiteCopy } from '../page.ts'
import { Section, SectionHeading } from './section.tsx'

interface FaqProps {
  readonly copy: FaqCopy
  readonly site: SiteCopy
}

export function Faq({ copy: { heading, items, call }, site }: FaqProps) {
  if (items.length === 0) return null
  return (
    <Section id="faq" columns="lg:grid-cols-[2fr_1fr]">
      <div>
        <SectionHeading id="faq">{heading}</SectionHeading>
        <div className="pt-6">
          {items.map(({ question, answer }) => (
            <details key={question} name="faq" className="group border-t border-line last:border-b">
              <summary className="flex min-h-18 cursor-pointer list-none items-center justify-between gap-4 py-3 font-bold hover:text-action [&::-webkit-details-marker]:hidden">
                {question}
                <Icon name="expand" className="size-6 text-action group-open:rotate-180" />
              </summary>
              <p className="max-w-[66ch] pb-7">
                <LinkedText text={answer} />
              </p>
            </details>
          ))}
        </div>
      </div>
      <CallCard level="h3" copy={call} site={site} />
    </Section>
  )
}
