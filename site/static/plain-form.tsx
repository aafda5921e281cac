/**
 * The questionnaire and the contact form as one plain form, for browsers without JavaScript.
 * With slots, it's the template that the server fills in to redisplay the form (server/intake/plain-form.ts).
 */

import type { ReactNode } from 'react'
import {
  type ContactField,
  contactFields,
  datePartAttributes,
  describeField,
  inputAttributes,
} from '../../domain/contact/contact-fields.ts'
import { telHref } from '../../domain/contact/phone.ts'
import { dateParts } from '../../domain/dates.ts'
import { ENGLISH, LANGUAGE_PARAMETER, type Language } from '../../domain/languages.ts'
import { fill } from '../../domain/text/fill.ts'
import { questionField } from '../../domain/visits/questionnaire.ts'
import { contactFormCopy } from '../../site/copy/contact-form-copy.ts'
import { panelCopy } from '../../site/copy/panel-copy.ts'
import { panelTexts } from '../../site/copy/panel-texts.ts'
import { words } from '../../site-folder/site.ts'
import type { FieldCopy, PlainFormCopy } from '../../site-folder/types.ts'
import { ConsentNotice, ConsentText } from '../browser/consent-text.tsx'
import { Button } from '../components/button.tsx'
import { DateField, Field } from '../components/field.tsx'
import { Reassurance } from '../components/reassurance.tsx'

const LEADS = '/api/leads'

export interface PlainFormProps {
  readonly copy: PlainFormCopy
  readonly language: Language
  /** The path of the page with the form, or a slot for it. */
  readonly page: string
  readonly consentVersion: string
  readonly questionnaireVersion: string
  readonly variant?: string | undefined
  readonly slots?: boolean
}

export function PlainForm({ copy, language, page, variant, slots = false, ...versions }: PlainFormProps) {
  const { yes, no, reassurance } = panelCopy[language]
  const { questions } = panelTexts[language]
  const { fields, optional, advertiser, phone, noEmail } = contactFormCopy[language]
  const { consent } = words[language]
  // On its own page, directly under the page's heading.
  const Heading = slots ? 'h2' : 'h3'
  const slot = (name: string) => (slots ? `{{${name}}}` : undefined)
  const invalid = (name: string) => (slots ? { 'aria-invalid': slot(`invalid:${name}`) as 'true' } : {})
  const value = (name: string) => ({ defaultValue: slot(`value:${name}`) })
  const inputOf = (name: ContactField) => {
    const fieldCopy: FieldCopy = fields[name]
    const { kind, required } = describeField(name)
    const fieldProps = {
      name,
      label: required ? fieldCopy.label : fill(optional, { label: fieldCopy.label }),
      error: slot(`error:${name}`),
      hasMessage: slots,
      className: 'pb-4',
      // In the script's form, this link appears with the error.
      why: slots && kind === 'email' && (
        <a href={telHref(phone)} className="py-3.5 underline underline-offset-4">
          {noEmail}
        </a>
      ),
    }
    if (kind !== 'date') {
      // Without a script, a limit would cut off a pasted number.
      const attributes = { ...inputAttributes(name), maxLength: undefined, placeholder: fieldCopy.placeholder }
      return <Field key={name} {...attributes} {...fieldProps} {...value(name)} {...invalid(name)} />
    }
    const parts = dateParts.map(part => {
      const box = datePartAttributes(name, part)
      return { ...box, ...value(box.name), ...invalid(box.name), label: fieldCopy.parts?.[part] ?? part }
    })
    return <DateField key={name} {...fieldProps} parts={parts} />
  }
  return (
    <form
      method="post"
      action={language === ENGLISH ? LEADS : `${LEADS}?${LANGUAGE_PARAMETER}=${language}`}
      noValidate
      className="grid grid-cols-1 gap-6"
    >
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="consentVersion" value={versions.consentVersion} />
      <input type="hidden" name="questionnaireVersion" value={versions.questionnaireVersion} />
      {slots && <input type="hidden" name="campaign" value={slot('campaign')} />}
      {slots && <input type="hidden" name="asked" value={slot('asked')} />}
      {(variant || slots) && <input type="hidden" name="variant" value={variant ?? slot('variant')} />}
      <Heading className="text-title">{copy.questionsHeading}</Heading>
      {questions.map(({ id, text }, index) => {
        const name = questionField(index + 1)
        return (
          <fieldset key={id} aria-describedby={slots ? `${name}-message` : undefined}>
            <legend className="pb-2 text-title font-bold">{text}</legend>
            {slots && (
              <p id={`${name}-message`} className="pb-2 font-bold text-error empty:hidden">
                {slot(`error:${name}`)}
              </p>
            )}
            <div className="grid grid-cols-2 gap-3">
              <Choice name={name} value="yes" slots={slots}>
                {yes}
              </Choice>
              <Choice name={name} value="no" slots={slots}>
                {no}
              </Choice>
            </div>
          </fieldset>
        )
      })}
      <Heading className="text-title">{copy.contactHeading}</Heading>
      {copy.callLanguage && <p>{copy.callLanguage}</p>}
      <div>{contactFields.map(inputOf)}</div>
      <div>
        {reassurance !== null && <Reassurance text={reassurance} />}
        <ConsentNotice {...consent} />
        <Button type="submit" aria-describedby="notice" className="min-h-18 w-full text-title">
          {consent.button}
        </Button>
        <ConsentText below={consent.below} advertiser={advertiser} phone={phone} />
      </div>
    </form>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly value: 'yes' | 'no'
  readonly slots: boolean
  readonly children: ReactNode
}

function Choice({ name, value, slots, children }: ChoiceProps) {
  return (
    <label className="flex min-h-18 items-center gap-3 rounded-2xl border-3 border-action px-4 text-lead font-bold has-checked:bg-sage">
      <input
        type="radio"
        // The error summary links here.
        id={value === 'yes' ? `field-${name}` : undefined}
        name={name}
        value={value}
        className="size-6 accent-action"
        {...(slots ? { 'data-slot': `checked:${name}:${value}` } : {})}
      />
      {children}
    </label>
  )
}
