/** A native modal dialog: the browser keeps focus inside, closes it by Escape, and gives focus back where it was. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

const ACTIONS = 'data-dialog-actions'

/** Open for as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedBeside = useRef(false)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Where one goes on: what is to be filled in, or the press that changes nothing.
    element?.querySelector<HTMLElement>(`form :is(input, textarea, select), [${ACTIONS}] button`)?.focus()
    return () => {
      element?.close()
      // The browser gives focus back at `close`, but not where React took the element away first.
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null
      ;(back ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: back === null })
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself; this is the press beside it.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="m-auto w-[min(36rem,calc(100vw-24px))] max-h-[calc(100dvh-24px)] rounded-2xl border border-line bg-raised p-0 shadow-raised open:animate-arrive"
      onClose={onClose}
      onPointerDown={event => {
        pressedBeside.current = event.target === dialog.current
      }}
      onClick={event => {
        // A text that is selected beyond the edge ends beside it, too, but did not begin there.
        if (event.target === dialog.current && pressedBeside.current) dialog.current.close()
      }}
    >
      <div className="p-[min(1.25rem,20px)] sm:p-6">
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={id} className="text-[1.375rem] leading-tight">
            {title}
          </h2>
          <button
            type="button"
            aria-label="Close"
            className="-mr-2 -mt-2 grid size-[min(2.75rem,44px)] shrink-0 place-items-center rounded-lg hover:bg-mist"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" size={20} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div {...{ [ACTIONS]: '' }} className="mt-6 flex flex-wrap justify-end gap-3">
      {children}
    </div>
  )
}
