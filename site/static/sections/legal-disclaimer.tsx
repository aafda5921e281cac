export interface LegalDisclaimerWords {
  readonly heading: string
  readonly paragraphs: readonly string[]
}

export function LegalDisclaimer({ words: { heading, paragraphs } }: { words: LegalDisclaimerWords }) {
  return (
    <section aria-labelledby="legal-disclaimer" className="px-5 pb-14">
      <div className="mx-auto max-w-6xl">
        <div className="max-w-4xl rounded-2xl bg-mist p-6 text-note lg:p-8">
          <h2 id="legal-disclaimer" className="text-body">
            {heading}
          </h2>
          {paragraphs.map(paragraph => (
            <p key={paragraph} className="max-w-[66ch] pt-2">
              {paragraph}
            </p>
          ))}
        </div>
      </div>
    </section>
  )
}
