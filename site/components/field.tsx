/** Labeled inputs and their messages, linked for screen readers: a single input, or a date in three boxes. */
import type { ClipboardEvent, ComponentProps, ReactNode, SyntheticEvent } from 'react'
import { Icon } from './icon.tsx'

const box =
  'min-h-13 w-full min-w-0 appearance-none rounded-xl border-2 border-edge bg-card text-body text-ink placeholder:text-ink-soft aria-invalid:border-error aria-invalid:bg-error-soft'

interface BaseFieldProps {
  readonly name: string
  readonly label: string
  readonly error: string | undefined
  /** Whether the field can have an error message. */
  readonly hasMessage?: boolean
  /** Why we ask, or other content under the field. */
  readonly why?: ReactNode
}

interface FieldProps extends BaseFieldProps, Omit<ComponentProps<'input'>, 'id' | 'name'> {}

export function Field({ name, label, error, hasMessage = true, why, className = '', ...input }: FieldProps) {
  const id = `field-${name}`
  return (
    <div className={`group ${className}`}>
      <label htmlFor={id} className="block pb-0.5 font-bold">
        {label}
      </label>
      <input
        aria-invalid={error !== undefined}
        {...input}
        aria-describedby={idList(error !== undefined && messageId(name), why ? whyId(name) : input['aria-describedby'])}
        id={id}
        name={name}
        className={`${box} px-4`}
      />
      <Notes name={name} error={error} hasMessage={hasMessage} why={why} />
    </div>
  )
}

export interface DatePartProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly name: string
  readonly label: string
}

interface DateFieldProps extends BaseFieldProps {
  /** Month, day, and year. */
  readonly parts: readonly DatePartProps[]
  readonly className?: string
  readonly onPaste?: (event: ClipboardEvent<HTMLFieldSetElement>) => void
  readonly onInput?: (event: SyntheticEvent<HTMLFieldSetElement>) => void
  readonly onBlur?: (event: SyntheticEvent<HTMLFieldSetElement>) => void
}

export function DateField({
  name,
  label,
  error,
  hasMessage = true,
  why,
  parts,
  className = '',
  ...on
}: DateFieldProps) {
  return (
    <fieldset
      {...on}
      className={`group ${className}`}
      aria-describedby={idList(error !== undefined && messageId(name), why && whyId(name))}
    >
      <legend className="font-bold">{label}</legend>
      {/* On one line, even on the narrowest phone. */}
      <div className="flex flex-wrap gap-2">
        {parts.map(({ label: partLabel, ...part }, index) => {
          // The error summary links to the field's id, which is on its first box.
          const id = `field-${index ? part.name : name}`
          return (
            <div key={part.name} className={`grow ${index < 2 ? 'w-16' : 'w-22'}`}>
              <label htmlFor={id} className="block pb-0.5 text-note leading-tight">
                {partLabel}
              </label>
              <input
                aria-invalid={error !== undefined}
                {...part}
                aria-describedby={error && messageId(name)}
                id={id}
                className={`${box} px-3`}
              />
            </div>
          )
        })}
      </div>
      <Notes name={name} error={error} hasMessage={hasMessage} why={why} />
    </fieldset>
  )
}

const messageId = (name: string) => `field-${name}-message`
const whyId = (name: string) => `field-${name}-why`

const idList = (...ids: readonly unknown[]) => ids.filter(Boolean).join(' ') || undefined

function Notes({ name, error, hasMessage, why }: Omit<BaseFieldProps, 'label'>) {
  return (
    <>
      {hasMessage && (
        <p
          id={messageId(name)}
          className="hidden items-start gap-1.5 pt-1.5 text-note leading-tight font-bold text-error group-has-aria-invalid:flex"
        >
          <Icon name="alert" className="mt-px size-4.5" />
          {error}
        </p>
      )}
      {why && (
        <div id={whyId(name)} className="pt-2 text-note leading-tight text-ink-soft">
          {why}
        </div>
      )}
    </>
  )
}
