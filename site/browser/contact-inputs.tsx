/** The contact form's inputs, one for each field in domain/contact/contact-fields.ts. */

import { type ClipboardEvent, type ComponentProps, type SyntheticEvent, useRef, useState } from 'react'
import {
  type ContactField,
  contactFields,
  datePartAttributes,
  describeField,
  inputAttributes,
} from '../../domain/contact/contact-fields.ts'
import { suggestEmail } from '../../domain/contact/email-suggestion.ts'
import { telHref } from '../../domain/contact/phone.ts'
import { type DatePart, dateParts, splitDate } from '../../domain/dates.ts'
import { fill } from '../../domain/text/fill.ts'
import type { ContactFormCopy } from '../../site/copy/copy-of.ts'
import type { FieldCopy } from '../../site-folder/types.ts'
import { DateField, Field } from '../components/field.tsx'
import { PhoneField } from './phone-field.tsx'

interface ContactInputsProps {
  readonly copy: ContactFormCopy
  readonly messages: Readonly<Partial<Record<ContactField, string>>>
  /** The boxes of the date that need correcting. */
  readonly wrongParts: readonly DatePart[]
  readonly draft: Readonly<Partial<Record<ContactField, string>>>
}

export function ContactInputs({ copy, messages, wrongParts, draft }: ContactInputsProps) {
  const fields: Readonly<Record<ContactField, FieldCopy>> = copy.fields
  const inputOf = (name: ContactField) => {
    const { kind, required } = describeField(name)
    const { label, parts, ...shown } = fields[name]
    const field = {
      ...shown,
      ...inputAttributes(name),
      label: required ? label : fill(copy.optional, { label }),
      error: messages[name],
      defaultValue: draft[name] ?? '',
    }
    if (kind === 'phone') return <PhoneField key={name} {...field} />
    if (kind === 'email') return <EmailField key={name} {...field} copy={copy} />
    if (kind === 'date' && parts) {
      const boxes = dateParts.map(part => ({
        ...datePartAttributes(name, part),
        label: parts[part],
        'aria-invalid': field.error !== undefined && wrongParts.includes(part),
      }))
      return (
        <DateField
          key={name}
          {...shown}
          name={name}
          label={field.label}
          error={field.error}
          parts={boxes}
          onPaste={pasteDate}
          onInput={splitTypedDate}
          onBlur={splitTypedDate}
        />
      )
    }
    return <Field key={name} {...field} />
  }
  return <>{contactFields.map(inputOf)}</>
}

/** Pasting a whole date into any box fills all three. */
function pasteDate(event: ClipboardEvent<HTMLElement>): void {
  if (fillDate(event.currentTarget, event.clipboardData.getData('text'))) event.preventDefault()
}

/** So does typing one into the first box. With a two-digit year, only after leaving the box: two more digits may follow. */
function splitTypedDate({ type, target, currentTarget }: SyntheticEvent<HTMLElement>): void {
  const { name, value } = target as HTMLInputElement
  if (name.endsWith('month') && (type === 'blur' || /(\D|\d{4})\d{4}$/.test(value))) fillDate(currentTarget, value)
}

function fillDate(field: HTMLElement, text: string): boolean {
  const date = splitDate(text)
  for (const part of date ? dateParts : []) {
    const box = field.querySelector<HTMLInputElement>(`[name$=${part}]`)
    if (box && date) setValue(box, date[part])
  }
  return date !== null
}

function setValue(input: HTMLInputElement, text: string): void {
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

interface EmailFieldProps extends ComponentProps<typeof Field> {
  readonly copy: ContactFormCopy
}

/**
 * Suggests a correction for a misspelled provider, in place of the hint, so nothing below it moves. With an error, offers the phone
 * number: someone without an email address couldn't go on.
 */
function EmailField({ copy, why, ...field }: EmailFieldProps) {
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
        <>
          {/* Without the hint, which would be announced each time it comes back. */}
          <span aria-live="polite">
            {suggested && (
              <button
                type="button"
                onClick={accept}
                className="-my-3.5 py-3.5 leading-tight font-bold text-action-dark underline underline-offset-4"
              >
                {fill(copy.didYouMean, { domain: suggested.slice(suggested.lastIndexOf('@') + 1) })}
              </button>
            )}
          </span>
          {!suggested && why}{' '}
          {field.error && (
            <a href={telHref(copy.phone)} className="inline-block py-3.5 underline underline-offset-4">
              {copy.noEmail}
            </a>
          )}
        </>
      }
    />
  )
}
