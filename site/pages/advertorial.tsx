/** Reads like a magazine page: one column, the questionnaire at its end, the way there early. */
import { advertorial } from '../../content/advertorial.ts'
import { advertorialQuote } from '../../content/testimonials.ts'
import { CallToAction } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Panel } from '../questionnaire/panel.tsx'
import type { PageProps } from './page.ts'

const FORM_ID = 'eligibility-form'

export function AdvertorialPage({ destination, trustedForm, assets, builtOn }: PageProps) {
  const { callout, ageAdvantage, provides, timing, checkNow } = advertorial
  return (
    <>
      <p className="border-b border-line bg-card px-5 py-3 text-center text-note">
        <strong className="mx-auto mb-1 block w-fit rounded-md sm:mr-2 sm:mb-0 sm:inline-block bg-ink px-2.5 py-0.5 text-card">
          {advertorial.sponsoredLabel}
        </strong>{' '}
        {advertorial.sponsoredBy}
      </p>
      <article className="mx-auto max-w-[44rem] px-5 pt-8 pb-16 lg:pt-12">
        <h1 className="text-headline lg:text-[3rem] lg:leading-[1.06]">{advertorial.headline}</h1>
        <p className="pt-4 text-note text-ink-soft">
          {advertorial.byline} ·{' '}
          <time dateTime={builtOn.toISOString().slice(0, 10)}>
            {builtOn.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}
          </time>
        </p>
        <p className="pt-5 text-lead lg:text-title lg:leading-[1.45]">{advertorial.lead}</p>
        <CallToAction href={`#${FORM_ID}`} className="mt-6">
          {advertorial.earlyCta}
        </CallToAction>
        <img
          src={assets.illustration}
          alt={advertorial.illustration.alt}
          width="1200"
          height="630"
          className="mt-9 h-auto w-full rounded-2xl"
        />
        <aside className="mt-9 rounded-2xl border-l-8 border-amber-edge bg-amber p-6">
          <h2 className="flex items-center gap-3 text-title">
            <Icon name="caution" />
            {callout.heading}
          </h2>
          <p className="pt-2">{callout.text}</p>
        </aside>

        <Heading>{ageAdvantage.heading}</Heading>
        <Paragraphs texts={ageAdvantage.paragraphs} />

        <Heading>{provides.heading}</Heading>
        <ul className="grid gap-4 pt-5">
          {provides.items.map(({ title, text }) => (
            <li key={title} className="border-l-4 border-action pl-4">
              <strong className="block">{title}</strong>
              {text}
            </li>
          ))}
        </ul>

        <figure className="my-12 border-y border-line py-8 text-center">
          <blockquote className="text-title leading-snug font-bold text-balance text-action-dark lg:text-heading">
            “{advertorialQuote.text}”
          </blockquote>
          <figcaption className="pt-3 text-note">
            {advertorialQuote.name}
            {advertorialQuote.sample && <span className="block">{advertorial.sampleNote}</span>}
          </figcaption>
        </figure>

        <h2 className="text-heading">{timing.heading}</h2>
        <Paragraphs texts={timing.paragraphs} />

        <Heading>{checkNow.heading}</Heading>
        <Paragraphs texts={[checkNow.text]} />
        <div className="pt-8">
          <Panel
            id={FORM_ID}
            label={advertorial.boxTitle}
            page="/advertorial"
            destination={destination}
            trustedForm={trustedForm}
            builtOn={builtOn}
            headingLevel="h3"
            afterSending="loading"
          >
            <h2 className="pb-5 text-heading">{advertorial.boxTitle}</h2>
          </Panel>
        </div>
      </article>
    </>
  )
}

function Heading({ children }: { children: string }) {
  return <h2 className="pt-12 text-heading">{children}</h2>
}

function Paragraphs({ texts }: { texts: readonly string[] }) {
  return texts.map(text => (
    <p key={text} className="pt-4">
      {text}
    </p>
  ))
}
