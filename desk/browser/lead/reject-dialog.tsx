/** Rejecting a lead needs a reason: somebody will ask. */
import { useState } from 'react'
import { LONGEST_REASON } from '../../api/lead.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'

interface RejectDialogProps {
  readonly busy: boolean
  readonly failed: string | null
  readonly onReject: (reason: string) => void
  readonly onClose: () => void
}

export function RejectDialog({ busy, failed, onReject, onClose }: RejectDialogProps) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <Dialog title="Reject this lead" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (reason.trim() === '') setMissing(true)
          else if (!busy) onReject(reason.trim())
        }}
      >
        <p>It is kept, and never sent. You can release it later.</p>
        <TextField
          label="Why"
          hint="For those who look later: “spam”, “a test of ours”. No names or numbers, please."
          maxLength={LONGEST_REASON}
          value={reason}
          error={missing && reason.trim() === '' ? 'Say in a few words why.' : undefined}
          onChange={event => setReason(event.target.value)}
        />
        {failed === null ? null : <Problem title="Nothing was changed">{failed}</Problem>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Reject
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
