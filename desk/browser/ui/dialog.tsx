/**
 * Native modal dialogs: the browser keeps focus inside, closes them on Escape, and restores focus. ConfirmDialog says what will
 * happen and asks for confirmation, with a text field if needed.
 */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { MAX_REASON_LENGTH } from '../../../domain/text/text.ts'
import { messageOf } from '../client.ts'
import { Button, type ButtonProps } from './button.tsx'
import { TextField } from './field.tsx'
import { focusNearby } from './focus.ts'
import { Icon } from './icon.tsx'
import { Problem } from './placeholders.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

const ACTIONS = 'data-dialog-actions'
const FOCUSED = 'data-dialog-focus'

/** Open while it's rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedBackdrop = useRef(false)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // Focus the first field, or the Cancel button if there are no fields.
    const first = `form :is(input, textarea, select), [${ACTIONS}] button`
    ;(element?.querySelector<HTMLElement>(`[${FOCUSED}]`) ?? element?.querySelector<HTMLElement>(first))?.focus()
    return () => {
      element?.close()
      // `close` restores focus, unless React removed the element first. If focus has already moved elsewhere, leave it there.
      if (document.activeElement !== document.body) return
      focusNearby(before === document.body ? null : before)
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape; this handles clicks on the backdrop.
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // Browsers' default max-width is in em, which leaves too little room with large text.
      className="m-auto w-[min(36rem,calc(100vw-24px))] max-w-none max-h-[calc(100dvh-24px)] rounded-2xl border border-line bg-raised p-0 shadow-raised open:animate-arrive"
      onClose={({ currentTarget }) => {
        // In strict mode, the effect above closes it and opens it again.
        if (!currentTarget.open) onClose()
      }}
      onPointerDown={event => {
        pressedBackdrop.current = event.target === dialog.current
      }}
      onClick={event => {
        // A text selection dragged past the edge also ends on the backdrop, but didn't start there.
        if (event.target === dialog.current && pressedBackdrop.current) dialog.current.close()
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

/** Props that every confirmation dialog takes from its caller. */
export interface SharedDialogProps {
  readonly busy: boolean
  /** Why the action failed. */
  readonly failed: string | null
  readonly onClose: () => void
}

/** How far the dialog's request is. */
export const progressOf = (
  { isPending, error }: { readonly isPending: boolean; readonly error: unknown },
  explain = messageOf,
) => ({ busy: isPending, failed: error === null ? null : explain(error) })

interface ConfirmDialogProps extends SharedDialogProps, Pick<ButtonProps, 'kind' | 'icon'> {
  readonly title: string
  /** The confirm button's label, or null if there's nothing to confirm. */
  readonly button: string | null
  readonly onConfirm: () => void
  /** Focus the confirm button instead of Cancel. */
  readonly enterConfirms?: boolean
  readonly children: ReactNode
}

export function ConfirmDialog({
  title,
  button,
  kind = 'primary',
  icon,
  busy,
  failed,
  onConfirm,
  onClose,
  enterConfirms = false,
  children,
}: ConfirmDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  const isSlow = useIsSlow(busy)
  // Focus the invalid field, so screen readers read its error.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each attempt.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [attempts])
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (busy || button === null) return
          onConfirm()
          setAttempts(attempts + 1)
        }}
      >
        {children}
        {failed === null ? null : <Problem title="That didn’t work">{failed}</Problem>}
        {isSlow ? <p role="status">You can close this; it will finish in the background.</p> : null}
        <DialogActions>
          <Button onClick={onClose}>{isSlow ? 'Close' : 'Cancel'}</Button>
          {button === null ? null : (
            <Button type="submit" kind={kind} busy={busy} icon={icon} {...{ [FOCUSED]: enterConfirms || undefined }}>
              {button}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

const SLOW_MS = 800

function useIsSlow(busy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!busy) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return isSlow
}

/** A Reason field. If a required reason is missing, `check` shows an error and returns null. */
export function useReason({
  hint = REASON_HINT,
  required = true,
}: {
  readonly hint?: string
  readonly required?: boolean
} = {}) {
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const reason = typed.trim()
  const isMissing = required && reason === ''
  function check(): string | null {
    setTried(true)
    return isMissing ? null : reason
  }
  const field = (
    <TextField
      label={required ? 'Reason' : 'Reason (optional)'}
      hint={hint}
      maxLength={MAX_REASON_LENGTH}
      value={typed}
      error={tried && isMissing ? 'Enter a reason.' : undefined}
      onChange={event => setTyped(event.target.value)}
    />
  )
  return { field, check }
}

const REASON_HINT = 'Colleagues will see this. Leave out names and phone numbers.'
