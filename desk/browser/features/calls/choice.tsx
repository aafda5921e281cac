/** One of several, as a row that's easy to hit, or with a key. */
import { type ComponentProps, useRef } from 'react'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { Key, QUIET_KEY } from '../../ui/key.tsx'

interface ChoiceProps extends Pick<ComponentProps<'input'>, 'name' | 'value' | 'checked'> {
  readonly label: string
  readonly detail: string
  readonly shortcut: string | null
  readonly onChoose: () => void
}

export function Choice({ label, detail, shortcut, onChoose, ...rest }: ChoiceProps) {
  const input = useRef<HTMLInputElement>(null)
  function press(): void {
    input.current?.focus()
    input.current?.click()
  }
  useShortcuts(shortcut === null ? {} : { [shortcut]: press })
  return (
    // An odd one takes the whole last row.
    <label className="group flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border border-edge sm:min-h-11 bg-card px-3 py-0.5 last:odd:col-span-full hover:border-ink has-checked:border-action has-checked:bg-sage">
      <input ref={input} {...rest} type="radio" className="size-5 shrink-0 accent-action" onChange={onChoose} />
      <span className="min-w-0 flex-1 flex-wrap items-baseline gap-x-3 leading-tight group-last:group-odd:flex">
        <span className="block font-bold">{label}</span>
        {detail === '' ? null : <span className="block text-small">{detail}</span>}
      </span>
      {shortcut === null ? null : <Key name={shortcut} className={QUIET_KEY} />}
    </label>
  )
}
