/**
 * Confirms actions, with Undo if possible: at the bottom of the screen for ten seconds, or above the next page. Shows up to two
 * toasts, so a new one doesn't take away the previous one's Undo. A toast stays up while it's hovered or focused. For screen
 * readers, the live region is always rendered.
 */
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../client.ts'
import { usePath } from '../router.tsx'
import { focusNearby } from './focus.ts'
import { Icon } from './icon.tsx'

interface Toast {
  readonly text: string
  readonly tone?: 'good' | 'bad'
  /** The answer can say what's left to do. */
  readonly undo?: (() => Promise<{ readonly notice?: string | null } | undefined>) | undefined
  /** Opens another page, and is part of it until the one after that: there, it covers neither names nor answers. */
  readonly abovePage?: boolean
}

interface VisibleToast extends Toast {
  readonly id: number
}

const SHOWN_MS = 10_000
const MAX_SHOWN = 2

interface Toasts {
  readonly shown: readonly VisibleToast[]
  readonly show: (toast: Toast) => void
  readonly close: (id: number) => void
}

const ToastContext = createContext<Toasts>({ shown: [], show: () => {}, close: () => {} })

export const useToast = () => use(ToastContext).show

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Toasts['shown']>([])
  const next = useRef(0)
  const show = useCallback((toast: Toast) => {
    setShown(before => [...before, { ...toast, id: next.current++ }].slice(-MAX_SHOWN))
  }, [])
  const close = useCallback((id: number) => setShown(before => before.filter(toast => toast.id !== id)), [])
  return <ToastContext value={{ shown, show, close }}>{children}</ToastContext>
}

export function Notifications() {
  const { shown, show, close } = use(ToastContext)
  async function undo(toast: VisibleToast): Promise<void> {
    close(toast.id)
    try {
      const { notice } = (await toast.undo?.()) ?? {}
      show({ text: notice ? `Undone. ${notice}` : 'Undone.' })
    } catch (error) {
      show({ text: `That couldn’t be undone. ${messageOf(error)}`, tone: 'bad' })
    }
  }
  const item = (toast: VisibleToast) => (
    <ToastItem key={toast.id} toast={toast} onUndo={() => void undo(toast)} onClose={close} />
  )
  return (
    <>
      {/* Each is read once: not again when the other one closes. */}
      <div role="status" aria-live="polite" aria-atomic="false" className="sr-only">
        {shown.map(({ id, text, undo }) => (
          <p key={id}>
            {text}
            {undo ? ' To undo this, use the Undo button under Notifications.' : ''}
          </p>
        ))}
      </div>
      {shown.length > 0 ? (
        <section aria-label="Notifications" className="print:hidden">
          {shown.filter(toast => toast.abovePage).map(item)}
          {/* On phones, and for a selection, at the top: there's a bar at the bottom. Elsewhere, beside the call's Save button. */}
          <div className="fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl flex-col gap-2 lg:mr-0 lg:max-w-md [body:has([data-selection-bar])_&]:top-3 [body:has([data-selection-bar])_&]:bottom-auto max-lg:[body:has([data-call-bar])_&]:top-3 max-lg:[body:has([data-call-bar])_&]:bottom-auto sm:max-lg:[body:has([data-call-bar])_&]:top-16">
            {shown.filter(toast => !toast.abovePage).map(item)}
          </div>
        </section>
      ) : null}
    </>
  )
}

interface ToastItemProps {
  readonly toast: VisibleToast
  readonly onUndo: () => void
  readonly onClose: (id: number) => void
}

function ToastItem({ toast, onUndo, onClose }: ToastItemProps) {
  const [isPaused, setPaused] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const before = useRef<EventTarget | null>(null)
  // Focus goes back to where it was when the user came here.
  useLayoutEffect(() => {
    const toast = element.current
    return () => {
      if (toast?.contains(document.activeElement)) focusNearby(before.current as Element | null)
    }
  }, [])
  const path = usePath()
  const [openedOn] = useState(path)
  useEffect(() => {
    if (toast.abovePage && path !== openedOn) onClose(toast.id)
  }, [path, openedOn, onClose, toast])
  useEffect(() => {
    if (isPaused || toast.abovePage) return
    const timer = setTimeout(() => onClose(toast.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isPaused, onClose, toast])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps it on screen.
    <div
      ref={element}
      className={
        toast.abovePage
          ? 'mx-auto flex max-w-[120rem] items-center gap-3 border-b border-line px-3 sm:px-6'
          : 'flex animate-arrive items-center gap-3 rounded-xl border border-line bg-ink py-2 pl-4 pr-2 text-paper shadow-raised'
      }
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={({ relatedTarget }) => {
        if (!element.current?.contains(relatedTarget)) before.current = relatedTarget
        setPaused(true)
      }}
      onBlur={() => setPaused(false)}
    >
      <Icon name={toast.tone === 'bad' ? 'alert' : 'done'} size={20} />
      <p className={`min-w-0 py-1.5 ${toast.abovePage ? '' : 'flex-1'}`}>{toast.text}</p>
      {toast.undo ? (
        <button
          type="button"
          className="min-h-11 shrink-0 rounded-lg px-3 font-bold underline underline-offset-4 outline-current"
          onClick={onUndo}
        >
          Undo
        </button>
      ) : null}
      <button
        type="button"
        aria-label="Close this message"
        className="grid size-11 shrink-0 place-items-center rounded-lg outline-current"
        onClick={() => onClose(toast.id)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

/** Whether the view is still on screen when its request finishes. React also cleans up layout effects when it hides a view. */
export function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(true)
  useLayoutEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
