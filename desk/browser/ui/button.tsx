/** Buttons, and links that look like buttons. */
import type { ComponentProps } from 'react'
import { Link } from '../router.tsx'
import { Icon, type IconName } from './icon.tsx'

type Kind = 'primary' | 'secondary' | 'quiet' | 'destructive' | 'danger'

// At 200% text size, the content needs the room more than the padding does.
const base =
  'inline-flex min-h-11 items-center justify-center gap-[min(0.5rem,8px)] rounded-lg px-[min(1rem,16px)] py-2 text-center font-bold leading-tight transition-colors [&>svg]:shrink-0 aria-disabled:cursor-not-allowed aria-disabled:opacity-60'

const kinds: Readonly<Record<Kind, string>> = {
  primary: 'border border-action bg-action text-on-action hover:border-action-strong hover:bg-action-strong',
  secondary: 'border border-edge bg-card text-ink hover:bg-mist',
  quiet: 'border border-transparent text-action-strong underline-offset-4 hover:bg-mist hover:underline',
  /** Opens a dialog for something that can't be undone. */
  destructive: 'border border-edge bg-card text-error hover:bg-error-soft',
  danger: 'border border-error bg-error text-on-error hover:opacity-90',
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  readonly kind?: Kind
  /** In progress: another click does nothing. Not `disabled`, which would drop focus. */
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly icon?: IconName | undefined
}

export function Button({
  kind = 'secondary',
  busy = false,
  disabled = false,
  icon,
  className = '',
  onClick,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isInactive = busy || disabled
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isInactive || undefined}
      aria-busy={busy || undefined}
      className={`${base} ${kinds[kind]} ${className}`}
      onClick={event => {
        if (isInactive) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export function ButtonLink({
  kind = 'secondary',
  icon,
  href,
  state,
  className = '',
  children,
  ...rest
}: ComponentProps<'a'> & {
  readonly kind?: Kind
  readonly icon?: IconName | undefined
  readonly href: string
  /** Stored in the browser's history entry. */
  readonly state?: object | undefined
}) {
  const style = `${base} ${kinds[kind]} ${className}`
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {children}
    </>
  )
  // The router doesn't handle phone links, email links, or server-rendered pages.
  if (!href.startsWith('/') || rest.target !== undefined || rest.download !== undefined) {
    return (
      <a {...rest} href={href} className={style}>
        {content}
      </a>
    )
  }
  return (
    <Link href={href} state={state} onClick={rest.onClick} className={style}>
      {content}
    </Link>
  )
}

/** In the middle of a text. */
export function LinkButton({ onClick, children }: Required<Pick<ComponentProps<'button'>, 'onClick' | 'children'>>) {
  return (
    <button
      type="button"
      className="min-h-8 font-bold text-action-strong underline underline-offset-4 print:hidden"
      onClick={onClick}
    >
      {children}
    </button>
  )
}
