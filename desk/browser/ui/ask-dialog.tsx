/** Asks before something that matters: what will happen, a field if one is needed, and the button that does it. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Problem } from './problem.tsx'

/** The same for every question. */
export interface Asking {
  readonly busy: boolean
  /** Why it failed. */
  readonly failed: string | null
  readonly onClose: () => void
}

interface AskDialogProps extends Asking, Pick<ButtonProps, 'kind' | 'icon'> {
  readonly title: string
  readonly button: string
  readonly onSure: () => void
  readonly children: ReactNode
}

export function AskDialog({
  title,
  button,
  kind = 'primary',
  icon,
  busy,
  failed,
  onSure,
  onClose,
  children,
}: AskDialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  const isSlow = useSlow(busy)
  // Screen readers then read what is wrong with the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each try.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [tries])
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (busy) return
          onSure()
          setTries(tries + 1)
        }}
      >
        {children}
        {failed === null ? null : <Problem title="That didn’t work">{failed}</Problem>}
        {isSlow ? <p role="status">You can close this; it will finish in the background.</p> : null}
        <DialogActions>
          <Button onClick={onClose}>{isSlow ? 'Close' : 'Cancel'}</Button>
          <Button type="submit" kind={kind} busy={busy} icon={icon}>
            {button}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const SLOW_MS = 800

function useSlow(busy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    setSlow(false)
    if (!busy) return
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [busy])
  return isSlow
}

interface ReasonDialogProps extends Asking {
  readonly title: string
  readonly button: string
  readonly hint: string
  readonly longest: number
  readonly required?: boolean
  readonly onReason: (reason: string) => void
  readonly children: ReactNode
}

/** The same, with a reason. */
export function ReasonDialog({ hint, longest, required = false, onReason, children, ...rest }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const missing = required && reason.trim() === ''
  return (
    <AskDialog
      {...rest}
      onSure={() => {
        setTried(true)
        if (!missing) onReason(reason.trim())
      }}
    >
      <p>{children}</p>
      <TextField
        label={required ? 'Reason' : 'Reason (optional)'}
        hint={hint}
        maxLength={longest}
        value={reason}
        error={tried && missing ? 'Enter a reason.' : undefined}
        onChange={event => setReason(event.target.value)}
      />
    </AskDialog>
  )
}
