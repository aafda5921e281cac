/** Toasts: short notices that close automatically. They only repeat what the page already shows. */

import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ToastsCopy } from '../../site-folder/types.ts'
import { Icon } from '../components/icon.tsx'

interface ToastText {
  readonly title: string
  readonly text: string
}

interface Toast extends ToastText {
  readonly id: number
  readonly destructive: boolean
}

const MAX_VISIBLE = 3

export function useToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const nextId = useRef(0)
  const remove = useCallback(
    (matches: (toast: Toast) => boolean) => setToasts(current => current.filter(toast => !matches(toast))),
    [],
  )
  const show = ({ title, text }: ToastText, destructive = false) => {
    const toast = { title, text, destructive, id: nextId.current++ }
    setToasts(current => [...current, toast].slice(-MAX_VISIBLE))
  }
  const dismiss = useCallback((id: number) => remove(toast => toast.id === id), [remove])
  const dismissAll = ({ title }: ToastText) => remove(toast => toast.title === title)
  return { toasts, show, dismiss, dismissAll }
}

interface ToastsProps {
  readonly toasts: readonly Toast[]
  readonly dismiss: (id: number) => void
  readonly duration: number
  readonly copy: ToastsCopy
}

/** Over the form's heading, or under the page's header, whichever is lower: next to the fields, and clear of the one with focus. */
export function Toasts({ toasts, dismiss, duration, copy }: ToastsProps) {
  const region = useRef<HTMLElement>(null)
  const previousFocus = useRef<HTMLElement | null>(null)
  // At any text size, toasts are below the header, which has the phone number, and scroll-padding keeps the focused field below toasts.
  useLayoutEffect(() => {
    const { style } = document.documentElement
    if (toasts.length > 0) {
      const header = document.querySelector('header') as HTMLElement
      const section = region.current as HTMLElement
      // On a short screen, the header has scrolled away.
      const top = Math.max(4, header.getBoundingClientRect().bottom + 8)
      section.style.top = `${top}px`
      style.scrollPaddingTop = `${section.scrollHeight + top + 8}px`
    }
    return () => {
      style.scrollPaddingTop = ''
    }
  }, [toasts])
  const rememberOrigin = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) previousFocus.current = relatedTarget as HTMLElement
  }
  const dismissAndReturn = (id: number) => {
    // In Safari, a click doesn't focus the button, so there is nothing to return.
    if (region.current?.contains(document.activeElement)) previousFocus.current?.focus({ preventScroll: true })
    dismiss(id)
  }
  return (
    <section
      ref={region}
      onFocus={rememberOrigin}
      aria-label={copy.regionLabel}
      aria-live="polite"
      className="sticky z-10 grid h-0 content-start gap-3"
    >
      {toasts.map(toast => (
        <ToastCard
          key={toast.id}
          toast={toast}
          expire={dismiss}
          dismiss={dismissAndReturn}
          duration={duration}
          dismissLabel={copy.dismiss}
        />
      ))}
    </section>
  )
}

interface ToastCardProps extends Pick<ToastsProps, 'dismiss' | 'duration'> {
  readonly toast: Toast
  readonly expire: (id: number) => void
  readonly dismissLabel: string
}

function ToastCard({ toast, expire, dismiss, duration, dismissLabel }: ToastCardProps) {
  // Someone may be reading a toast that's hovered or focused, so pause its timer and restart it afterward.
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => expire(toast.id), duration)
    return () => clearTimeout(timer)
  }, [paused, toast.id, expire, duration])

  const colors = toast.destructive ? 'border-error bg-error' : 'border-ink bg-ink'
  return (
    <div
      role="group"
      // Errors are announced by the message next to the button.
      aria-live={toast.destructive ? 'off' : undefined}
      className={`rounded-2xl border-2 text-card py-2 pr-[4px] pl-[min(1rem,4vw)] text-[min(1rem,7vw)] leading-normal raised motion-safe:animate-arrive ${colors}`}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      {/* Floating, so on a narrow screen, the lines below it have the whole width. */}
      <button
        type="button"
        aria-label={dismissLabel}
        onClick={() => dismiss(toast.id)}
        className="float-right grid size-[48px] place-items-center rounded-xl outline-current"
      >
        <Icon name="close" />
      </button>
      <p className="pt-2 font-bold">{toast.title}</p>
      <p className="pb-2">{toast.text}</p>
    </div>
  )
}
