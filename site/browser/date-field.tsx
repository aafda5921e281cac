/**
 * The browser's own date field, with two things that it lacks in Safari's engine: an empty one looks empty (styles.css),
 * and digits typed without separators make a date.
 */
import { type KeyboardEvent, useRef } from 'react'
import { dateFromDigits } from '../../domain/date-digits.ts'
import { Field } from '../components/field.tsx'

interface DateFieldProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly why?: string
  readonly error: string | undefined
  readonly defaultValue: string
  readonly min: string
  readonly max: string
}

export function DateField(props: DateFieldProps) {
  const digits = useRef('')

  /** Chromium and Firefox go on to the next part by themselves; WebKit puts all digits into the first. */
  const readDigits = ({ currentTarget: input, key }: KeyboardEvent<HTMLInputElement>) => {
    digits.current = /^\d$/.test(key) ? digits.current + key : ''
    const date = dateFromDigits(digits.current)
    if (input.value !== '' || date === null) return
    digits.current = ''
    input.value = date
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

  return (
    <Field
      {...props}
      type="date"
      autoComplete="bday"
      onKeyUp={readDigits}
      onBlur={({ currentTarget }) => {
        digits.current = ''
        // What was begun stays to be seen, unlike an empty date.
        currentTarget.toggleAttribute('data-begun', currentTarget.validity.badInput)
      }}
    />
  )
}
