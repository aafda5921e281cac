/** Relief first, then what happens next. It prints on one page, to keep beside the phone. */
import { CallLink } from '../call-link.tsx'
import { Icon } from '../icon.tsx'
import { fileAt, type Page, type PageTitle, plainPage, type SiteWords } from '../page.ts'
import { type CardContent, Cards } from '../sections/cards.tsx'

interface ThankYouWords extends PageTitle {
  readonly badge: string
  readonly headline: string
  readonly lead: string
  readonly number: { readonly before: string; readonly shown: string; readonly after: string }
  readonly notADecision: string
  readonly callHint: string
  readonly callLabel: string
  readonly nextHeading: string
  readonly steps: readonly CardContent[]
  readonly keep: { readonly heading: string; readonly items: readonly CardContent[] }
  readonly reminder: string
  readonly reminderText: string
}

export function thankYouPage(path: string, words: ThankYouWords, site: SiteWords): Page {
  return { ...plainPage(path, fileAt(path), words, site), render: () => <ThankYou words={words} /> }
}

function ThankYou({ words }: { words: ThankYouWords }) {
  return (
    <>
      <div className="bg-mist px-5 py-12 text-center lg:py-20 print:py-4">
        <div className="mx-auto max-w-4xl">
          <p className="inline-flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-3xl bg-action px-5 py-2 font-bold text-card">
            <Icon name="badge" />
            {words.badge}
          </p>
          <h1 className="pt-5 text-headline lg:text-display print:text-heading">{words.headline}</h1>
          <p className="mx-auto max-w-[56ch] pt-5 text-lead">{words.lead}</p>
          <p className="mx-auto max-w-[56ch] pt-3 text-lead text-balance">
            {words.number.before}
            <strong className="whitespace-nowrap">{words.number.shown}</strong>
            {words.number.after}
          </p>
          <p className="mx-auto max-w-[56ch] pt-3 text-note">{words.notADecision}</p>
          <p className="pt-8 pb-3 text-balance print:pt-3">{words.callHint}</p>
          <CallLink label={words.callLabel} className="min-h-18 px-9 text-title max-sm:w-full" />
        </div>
      </div>
      <div className="px-5 py-12 lg:py-16 print:py-4">
        <div className="mx-auto max-w-6xl">
          <h2 className="text-heading lg:text-[2.5rem]">{words.nextHeading}</h2>
          <Cards items={words.steps} numbered />
          <div className="mt-12 grid grid-cols-1 gap-10 lg:grid-cols-[3fr_2fr] print:mt-4 print:gap-4">
            <div>
              <h2 className="text-heading">{words.keep.heading}</h2>
              <dl className="grid gap-5 pt-5 print:gap-2">
                {words.keep.items.map(({ title, text }) => (
                  <div key={title}>
                    <dt className="font-bold">{title}</dt>
                    <dd className="text-ink-soft">{text}</dd>
                  </div>
                ))}
              </dl>
            </div>
            <div className="self-start rounded-2xl bg-amber p-7">
              <p className="flex items-center gap-3 text-title font-bold">
                <Icon name="no-fees" />
                {words.reminder}
              </p>
              <p className="pt-2">{words.reminderText}</p>
            </div>
          </div>
        </div>
      </div>
    </>
  )
}
