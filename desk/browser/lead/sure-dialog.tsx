/** One more press before something that matters. */
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Problem } from '../ui/problem.tsx'

interface SureDialogProps {
  readonly title: string
  readonly button: string
  readonly busy: boolean
  readonly failed: string | null
  readonly onSure: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

export function SureDialog({ title, button, busy, failed, onSure, onClose, children }: SureDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      {failed === null ? null : (
        <div className="mt-4">
          <Problem title="Nothing was changed">{failed}</Problem>
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={busy} onClick={onSure}>
          {button}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
