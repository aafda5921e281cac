/** The thank-you page: reassures first, then says what happens next. Prints on one sheet, to keep by the phone. */

import type { Language } from '../../../domain/languages.ts'
import { fill } from '../../../domain/text/fill.ts'
import { formOff, organization } from '../../../site-folder/site.ts'
import type { CallbackCopy, Callbacks, ThankYouCopy } from '../../../site-folder/types.ts'
import callbackPromise from '../../browser/inline/callback-promise.ts?inline-script'
import sentLead from '../../browser/inline/sent-lead.ts?inline-script'
import { PhoneOnOneLine } from '../../components/phone-on-one-line.tsx'
import { CallLink } from '../call.tsx'
import { callbackSchedule, closingTime } from '../callback-promise.ts'
import { CONTACT_CARD_PATH } from '../contact-card.ts'
import { Icon } from '../icon.tsx'
import { LinkedText } from '../linked-text.tsx'
import { fileAt, type Page, type PageProps, plainPage, type SiteCopy } from '../page.ts'
import { People } from '../people.tsx'
import { SayMore } from '../say-more.tsx'
import { Path } from '../sections/path.tsx'
import { Picture } from '../sections/picture.tsx'

export function thankYouPage(path: string, copy: ThankYouCopy, site: SiteCopy): Page {
  return {
    ...plainPage(path, fileAt(path), copy, site),
    hasCallButton: true,
    bodyScripts: [sentLead, ...(organization.callbacks?.[site.language] ? [callbackPromise] : [])],
    render: props => <ThankYou {...props} copy={copy} site={site} />,
  }
}

interface ThankYouProps extends PageProps {
  readonly copy: ThankYouCopy
  readonly site: SiteCopy
}

function ThankYou({ copy, site, assets, builtOn, destination, hasReceiver, sayMoreScript }: ThankYouProps) {
  const { number, keep } = copy
  const { language, relay } = site
  return (
    <>
      <div className="bg-mist px-[20px] pt-10 lg:pt-14 print:bg-transparent print:p-0 print:*:*:*:max-w-none">
        <div className="mx-auto grid max-w-6xl grid-cols-1 gap-x-12 lg:grid-cols-[3fr_2fr]">
          <div className="pb-10 lg:pb-16 print:pb-4">
            <p className="inline-flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-3xl bg-action px-[20px] py-2 font-bold text-card print:bg-transparent print:p-0 print:text-ink">
              <Icon name="badge" />
              {copy.badge}
            </p>
            <h1 className="pt-5 text-headline lg:text-[min(3.25rem,5vw)] print:pt-3 print:text-heading">
              {copy.headline}
            </h1>
            <p data-sent className="max-w-[56ch] pt-5 text-lead print:pt-3 print:text-[12pt] print:leading-snug">
              {copy.lead}
            </p>
            <div
              hidden
              data-sent
              className="max-w-[56ch] pt-5 text-lead print:pt-3 print:text-[12pt] print:leading-snug"
            >
              <p>{copy.sentLead}</p>
              <CallbackPromise
                copy={copy.callback}
                language={language}
                callbacks={organization.callbacks?.[language]}
                closed={organization.closed}
                builtOn={builtOn}
              />
            </div>
            {/* If leads go straight to a webhook, we know nothing about them. */}
            {hasReceiver && !formOff.includes(language) && destination.leadEndpoint.startsWith('/') && (
              <SayMore
                copy={copy.sayMore}
                language={language}
                consentVersion={destination.consentVersion}
                script={sayMoreScript}
              />
            )}
            <p className="max-w-[56ch] pt-5">
              {number.before}
              <strong className="whitespace-nowrap">{organization.phone}</strong>
              {number.after}
            </p>
            {organization.callsComeFromPhone && (
              <p className="print:hidden">
                <a href={CONTACT_CARD_PATH} className="inline-flex min-h-12 items-center underline underline-offset-4">
                  {copy.saveNumber}
                </a>
              </p>
            )}
            <People language={language} assets={assets} className="pt-6" />
            <p className="pt-7 pb-3 print:hidden">{copy.callHint}</p>
            <CallLink label={copy.callLabel} className="min-h-18 text-title sm:px-9 max-sm:w-full print:hidden" />
            {relay && <p className="pt-3 print:hidden">{relay}</p>}
            <p className="max-w-[60ch] pt-7 text-note print:pt-3">{copy.notADecision}</p>
          </div>
          <Picture of="call" assets={assets} alt="" className="mx-auto max-w-md max-lg:self-end lg:pt-14" />
        </div>
      </div>
      <div className="px-[20px] py-12 lg:py-16 print:px-0 print:py-4">
        <div className="mx-auto grid max-w-6xl grid-cols-1 gap-8 print:gap-4">
          <h2 className="text-heading lg:text-[2.625rem] print:text-title">{copy.nextHeading}</h2>
          <Path steps={copy.steps} />
          <div className="grid grid-cols-1 gap-x-16 gap-y-10 pt-8 lg:grid-cols-[3fr_2fr] print:grid-cols-1 print:gap-4 print:pt-2">
            <div>
              <h2 className="text-heading print:text-title">{keep.heading}</h2>
              <dl className="pt-5 print:grid print:auto-cols-fr print:grid-flow-col print:gap-x-6 print:pt-2">
                {keep.items.map(({ title, text, link }) => (
                  <div key={title} className="border-t border-line py-4 print:py-2">
                    <dt className="font-bold">{title}</dt>
                    <dd>
                      <PhoneOnOneLine text={text} phone={organization.phone} />
                      {link && <LinkedText text={[' ', link]} />}
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
            {copy.reminder !== null && (
              <div className="self-start rounded-3xl bg-amber p-7 print:rounded-none print:bg-transparent print:p-0">
                <p className="flex items-center gap-3 font-heading text-title font-bold">
                  <Icon name="no-fees" className="size-6 magnified:hidden" />
                  {copy.reminder}
                </p>
                <p className="pt-2">{copy.reminderText}</p>
              </div>
            )}
          </div>
        </div>
      </div>
    </>
  )
}

interface CallbackPromiseProps {
  readonly language: Language
  readonly copy: CallbackCopy
  readonly callbacks: Callbacks | undefined
  readonly closed: readonly string[] | undefined
  readonly builtOn: Date
}

/** Stays hidden without JavaScript: the build can't know when the visitor reads it. */
function CallbackPromise({ copy, language, callbacks, closed = [], builtOn }: CallbackPromiseProps) {
  if (callbacks === undefined) return null
  const { closes, data } = callbackSchedule({ ...callbacks, closed }, builtOn.getTime())
  // Keeps "6:00 PM" on one line.
  const byTime = closingTime(language, closes.replace(' ', '\u00a0'), copy.zones[callbacks.timeZone])
  return (
    <p
      hidden
      className="pt-3 font-bold"
      data-callbacks={data}
      data-today={fill(copy.today, { byTime })}
      data-tomorrow={fill(copy.tomorrow, { byTime })}
      data-later={fill(copy.later, { byTime })}
    />
  )
}
