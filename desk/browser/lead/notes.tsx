/** What people of the desk wrote about a lead. */
import { Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { type LeadAnswer, type LeadNote, LONGEST_NOTE } from '../../api/lead.ts'
import { messageOf } from '../client.ts'
import { useMayAct, useSession } from '../session.ts'
import { useTimes } from '../times.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { useIsHere } from '../ui/use-is-here.ts'
import { useDraft } from './use-draft.ts'
import { useLeadAction } from './use-lead-action.ts'

export function Notes({ lead }: { readonly lead: LeadAnswer }) {
  const mayAct = useMayAct()
  const times = useTimes()
  const toast = useToast()
  const { name } = useSession()
  const action = useLeadAction(lead.id)
  const [text, setText] = useDraft(`${name} ${lead.id}`)
  const form = useRef<HTMLFormElement>(null)
  const isHere = useIsHere()

  function remove({ id, by, text: removed }: LeadNote): void {
    // One's own can be written again as it was; another's would come back under the wrong name.
    const undo = by === name ? () => action.mutateAsync({ action: 'add note', text: removed }) : undefined
    action.mutateAsync({ action: 'remove note', note: id }).then(
      () => {
        toast({ text: 'Note removed.', undo })
        form.current?.querySelector('textarea')?.focus()
      },
      error => tell('The note was not removed.', error),
    )
  }
  function add(): void {
    if (text.trim() === '' || action.isPending) return
    action.mutateAsync({ action: 'add note', text: text.trim() }).then(
      () => {
        setText('')
        toast({ text: 'Note saved.' })
      },
      error => tell('The note was not saved.', error),
    )
  }
  /** Said below the field as well, for whoever is still here. */
  function tell(what: string, error: unknown): void {
    if (!isHere.current) toast({ text: `${what} ${messageOf(error)}`, tone: 'bad' })
  }
  if (lead.notes.length === 0 && !lead.actions.includes('add note')) return null
  return (
    <Card title="Notes">
      {lead.notes.length === 0 ? null : (
        <ul className="mb-4 flex flex-col gap-3">
          {lead.notes.map(note => (
            <li key={note.id} className="rounded-xl bg-mist p-3">
              <p className="whitespace-pre-wrap">{note.text}</p>
              <p className="mt-1 flex items-center justify-between gap-3 text-small text-ink-soft">
                <span>
                  {note.by}, {times.short(note.at)}
                </span>
                {mayAct && lead.actions.includes('remove note') ? (
                  <button
                    type="button"
                    aria-label={`Remove the note of ${note.by}, ${times.short(note.at)}`}
                    className="-m-2 grid size-11 place-items-center rounded-lg hover:bg-card"
                    onClick={() => remove(note)}
                  >
                    <Trash2 aria-hidden size={16} />
                  </button>
                ) : null}
              </p>
            </li>
          ))}
        </ul>
      )}
      {lead.actions.includes('add note') ? (
        <form
          ref={form}
          className="flex flex-col items-start gap-3"
          onSubmit={event => {
            event.preventDefault()
            add()
          }}
        >
          <div className="w-full">
            <TextArea
              label="New note"
              placeholder="Called, no answer. Try again in the evening."
              maxLength={LONGEST_NOTE}
              value={text}
              onChange={event => setText(event.target.value)}
            />
          </div>
          {action.isError ? (
            <div className="w-full">
              <Problem
                title={
                  action.variables.action === 'remove note' ? 'The note was not removed' : 'The note was not saved'
                }
              >
                {messageOf(action.error)}
              </Problem>
            </div>
          ) : null}
          <Button type="submit" busy={action.isPending} disabled={text.trim() === ''}>
            Save note
          </Button>
        </form>
      ) : null}
    </Card>
  )
}
