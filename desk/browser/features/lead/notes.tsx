/** Staff notes on a lead. */
import { useRef } from 'react'
import { leadActions } from '../../../../domain/lead-actions.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type Lead, type LeadActionRequest, messageOf } from '../../client.ts'
import { useDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { submitOnCtrlEnter, TextArea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useIsMounted, useToast } from '../../ui/toast.tsx'
import { useLeadAction } from '../leads/lead-queries.ts'

const failures = { 'add note': 'The note wasn’t saved.', 'remove note': 'The note wasn’t deleted.' } as const

type NoteRequest = Extract<LeadActionRequest, { action: keyof typeof failures }>

export function Notes({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const toast = useToast()
  const { name } = useSession()
  const action = useLeadAction(lead.id)
  const [text, setText] = useDraft(`${name} ${lead.id}`)
  const form = useRef<HTMLFormElement>(null)
  const isMounted = useIsMounted()
  const canAdd = lead.actions.includes('add note')

  async function run(request: NoteRequest) {
    try {
      await action.mutateAsync(request)
      // Keep what was typed while the note was being saved.
      if (request.action === 'add note') setText(typed => withoutStart(typed, request.text))
      else form.current?.querySelector('textarea')?.focus()
      toast({
        text: leadActions[request.action].done(false),
        undo:
          request.action === 'remove note'
            ? () => action.mutateAsync({ action: 'restore note', note: request.note })
            : undefined,
      })
    } catch (error) {
      // Shown below the field, unless the user navigated away.
      if (!isMounted.current) toast({ text: `${failures[request.action]} ${messageOf(error)}`, tone: 'bad' })
    }
  }
  useShortcuts({ [leadActions['add note'].key ?? '']: () => form.current?.querySelector('textarea')?.focus() })
  if (lead.notes.length === 0 && !canAdd) return null
  return (
    <Card title="Notes" className={lead.notes.length === 0 ? 'print:hidden' : ''}>
      {lead.notes.length === 0 ? null : (
        <ul className="mb-4 flex flex-col gap-3">
          {lead.notes.map(note => (
            <li key={note.id} className="rounded-xl bg-mist p-3">
              <p className="whitespace-pre-wrap">{note.text}</p>
              <p className="mt-1 flex items-center justify-between gap-3 text-small text-ink-soft">
                <span>
                  {note.by}, {times.short(note.at)}
                </span>
                {note.canChange && lead.actions.includes('remove note') ? (
                  <button
                    type="button"
                    aria-label={`Delete the note by ${note.by}, ${times.short(note.at)}`}
                    className="-m-2 grid size-11 place-items-center rounded-lg hover:bg-card print:hidden"
                    onClick={() => void run({ action: 'remove note', note: note.id })}
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
            onKeyDown={submitOnCtrlEnter}
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
    </Card>
  )
}

const withoutStart = (text: string, start: string) =>
  text.trimStart().startsWith(start) ? text.trimStart().slice(start.length).trimStart() : text
