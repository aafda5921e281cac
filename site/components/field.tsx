/** A labelled input with its message. Label and message are tied to the input for screen readers. */
import { CircleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id' | 'name'> {
  readonly name: string
  readonly label: string
  readonly error: string | undefined
  /** Whether a message can ever come: if not, no line is kept for it. */
  readonly hasMessage?: boolean
}

export function Field({ name, label, error, hasMessage = true, className = '', ...input }: FieldProps) {
  const id = `field-${name}`
  const messageId = `${id}-message`
  return (
    <div className={className}>
      <label htmlFor={id} className="block pb-1.5 font-bold">
        {label}
      </label>
      <input
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : messageId}
        {...input}
        id={id}
        name={name}
        aria-required="true"
        className="peer block min-h-14 w-full min-w-0 appearance-none rounded-xl border-2 border-edge bg-card px-4 py-2 text-body text-ink placeholder:text-ink-soft aria-invalid:border-error aria-invalid:bg-error-soft"
      />
      {/* The line is there from the start, so that a message does not push the next field away from under a finger. */}
      {hasMessage && (
        <p
          id={messageId}
          className="invisible flex min-h-8 items-start gap-1.5 pt-2 text-note leading-tight font-bold text-error peer-aria-invalid:visible"
        >
          <CircleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  )
}
