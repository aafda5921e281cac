/** Erasing is for good, so it takes more than a press: the last name, or the id, typed. */
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import type { LeadAnswer } from '../../api/lead.ts'
import { AskDialog, type Asking } from '../ui/ask-dialog.tsx'
import { TextField } from '../ui/field.tsx'

interface EraseDialogProps extends Asking {
  readonly lead: LeadAnswer
  readonly onErase: (confirmation: string) => void
}

export function EraseDialog({ lead, onErase, ...asking }: EraseDialogProps) {
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
    <AskDialog
      {...asking}
      title="Erase this person’s data"
      kind="danger"
      button="Erase for good"
      icon={<Eraser aria-hidden size={18} />}
      onSure={() => (matches ? onErase(typed.trim()) : setWrong(true))}
    >
      <p>
        Name, date of birth, e-mail, phone, address, browser and notes are gone for good. What was agreed to, and when,
        is kept without them. <strong>This cannot be undone.</strong>
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
    </AskDialog>
  )
}
