/**
 * What was just done, in a line at the foot of the screen, with Undo where it can be undone. It stays while it is pointed
 * at or focused, and what it says is in a live region that is always there, so that screen readers notice it.
 */
import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../client.ts'

export interface Toast {
  readonly text: string
  readonly tone?: 'good' | 'bad'
  /** What became of it is told in the next line. */
  readonly undo?: (() => Promise<unknown>) | undefined
}

interface Shown extends Toast {
  readonly id: number
}

const SHOWN_MS = 10_000

const Toasts = createContext<(toast: Toast) => void>(() => {})

export const useToast = () => useContext(Toasts)

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const next = useRef(0)
  const show = useCallback((toast: Toast) => setShown({ ...toast, id: next.current++ }), [])
  const close = useCallback(() => setShown(null), [])
  const undo = useCallback(
    async ({ undo: takeBack }: Toast) => {
      setShown(null)
      try {
        await takeBack?.()
        show({ text: 'Undone.' })
      } catch (error) {
        show({ text: `It was not undone. ${messageOf(error)}`, tone: 'bad' })
      }
    },
    [show],
  )
  return (
    <Toasts value={useMemo(() => show, [show])}>
      {children}
      <div role="status" aria-live="polite" className="sr-only">
        {shown ? `${shown.text}${shown.undo ? ' Undo is at the end of the page.' : ''}` : ''}
      </div>
      {shown ? <ToastLine key={shown.id} toast={shown} onUndo={() => void undo(shown)} onClose={close} /> : null}
    </Toasts>
  )
}

interface ToastLineProps {
  readonly toast: Shown
  readonly onUndo: () => void
  readonly onClose: () => void
}

function ToastLine({ toast, onUndo, onClose }: ToastLineProps) {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(onClose, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [held, onClose])
  const Icon = toast.tone === 'bad' ? TriangleAlert : CircleCheck
  return (
    <section
      aria-label="What was just done"
      // Above all else where the foot of the screen has what can be done with a selection.
      className="fixed inset-x-3 bottom-3 z-30 [body:has([data-selection-bar])_&]:top-3 [body:has([data-selection-bar])_&]:bottom-auto mx-auto flex max-w-xl animate-arrive items-center gap-3 rounded-xl border border-line bg-ink py-2 pl-4 pr-2 text-paper shadow-raised print:hidden"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden size={20} className="shrink-0" />
      <p className="min-w-0 flex-1 py-1.5">{toast.text}</p>
      {toast.undo ? (
        <button
          type="button"
          className="min-h-11 shrink-0 rounded-lg px-3 font-bold underline underline-offset-4 outline-paper"
          onClick={onUndo}
        >
          Undo
        </button>
      ) : null}
      <button
        type="button"
        aria-label="Close this message"
        className="grid size-11 shrink-0 place-items-center rounded-lg outline-paper"
        onClick={onClose}
      >
        <X aria-hidden size={18} />
      </button>
    </section>
  )
}
