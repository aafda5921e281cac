/**
 * The questionnaire and the contact form as one plain form, for browsers without JavaScript.
 * With slots, it is the template that the server fills in to show the form again (server/intake/form-page.ts).
 */
import type { ReactNode } from 'react'
import { contactWords } from '../../content/panel/contact-words.ts'
import { panelWords } from '../../content/panel/panel-words.ts'
import { type ContactField, dateOfBirthBounds } from '../../domain/lead.ts'
import { PHONE_MAX_LENGTH } from '../../domain/phone.ts'
import { questionField } from '../../domain/questionnaire.ts'
import { ConsentText } from '../browser/consent-text.tsx'
import type { Language } from '../browser/island.tsx'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Reassurance } from '../components/reassurance.tsx'

export interface PlainFormWords {
  readonly questionsHeading: string
  readonly contactHeading: string
}

export interface PlainFormProps {
  readonly words: PlainFormWords
  readonly language: Language
  /** The page that the form stands on, or its slot. */
  readonly page: string
  readonly consentVersion: string
  readonly questionnaireVersion: string
  readonly variant?: string | undefined
  readonly builtOn: Date
  readonly slots?: boolean
}

export function PlainForm({ words, language, page, variant, builtOn, slots = false, ...versions }: PlainFormProps) {
  const { yes, no, reassurance, questions } = panelWords[language]
  const { fields, consent, advertiser, phone } = contactWords[language]
  const slot = (name: string) => (slots ? `{{${name}}}` : undefined)
  const field = (name: ContactField) => ({
    name,
    label: fields[name].label,
    error: slot(`error:${name}`),
    hasMessage: slots,
    className: slots ? '' : 'pb-4',
    defaultValue: slot(`value:${name}`),
    ...(slots ? { 'aria-invalid': slot(`invalid:${name}`) as 'true' } : {}),
  })
  return (
    <form method="post" action="/api/leads" noValidate className="grid grid-cols-1 gap-6">
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="consentVersion" value={versions.consentVersion} />
      <input type="hidden" name="questionnaireVersion" value={versions.questionnaireVersion} />
      {slots && <input type="hidden" name="campaign" value={slot('campaign')} />}
      {(variant || slots) && <input type="hidden" name="variant" value={variant ?? slot('variant')} />}
      <Heading>{words.questionsHeading}</Heading>
      {questions.map(({ id, text }, index) => {
        const name = questionField(index + 1)
        return (
          <fieldset key={id} aria-describedby={slots ? `${name}-message` : undefined}>
            <legend className="pb-2 text-title font-bold">{text}</legend>
            {slots && (
              <p id={`${name}-message`} className="font-bold text-error empty:hidden">
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
      <Heading>{words.contactHeading}</Heading>
      <div>
        <Field {...field('firstName')} autoComplete="given-name" />
        <Field {...field('lastName')} autoComplete="family-name" />
        <Field
          {...field('dateOfBirth')}
          {...dateOfBirthBounds(builtOn.getFullYear())}
          type="date"
          autoComplete="bday"
        />
        <Field {...field('email')} type="email" autoComplete="email" />
        <Field {...field('phone')} type="tel" autoComplete="tel" maxLength={PHONE_MAX_LENGTH} />
      </div>
      <div>
        <Reassurance text={reassurance} />
        <Button type="submit" className="mt-1 min-h-18 w-full text-title">
          {consent.button}
        </Button>
        <ConsentText
          paragraphs={consent.paragraphs}
          advertiser={advertiser}
          phone={phone}
          privacyPolicy={consent.privacyPolicy}
        />
      </div>
    </form>
  )
}

function Heading({ children }: { children: string }) {
  return <p className="text-title font-bold">{children}</p>
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
        // Where the summary's link to this question leads.
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
