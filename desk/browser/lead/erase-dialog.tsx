/** Erasing is for good, so it takes more than a press: the last name, or the id, typed. */
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import type { LeadAnswer } from '../../api/lead.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'

interface EraseDialogProps {
  readonly lead: LeadAnswer
  readonly busy: boolean
  readonly failed: string | null
  readonly onErase: (confirmation: string) => void
  readonly onClose: () => void
}

export function EraseDialog({ lead, busy, failed, onErase, onClose }: EraseDialogProps) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const lastName = lead.contact?.lastName ?? ''
  // A name that can hardly be typed is not asked for.
  const easy = lastName.length <= 40 && /^[\p{L}\p{M}’'. -]+$/u.test(lastName)
  const matches = [lastName, lead.id].some(
    expected => expected !== '' && typed.trim().toLowerCase() === expected.trim().toLowerCase(),
  )
  const sent = (lead.delivery?.attempts ?? 0) > 0
  return (
    <Dialog title="Erase this person’s data" onClose={onClose}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (!matches) setWrong(true)
          else if (!busy) onErase(typed.trim())
        }}
      >
        <p>
          Name, date of birth, e-mail, phone, address, browser and notes are gone for good. What was agreed to, and
          when, is kept without them. <strong>This cannot be undone.</strong>
        </p>
        {sent ? <p>Their data was sent to the webhook: have it erased there, too.</p> : null}
        {lead.others.length > 0 ? <p>This person has other leads. They stay: erase each of them.</p> : null}
        <TextField
          label={easy ? `Type ${lastName} to erase` : 'Type the lead’s id to erase'}
          hint={easy ? undefined : lead.id}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={wrong && !matches ? (easy ? `That is not ${lastName}.` : 'That is not the id.') : undefined}
          onChange={event => setTyped(event.target.value)}
        />
        {failed === null ? null : <Problem title="Nothing was erased">{failed}</Problem>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} icon={<Eraser aria-hidden size={18} />}>
            Erase for good
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
