interface KeyProps {
  readonly name: string
  /** By default, as on a button. */
  readonly className?: string
}

/** A keyboard shortcut beside what it does. Phones have none. */
export function Key({ name, className = 'border-current px-1.5' }: KeyProps) {
  return (
    <kbd aria-hidden className={`rounded-md border font-mono text-small max-sm:hidden ${className}`}>
      {name}
    </kbd>
  )
}

export const QUIET_KEY = 'border-line px-2 text-ink-soft'
