/**
 * The end of the thank-you page: "Wrong number? Call us." In the tab that sent a lead, site/browser/say-more.ts shows the number
 * instead, takes another one with the same consent as the contact form, and asks when to call.
 */
import { contactFormCopy } from '../../content/contact-form-copy.ts'
import type { Language } from '../../content/languages.ts'
import { organization } from '../../content/organization.ts'
import type { SayMoreCopy } from '../../content/types.ts'
import { words } from '../../content/words.ts'
import { inputAttributes } from '../../domain/contact-fields.ts'
import { telHref } from '../../domain/phone.ts'
import { SENT_LEAD_PATH } from '../../domain/sent-lead.ts'
import { ConsentNotice, ConsentText } from '../browser/consent-text.tsx'
import { Button, ChoiceButton } from '../components/button.tsx'
import { Field } from '../components/field.tsx'

interface SayMoreProps {
  readonly copy: SayMoreCopy
  readonly language: Language
  readonly consentVersion: string
  /** The path of its script. */
  readonly script: string
}

export function SayMore({ copy, language, consentVersion, script }: SayMoreProps) {
  const { consent } = words[language]
  const { advertiser, phone, fields } = contactFormCopy[language]
  return (
    <section
      data-say-more={SENT_LEAD_PATH}
      data-script={script}
      data-consent={consentVersion}
      className="px-[20px] pb-12 lg:pb-16 print:hidden"
    >
      <div className="mx-auto max-w-6xl border-t border-line pt-8">
        <h2 className="text-heading">{copy.heading}</h2>
        <p data-otherwise className="pt-3">
          {copy.wrong}{' '}
          <a href={telHref(organization.phone)} className="py-3.5 font-bold underline underline-offset-4">
            {copy.call}
          </a>
        </p>
        <div
          hidden
          data-known
          data-will-call={copy.willCall('{}')}
          data-corrected={copy.corrected('{}')}
          data-saved={copy.saved('{}')}
          data-refused={copy.refused}
          data-failed={copy.failed}
          className="max-w-xl"
        >
          <p data-shown className="pt-3 text-lead" />
          <details>
            <summary className="inline-flex min-h-12 cursor-pointer items-center font-bold underline underline-offset-4">
              {copy.wrong}
            </summary>
            <form noValidate className="pt-3">
              <Field
                {...inputAttributes('phone')}
                // The server reads any way to write a number.
                maxLength={undefined}
                name="newPhone"
                label={copy.label}
                placeholder={fields.phone.placeholder}
                error=""
                hasMessage={false}
                aria-invalid={false}
                className="pb-4"
              />
              <p data-error role="alert" className="pb-4 font-bold text-error empty:hidden" />
              <ConsentNotice {...consent} />
              <Button type="submit" aria-describedby="notice" className="min-h-16 w-full text-title">
                {consent.button}
              </Button>
              <ConsentText
                paragraphs={consent.paragraphs}
                advertiser={advertiser}
                phone={phone}
                privacyPolicy={consent.privacyPolicy}
              />
            </form>
          </details>
          <p data-result role="status" tabIndex={-1} className="pt-3 text-lead empty:hidden" />
          <div hidden data-times>
            <h3 className="pt-7 text-title">{copy.timeHeading}</h3>
            <p className="pt-1 pb-4">{copy.timeHint}</p>
            <div data-list className="grid grid-cols-1 gap-3 sm:grid-cols-2">
              <ChoiceButton hidden type="button" aria-pressed={false} />
            </div>
            <p data-chosen role="status" className="pt-4 font-bold empty:hidden" />
          </div>
        </div>
      </div>
    </section>
  )
}
