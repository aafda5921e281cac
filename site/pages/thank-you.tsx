/** Relief first, then what happens next. It prints on one page, to keep beside the phone. */
import { thankYou } from '../../content/thank-you.ts'
import { CallLink } from '../components/call-link.tsx'
import { Cards } from '../components/cards.tsx'
import { Icon } from '../components/icon.tsx'

export function ThankYouPage() {
  return (
    <>
      <div className="bg-mist px-5 py-12 text-center lg:py-20 print:py-4">
        <div className="mx-auto max-w-4xl">
          <p className="inline-flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-3xl bg-action px-5 py-2 font-bold text-card">
            <Icon name="badge" />
            {thankYou.badge}
          </p>
          <h1 className="pt-5 text-headline lg:text-display print:text-heading">{thankYou.headline}</h1>
          <p className="mx-auto max-w-[56ch] pt-5 text-lead">{thankYou.lead}</p>
          <p className="mx-auto max-w-[56ch] pt-3 text-lead text-balance">
            {thankYou.number.before}
            <strong className="whitespace-nowrap">{thankYou.number.shown}</strong>
            {thankYou.number.after}
          </p>
          <p className="mx-auto max-w-[56ch] pt-3 text-note">{thankYou.notADecision}</p>
          <p className="pt-8 pb-3 text-balance print:pt-3">{thankYou.callHint}</p>
          <CallLink label={thankYou.callLabel} className="min-h-18 px-9 text-title max-sm:w-full" />
        </div>
      </div>
      <div className="px-5 py-12 lg:py-16 print:py-4">
        <div className="mx-auto max-w-6xl">
          <h2 className="text-heading lg:text-[2.5rem]">{thankYou.nextHeading}</h2>
          <Cards items={thankYou.steps} numbered />
          <div className="mt-12 grid grid-cols-1 gap-10 lg:grid-cols-[3fr_2fr] print:mt-4 print:gap-4">
            <div>
              <h2 className="text-heading">{thankYou.keep.heading}</h2>
              <dl className="grid gap-5 pt-5 print:gap-2">
                {thankYou.keep.items.map(({ title, text }) => (
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
                {thankYou.reminder}
              </p>
              <p className="pt-2">{thankYou.reminderText}</p>
            </div>
          </div>
        </div>
      </div>
    </>
  )
}
