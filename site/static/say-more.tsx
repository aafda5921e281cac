/**
 * Under the thank-you page's headline, in the tab that sent a lead: site/browser/say-more.ts shows the number that we'll call, takes
 * another one with the same consent as the contact form, and asks when to call.
 */

import { inputAttributes } from '../../domain/contact/contact-fields.ts'
import type { Language } from '../../domain/languages.ts'
import { SENT_LEAD_PATH } from '../../domain/leads/sent-lead.ts'
import { fill } from '../../domain/text/fill.ts'
import { contactFormCopy } from '../../site/copy/contact-form-copy.ts'
import { words } from '../../site-folder/site.ts'
import type { LinkedText, SayMoreCopy } from '../../site-folder/types.ts'
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
      hidden
      aria-labelledby="say-more"
      data-say-more={SENT_LEAD_PATH}
      data-script={script}
      data-consent={consentVersion}
      data-will-call={fill(copy.willCall, { number: '{}' })}
      data-corrected={fill(copy.corrected, { number: '{}' })}
      data-saved={fill(copy.saved, { time: '{}' })}
      data-refused={copy.refused}
      data-failed={copy.failed}
      className="mt-6 max-w-xl rounded-3xl bg-card p-[20px] sm:p-6 print:hidden"
    >
      <h2 id="say-more" className="text-title">
        {copy.heading}
      </h2>
      <p data-shown className="pt-2" />
      <details>
        <summary className="inline-flex min-h-12 cursor-pointer items-center font-bold underline underline-offset-4">
          {copy.wrong}
        </summary>
        <form noValidate className="pt-2 pb-4">
          <Field
            {...inputAttributes('phone')}
            // The server reads any way to write a number.
            maxLength={undefined}
            name="newPhone"
            label={copy.label}
            placeholder={fields.phone.placeholder}
            // The script puts the message there.
            error=" "
            aria-invalid={false}
            className="pb-4"
          />
          {/* The text that it links to is folded. */}
          <ConsentNotice above={consent.above.map(withoutAnchors)} />
          <Button type="submit" aria-describedby="notice" className="min-h-16 w-full text-title">
            {consent.button}
          </Button>
          <details>
            <summary className="inline-flex min-h-12 cursor-pointer items-center pt-2 text-note underline underline-offset-4">
              {copy.consent}
            </summary>
            <ConsentText below={consent.below} advertiser={advertiser} phone={phone} />
          </details>
        </form>
      </details>
      <p data-result tabIndex={-1} className="pt-2 empty:hidden" />
      <div hidden data-times>
        <h3 className="pt-3 text-title">{copy.timeHeading}</h3>
        <p className="pt-1 pb-3 text-note">{copy.timeHint}</p>
        <div data-list className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-2">
          <ChoiceButton
            hidden
            type="button"
            aria-pressed={false}
            className="px-2! text-note whitespace-pre-line first-line:font-normal"
          />
        </div>
        <p data-chosen role="status" className="pt-3 font-bold empty:hidden" />
      </div>
    </section>
  )
}

const withoutAnchors = (text: LinkedText): LinkedText =>
  typeof text === 'string'
    ? text
    : text.map(part => (typeof part !== 'string' && part.href.startsWith('#') ? part.text : part))
