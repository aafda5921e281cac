/** Form fields with a label, hint, and error message linked for screen readers. */
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId } from 'react'

const box =
  'min-h-11 w-full rounded-lg border border-edge bg-card px-3 py-2 text-ink placeholder:text-ink-soft aria-invalid:border-2 aria-invalid:border-error'

interface Labeled {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

function useLabeledField({ label, hint, error }: Labeled) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  return {
    id,
    attributes: { id, 'aria-describedby': described || undefined, 'aria-invalid': error ? (true as const) : undefined },
    above: (
      <>
        <label htmlFor={id} className="mb-1 block font-bold">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="mb-1.5 text-small text-ink-soft">
            {hint}
          </p>
        ) : null}
      </>
    ),
    below: error ? (
      <p id={`${id}-error`} className="mt-1 font-bold text-error">
        {error}
      </p>
    ) : null,
  }
}

export function TextField({ label, hint, error, ...rest }: Labeled & ComponentProps<'input'>) {
  const { attributes, above, below } = useLabeledField({ label, hint, error })
  return (
    <div>
      {above}
      <input {...rest} {...attributes} className={box} />
      {below}
    </div>
  )
}

/** For fields where Enter starts a new line. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

export function TextArea({ label, hint, error, ...rest }: Labeled & ComponentProps<'textarea'>) {
  const { attributes, above, below } = useLabeledField({ label, hint, error })
  return (
    <div>
      {above}
      <textarea rows={3} {...rest} {...attributes} className={box} />
      {below}
    </div>
  )
}

interface SelectProps extends Labeled, Omit<ComponentProps<'select'>, 'onChange' | 'className'> {
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

export function Select({ label, hint, error, choices, onChoose, ...rest }: SelectProps) {
  const { attributes, above, below } = useLabeledField({ label, hint, error })
  return (
    <div className="min-w-0">
      {above}
      <select {...rest} {...attributes} className={`${box} pr-8`} onChange={event => onChoose(event.target.value)}>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {below}
    </div>
  )
}

/** As many beside each other as fit. */
export function FieldGrid({ className = '', children }: Pick<ComponentProps<'div'>, 'className' | 'children'>) {
  return (
    <div className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] items-end gap-3 ${className}`}>
      {children}
    </div>
  )
}

interface CheckboxProps extends Pick<ComponentProps<'input'>, 'name'> {
  readonly label: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export function Checkbox({ label, name, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex min-h-11 items-center gap-[min(0.75rem,12px)]">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        className="size-5 shrink-0 accent-action"
        onChange={event => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}
