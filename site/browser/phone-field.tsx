/** The phone field: digits only, formatted as (###) ###-####. The caret stays in place while editing. */
import { type ClipboardEvent, type ComponentProps, useEffect, useRef } from 'react'
import { editPhone, formatPhone, PHONE_MAX_LENGTH } from '../../domain/contact/phone.ts'
import { Field } from '../components/field.tsx'

/** Enough for `+1 (555) 234-5678` and similar formats. */
const MAX_RAW_LENGTH = 24

function reformat(input: HTMLInputElement, raw: string, caret: number): void {
  const edit = editPhone(raw, caret)
  input.value = edit.value
  input.setSelectionRange(edit.caret, edit.caret)
  updateMaxLength(input)
}

/**
 * A number that starts with 1, 00, or 011 may include a country code, which makes it too long. Make room: at `maxlength`, the
 * browser truncates the text before the page sees it, and WebKit doesn't report the truncation. The formatted value never
 * exceeds the limit.
 */
function updateMaxLength(input: HTMLInputElement): void {
  const mayHaveCountryCode =
    input.value === '' || /^\([01]|^\+/.test(input.value) || input.value.length > PHONE_MAX_LENGTH
  input.maxLength = mayHaveCountryCode ? MAX_RAW_LENGTH : PHONE_MAX_LENGTH
}

/** Inserts text at the caret. */
function insert(input: HTMLInputElement, text: string): void {
  const start = input.selectionStart ?? input.value.length
  const end = input.selectionEnd ?? start
  reformat(input, input.value.slice(0, start) + text + input.value.slice(end), start + text.length)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function paste(event: ClipboardEvent<HTMLInputElement>): void {
  event.preventDefault()
  insert(event.currentTarget, event.clipboardData.getData('text'))
}

interface PhoneFieldProps extends ComponentProps<typeof Field> {
  readonly defaultValue: string
}

export function PhoneField({ defaultValue, ...attributes }: PhoneFieldProps) {
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    const input = field.current
    // If the caret is before a separator, Delete removes the next digit; a deleted separator would just come back.
    const deletePastSeparator = (event: InputEvent) => {
      if (!input || event.inputType !== 'deleteContentForward' || input.selectionStart !== input.selectionEnd) return
      const caret = input.selectionStart ?? 0
      const digit = caret + (/^\D*/.exec(input.value.slice(caret))?.[0].length ?? 0)
      if (digit === caret) return
      event.preventDefault()
      reformat(input, input.value.slice(0, digit) + input.value.slice(digit + 1), caret)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    input?.addEventListener('beforeinput', deletePastSeparator)
    return () => input?.removeEventListener('beforeinput', deletePastSeparator)
  }, [])

  return (
    <Field
      {...attributes}
      ref={field}
      defaultValue={formatPhone(defaultValue)}
      onFocus={({ currentTarget }) => updateMaxLength(currentTarget)}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value.length <= PHONE_MAX_LENGTH) currentTarget.maxLength = PHONE_MAX_LENGTH
      }}
      onPaste={paste}
      onInput={({ currentTarget }) =>
        reformat(currentTarget, currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length)
      }
    />
  )
}
