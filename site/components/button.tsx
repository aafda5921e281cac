/** Buttons, and links that look like buttons. */
import type { ComponentProps, ReactNode } from 'react'

const shape =
  'inline-flex min-h-14 items-center justify-center gap-3 rounded-2xl px-[20px] py-3 text-center font-bold leading-tight'
// In print: dark text, no box.
const paper = 'print:min-h-0 print:justify-start print:border-0 print:bg-transparent print:p-0 print:text-ink'
const solid = `${shape} ${paper} border-2 border-action bg-action text-card hover:border-action-dark hover:bg-action-dark`
/** Not a name in a table: the questionnaire's script has only the looks that it uses. */
export const outlined = `${shape} ${paper} border-2 border-action bg-card text-action hover:bg-mist`

interface LinkProps {
  readonly href: string
  readonly children: ReactNode
  readonly look?: string
  readonly className?: string
}

export function ButtonLink({ href, children, look = solid, className = '' }: LinkProps) {
  return (
    <a href={href} className={`${look} ${className}`}>
      {children}
    </a>
  )
}

/** A call to action: a link to the form that the space key also activates (site/browser/inline/space-key.ts). */
export function CallToAction({ href, children, className = '' }: LinkProps) {
  return (
    <a
      href={href}
      role="button"
      draggable={false}
      className={`${solid} raised max-sm:w-full print:hidden ${className}`}
    >
      {children}
    </a>
  )
}

/** One of several; the chosen one is pressed. */
export function ChoiceButton({ className = '', ...props }: ComponentProps<'button'>) {
  return <button {...props} className={`${outlined} aria-pressed:bg-sage [[hidden]]:hidden ${className}`} />
}

export function Button({ className = '', ...props }: ComponentProps<'button'>) {
  return (
    <button {...props} className={`${solid} aria-disabled:cursor-progress aria-disabled:opacity-80 ${className}`} />
  )
}
