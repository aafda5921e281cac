/** Staff notes on a lead. */
import { useCallback, useRef, useState, useSyncExternalStore } from 'react'
import { leadActions } from '../../../../domain/lead-actions.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type Lead, type LeadActionRequest, messageOf } from '../../client.ts'
import { useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useIsMounted, useToast } from '../../ui/toast.tsx'
import { useLeadAction } from '../leads/lead-queries.ts'

const failures = { 'add note': 'The note wasn’t saved.', 'remove note': 'The note wasn’t deleted.' } as const

export function Notes({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const toast = useToast()
  const { name } = useSession()
  const action = useLeadAction(lead.id)
  const [text, setText] = useDraft(`${name} ${lead.id}`)
  const form = useRef<HTMLFormElement>(null)
  const isMounted = useIsMounted()
  const [deleting, setDeleting] = useState<Lead['notes'][number] | null>(null)
  const canAdd = lead.actions.includes('add note')

  async function run(request: Extract<LeadActionRequest, { action: keyof typeof failures }>, undo?: string) {
    try {
      await action.mutateAsync(request)
      if (request.action === 'add note') setText('')
      else form.current?.querySelector('textarea')?.focus()
      toast({
        text: leadActions[request.action].done(false),
        undo: undo === undefined ? undefined : () => action.mutateAsync({ action: 'add note', text: undo }),
      })
    } catch (error) {
      // Shown below the field, unless the user navigated away.
      if (!isMounted.current) toast({ text: `${failures[request.action]} ${messageOf(error)}`, tone: 'bad' })
    }
  }
  useShortcuts({ [leadActions['add note'].key ?? '']: () => form.current?.querySelector('textarea')?.focus() })
  if (lead.notes.length === 0 && !canAdd) return null
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
                {lead.actions.includes('remove note') ? (
                  <button
                    type="button"
                    aria-label={`Delete the note by ${note.by}, ${times.short(note.at)}`}
                    className="-m-2 grid size-11 place-items-center rounded-lg hover:bg-card print:hidden"
                    // Undo re-adds the note as yours, so a colleague's note needs a confirmation instead.
                    onClick={() => {
                      if (note.by === name) void run({ action: 'remove note', note: note.id }, note.text)
                      else setDeleting(note)
                    }}
                  >
                    <Icon name="trash" size={16} />
                  </button>
                ) : null}
              </p>
            </li>
          ))}
        </ul>
      )}
      {canAdd ? (
        <form
          ref={form}
          className="flex flex-col gap-3 print:hidden"
          onSubmit={event => {
            event.preventDefault()
            if (text.trim() !== '' && !action.isPending) void run({ action: 'add note', text: text.trim() })
          }}
        >
          <TextArea
            label="New note"
            placeholder="Left voicemail. Try again this evening."
            maxLength={MAX_NOTE_LENGTH}
            value={text}
            onChange={event => setText(event.target.value)}
          />
          {action.isError ? (
            <Problem title={action.variables.action === 'remove note' ? failures['remove note'] : failures['add note']}>
              {messageOf(action.error)}
            </Problem>
          ) : null}
          <Button type="submit" className="self-start" busy={action.isPending} disabled={text.trim() === ''}>
            {leadActions['add note'].label}
          </Button>
        </form>
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${deleting.by}’s note?`}
          button="Delete"
          kind="danger"
          busy={false}
          failed={null}
          onConfirm={() => {
            // Closes first, so focus can move to the field. A failure is shown below it.
            setDeleting(null)
            void run({ action: 'remove note', note: deleting.id })
          }}
          onClose={() => setDeleting(null)}
        >
          <p>This can’t be undone.</p>
        </ConfirmDialog>
      ) : null}
    </Card>
  )
}

const drafts = new Map<string, string>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Keeps an unsaved note until the tab is closed, even if the user leaves the page or has to sign in again. */
function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => drafts.get(key) ?? '')
  const setText = useCallback(
    (typed: string) => {
      if (typed === '') drafts.delete(key)
      else drafts.set(key, typed)
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [text, setText]
}
