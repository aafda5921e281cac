/** Toasts: short notices that close by themselves. They repeat what stands elsewhere on the page, never replace it. */
import { X } from 'lucide-react'
import { type FocusEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

export interface Toast {
  readonly title: string
  readonly text: string
  readonly destructive: boolean
}

interface ShownToast extends Toast {
  readonly id: number
}

const MOST_VISIBLE = 3

export function useToasts() {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([])
  const nextId = useRef(0)
  const show = useCallback((toast: Toast) => {
    const shown = { ...toast, id: nextId.current++ }
    setToasts(current => [...current, shown].slice(-MOST_VISIBLE))
  }, [])
  const dismiss = useCallback((id: number) => setToasts(current => current.filter(toast => toast.id !== id)), [])
  const dismissErrors = useCallback(() => setToasts(current => current.filter(toast => !toast.destructive)), [])
  return { toasts, show, dismiss, dismissErrors }
}

interface ToastsProps {
  readonly toasts: readonly ShownToast[]
  readonly dismiss: (id: number) => void
  readonly duration: number
  readonly label: string
  readonly dismissLabel: string
  /** What gets focus when a dismissed toast had it and nobody knows where it was before. */
  readonly returnFocusTo: RefObject<HTMLElement | null>
}

export function Toasts({ toasts, dismiss, duration, label, dismissLabel, returnFocusTo }: ToastsProps) {
  const cameFrom = useRef<HTMLElement | null>(null)
  const rememberOrigin = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget as HTMLElement
  }
  const dismissAndReturn = (id: number) => {
    const origin = cameFrom.current?.isConnected ? cameFrom.current : returnFocusTo.current
    origin?.focus()
    dismiss(id)
  }
  return (
    <section
      onFocus={rememberOrigin}
      aria-label={label}
      aria-live="polite"
      // Over the page's header on a phone, beside the panel on a desktop: never over the form that it is about.
      className="pointer-events-none fixed inset-x-4 top-1 z-20 ml-auto grid max-w-md gap-3 lg:top-auto lg:bottom-4 lg:ml-0"
    >
      {toasts.map(toast => (
        <ToastCard
          key={toast.id}
          toast={toast}
          expire={dismiss}
          dismiss={dismissAndReturn}
          duration={duration}
          dismissLabel={dismissLabel}
        />
      ))}
    </section>
  )
}

interface ToastCardProps extends Pick<ToastsProps, 'dismiss' | 'duration' | 'dismissLabel'> {
  readonly toast: ShownToast
  readonly expire: (id: number) => void
}

function ToastCard({ toast, expire, dismiss, duration, dismissLabel }: ToastCardProps) {
  // A toast under a pointer or holding focus is being read: its time starts again when it is left.
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => expire(toast.id), duration)
    return () => clearTimeout(timer)
  }, [held, toast.id, expire, duration])

  const colors = toast.destructive ? 'border-error bg-error text-card' : 'border-ink bg-ink text-card'
  return (
    <div
      role="group"
      // An error is announced where it stays: beside the button.
      aria-live={toast.destructive ? 'off' : undefined}
      className={`pointer-events-auto flex items-start gap-3 rounded-2xl border-2 py-2 pr-2 pl-4 text-note shadow-lg motion-safe:animate-arrive ${colors}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="grow py-2">
        <p className="font-bold">{toast.title}</p>
        <p>{toast.text}</p>
      </div>
      <button
        type="button"
        aria-label={dismissLabel}
        onClick={() => dismiss(toast.id)}
        className="grid size-12 shrink-0 place-items-center rounded-xl outline-current"
      >
        <X aria-hidden="true" />
      </button>
    </div>
  )
}
