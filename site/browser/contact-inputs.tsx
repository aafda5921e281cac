/** The contact form's inputs, one for each field in domain/contact-fields.ts. */
import { type ClipboardEvent, type ComponentProps, useRef, useState } from 'react'
import type { ContactFormCopy, FieldCopy } from '../../content/contact-form-copy.ts'
import {
  type ContactField,
  contactFields,
  datePartAttributes,
  describeField,
  inputAttributes,
} from '../../domain/contact-fields.ts'
import { dateParts, splitDate } from '../../domain/dates.ts'
import { suggestEmail } from '../../domain/email-suggestion.ts'
import { DateField, Field } from '../components/field.tsx'
import { PhoneField } from './phone-field.tsx'

interface ContactInputsProps {
  readonly copy: ContactFormCopy
  readonly messages: Readonly<Partial<Record<ContactField, string>>>
  readonly draft: Readonly<Partial<Record<ContactField, string>>>
}

export function ContactInputs({ copy, messages, draft }: ContactInputsProps) {
  const fields: Readonly<Record<ContactField, FieldCopy>> = copy.fields
  const inputOf = (name: ContactField) => {
    const { kind, required } = describeField(name)
    const { label, parts, ...shown } = fields[name]
    const field = {
      ...shown,
      ...inputAttributes(name),
      label: required ? label : copy.optional(label),
      error: messages[name],
      defaultValue: draft[name] ?? '',
    }
    if (kind === 'phone') return <PhoneField key={name} {...field} />
    if (kind === 'email') return <EmailField key={name} {...field} didYouMean={copy.didYouMean} />
    if (kind === 'date' && parts) {
      const boxes = dateParts.map(part => ({ ...datePartAttributes(name, part), label: parts[part] }))
      return (
        <DateField
          key={name}
          {...shown}
          name={name}
          label={field.label}
          error={field.error}
          parts={boxes}
          onPaste={pasteDate}
        />
      )
    }
    return <Field key={name} {...field} {...(isName(name) && { 'aria-describedby': 'why-name' })} />
  }
  return (
    <>
      {contactFields.filter(isName).map(inputOf)}
      <p id="why-name" className="mt-0.5 text-note leading-tight text-ink-soft">
        {copy.whyName}
      </p>
      {contactFields.filter(name => !isName(name)).map(inputOf)}
    </>
  )
}

/** The first and last names are side by side and share a hint. */
const isName = (field: ContactField) => field === 'firstName' || field === 'lastName'

/** Pasting a whole date into any box fills all three. */
function pasteDate(event: ClipboardEvent<HTMLElement>): void {
  const date = splitDate(event.clipboardData.getData('text'))
  if (!date) return
  event.preventDefault()
  for (const part of dateParts) {
    const box = event.currentTarget.querySelector<HTMLInputElement>(`[name$=${part}]`)
    if (box) setValue(box, date[part])
  }
}

function setValue(input: HTMLInputElement, text: string): void {
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

interface EmailFieldProps extends ComponentProps<typeof Field> {
  readonly didYouMean: (domain: string) => string
}

/** Suggests a correction for a misspelled provider, in place of the hint, so nothing below it moves. */
function EmailField({ didYouMean, why, ...field }: EmailFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [suggested, setSuggested] = useState<string | null>(null)
  const accept = () => {
    if (!input.current || !suggested) return
    setValue(input.current, suggested)
    input.current.focus()
  }
  return (
    <Field
      {...field}
      ref={input}
      onBlur={({ currentTarget }) => setSuggested(suggestEmail(currentTarget.value.trim()))}
      onInput={() => setSuggested(null)}
      why={
        <span aria-live="polite">
          {suggested ? (
            <button
              type="button"
              onClick={accept}
              className="-my-3.5 py-3.5 leading-tight font-bold text-action-dark underline underline-offset-4"
            >
              {didYouMean(suggested.replace(/.*@/, ''))}
            </button>
          ) : (
            why
          )}
        </span>
      }
    />
  )
}
