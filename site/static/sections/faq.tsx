/** Native disclosure widgets of one name: one open at a time, the open one can be closed, and no script. */
import type { LinkedText as Text } from '../../../content/links.ts'
import { Icon } from '../icon.tsx'
import { LinkedText } from '../linked-text.tsx'
import { Section } from './section.tsx'

export interface FaqWords {
  readonly heading: string
  readonly items: readonly { readonly question: string; readonly answer: Text }[]
}

export function Faq({ words: { heading, items } }: { words: FaqWords }) {
  return (
    <Section id="faq" heading={heading}>
      <div className="mt-8 grid max-w-4xl grid-cols-1 gap-3">
        {items.map(({ question, answer }) => (
          <details key={question} name="faq" className="group rounded-2xl border border-line bg-card">
            <summary className="flex min-h-16 cursor-pointer list-none items-center justify-between gap-4 rounded-2xl px-5 py-3 font-bold group-open:rounded-b-none hover:bg-mist sm:px-6 [&::-webkit-details-marker]:hidden">
              {question}
              <Icon name="expand" className="size-6 text-action group-open:rotate-180" />
            </summary>
            <p className="max-w-[66ch] px-5 pt-3 pb-6 sm:px-6">
              <LinkedText text={answer} />
            </p>
          </details>
        ))}
      </div>
    </Section>
  )
}
