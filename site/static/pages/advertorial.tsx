/** The advertorial: one column, like a magazine article, with the questionnaire at the end and a link to it near the top. */

import { slugOf } from '../../../domain/text/slug.ts'
import { organization } from '../../../site-folder/site.ts'
import type { AdvertorialCopy } from '../../../site-folder/types.ts'
import beforeReact from '../../browser/inline/before-react.ts?inline-script'
import publicationDate from '../../browser/inline/publication-date.ts?inline-script'
import spaceKey from '../../browser/inline/space-key.ts?inline-script'
import { CallToAction } from '../../components/button.tsx'
import { Icon } from '../icon.tsx'
import { fileAt, type Page, type PageProps, plainPage, type SiteCopy } from '../page.ts'
import { Panel } from '../panel.tsx'
import { Picture } from '../sections/picture.tsx'
import type { Testimonial } from '../sections/social-proof.tsx'

interface AdvertorialPageCopy extends AdvertorialCopy {
  readonly quote: Testimonial | null
  /** Null shows today's date. */
  readonly publishedOn: string | null
}

const FORM_ID = 'eligibility-form'

export function advertorialPage(path: string, copy: AdvertorialPageCopy, site: SiteCopy): Page {
  return {
    ...plainPage(path, fileAt(path), copy, site),
    indexed: true,
    hasQuestionnaire: true,
    headScripts: [beforeReact, spaceKey],
    bodyScripts: copy.publishedOn === null ? [publicationDate] : [],
    footerNote: copy.footerNote,
    render: props => <Advertorial {...props} copy={copy} site={site} path={path} />,
  }
}

interface AdvertorialProps extends PageProps {
  readonly copy: AdvertorialPageCopy
  readonly site: SiteCopy
  readonly path: string
}

function Advertorial({ copy, site, path, ...page }: AdvertorialProps) {
  const { assets, builtOn } = page
  const { months, publishedOn, illustration, average, callout, ageAdvantage, provides, quote, timing, checkNow } = copy
  const chapters = [ageAdvantage, provides, timing, checkNow].filter(chapter => chapter !== null)
  return (
    <>
      <p className="border-b border-line bg-card px-[20px] py-3 text-center text-note sm:pl-[max(1.25rem,calc(50%-20.75rem))] sm:text-left">
        <strong className="mx-auto mb-1 block w-fit rounded-md sm:mr-2 sm:mb-0 sm:inline-block bg-ink px-2.5 py-0.5 text-card">
          {copy.sponsoredLabel}
        </strong>{' '}
        {copy.sponsoredBy}
      </p>
      <article className="mx-auto max-w-[44rem] px-[20px] pt-8 pb-16 lg:pt-12">
        <h1 className="text-headline lg:text-[3rem] lg:leading-[1.06]">{copy.headline}</h1>
        <p className="pt-4 text-note text-ink-soft">
          {copy.byline}
          {publishedOn === null ? (
            <time
              className="block"
              dateTime={builtOn.toISOString().slice(0, 10)}
              data-date={copy.date}
              data-months={months}
            >
              {dateIn(copy.date, months, builtOn)}
            </time>
          ) : (
            <time className="block" dateTime={publishedOn}>
              {dateIn(copy.date, months, new Date(publishedOn))}
            </time>
          )}
        </p>
        <p className="pt-5 text-lead lg:text-title lg:leading-[1.45]">{copy.lead}</p>
        <CallToAction href={`#${FORM_ID}`} className="mt-6">
          {copy.earlyCta}
        </CallToAction>
        {illustration && (
          <figure className="pt-9">
            <Picture
              of="seniors"
              assets={assets}
              alt={organization.pictures.seniors.alt[site.language]}
              className="rounded-3xl bg-amber"
            />
            <figcaption className="pt-3 text-note text-ink-soft">{illustration.caption}</figcaption>
          </figure>
        )}

        <div className="mt-9 grid gap-8 sm:grid-cols-[1fr_2fr]">
          {average && (
            <p className="border-t-3 border-action pt-3">
              <strong className="block font-heading text-[2.75rem] leading-none text-action">{average.figure}</strong>
              {average.label}
            </p>
          )}
          <nav aria-labelledby="contents" className="border-t border-line pt-3">
            <p id="contents" className="font-bold">
              {copy.contentsHeading}
            </p>
            <ol>
              {chapters.map(({ heading }) => (
                <li key={heading}>
                  <a href={`#${slugOf(heading)}`} className="flex min-h-12 items-center underline underline-offset-4">
                    {heading}
                  </a>
                </li>
              ))}
            </ol>
          </nav>
        </div>

        {callout && (
          <aside className="mt-9 rounded-3xl bg-amber p-6">
            <h2 className="flex items-center gap-3 text-title">
              <Icon name="caution" className="size-6 text-amber-edge" />
              {callout.heading}
            </h2>
            <p className="pt-2">{callout.text}</p>
          </aside>
        )}

        {ageAdvantage && (
          <>
            <Heading>{ageAdvantage.heading}</Heading>
            <Paragraphs paragraphs={ageAdvantage.paragraphs} />
          </>
        )}

        {provides && (
          <>
            <Heading>{provides.heading}</Heading>
            <ul className="pt-4">
              {provides.items.map(({ title, text }) => (
                <li key={title} className="flex gap-4 border-b border-line py-4">
                  <Icon name="check" className="mt-1 size-6 text-action" />
                  <span>
                    <strong className="block">{title}</strong>
                    {text}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}

        {quote && (
          <figure className="my-12">
            <blockquote className="font-heading text-question leading-snug font-bold text-balance text-action-dark lg:text-[2.125rem]">
              “{quote.text}”
            </blockquote>
            <figcaption className="pt-3">
              {quote.name}
              {quote.sample && <span className="block text-note text-ink-soft">{copy.sampleNote}</span>}
            </figcaption>
          </figure>
        )}

        {timing && (
          <>
            <Heading>{timing.heading}</Heading>
            <Paragraphs paragraphs={timing.paragraphs} />
          </>
        )}

        <Heading>{checkNow.heading}</Heading>
        <Paragraphs paragraphs={[checkNow.text]} />
        <div className="pt-8">
          <Panel id={FORM_ID} label={copy.boxTitle} site={site} path={path} page={page} afterSending="loading">
            <h2 className="pb-5 text-heading">{copy.boxTitle}</h2>
          </Panel>
        </div>
      </article>
    </>
  )
}

function Heading({ children }: { children: string }) {
  return (
    <h2 id={slugOf(children)} className="pt-12 text-heading">
      {children}
    </h2>
  )
}

/** As site/browser/inline/publication-date.ts does. */
const dateIn = (form: string, months: string, on: Date) =>
  form
    .replace('{month}', months.split(' ')[on.getUTCMonth()] ?? '')
    .replace('{day}', `${on.getUTCDate()}`)
    .replace('{year}', `${on.getUTCFullYear()}`)

function Paragraphs({ paragraphs }: { paragraphs: readonly string[] }) {
  return paragraphs.map(text => (
    <p key={text} className="pt-4">
      {text}
    </p>
  ))
}
