/** A labelled input with its message. Label and message are tied to the input for screen readers. */
import { CircleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'name'> {
  readonly name: string
  readonly label: string
  readonly error: string | undefined
  /** Whether a message can ever come. */
  readonly hasMessage?: boolean
  /** Why it is asked. */
  readonly why?: string
  /** How a date is written, shown while there is none. */
  readonly hint?: string
}

export function Field({ name, label, error, hasMessage = true, why, hint, className = '', ...input }: FieldProps) {
  const id = `field-${name}`
  const messageId = `${id}-message`
  const whyId = `${id}-why`
  const describedBy = [error !== undefined && messageId, why !== undefined ? whyId : input['aria-describedby']]
    .filter(Boolean)
    .join(' ')
  return (
    <div className={className}>
      <label htmlFor={id} className="block pb-1 font-bold">
        {label}
      </label>
      <input
        required
        aria-invalid={error !== undefined}
        {...input}
        aria-describedby={describedBy || undefined}
        id={id}
        name={name}
        className="peer flex min-h-13 w-full items-center min-w-0 appearance-none rounded-xl border-2 border-edge bg-card px-4 py-2 text-body text-ink placeholder:text-ink-soft aria-invalid:border-error aria-invalid:bg-error-soft"
      />
      {hint !== undefined && (
        <span
          aria-hidden="true"
          className="invisible block"
          // Laid over the field, which is as high as this line. Only a script shows it: pages have no inline styles.
          style={{ marginTop: '-3.25rem', padding: '0 1rem', lineHeight: '3.25rem', pointerEvents: 'none' }}
        >
          {hint}
        </span>
      )}
      {hasMessage && (
        <p
          id={messageId}
          className="hidden items-start gap-1.5 pt-1.5 text-note leading-tight font-bold text-error peer-aria-invalid:flex"
        >
          <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" />
          {error}
        </p>
      )}
      {why !== undefined && (
        <p id={whyId} className="pt-1 text-note leading-tight text-ink-soft">
          {why}
        </p>
      )}
    </div>
  )
}
