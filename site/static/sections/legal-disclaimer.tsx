import type { LegalDisclaimerCopy } from '../../../site-folder/types.ts'

export function LegalDisclaimer({ copy: { heading, paragraphs } }: { copy: LegalDisclaimerCopy }) {
  return (
    <section aria-labelledby="legal-disclaimer" className="px-[20px] pb-14">
      <div className="mx-auto max-w-6xl">
        <div className="rounded-3xl bg-mist p-6 text-note lg:p-8 print:bg-transparent print:p-0">
          <h2 id="legal-disclaimer" className="text-body">
            {heading}
          </h2>
          {/* One column per paragraph, so the text fills the box, which is as wide as the sections around it. */}
          <div className="grid auto-cols-fr grid-cols-1 gap-x-16 gap-y-2 pt-2 lg:grid-flow-col lg:grid-cols-none">
            {paragraphs.map(paragraph => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
      </div>
    </section>
  )
}
