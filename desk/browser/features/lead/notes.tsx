/** Staff notes on a lead. */
import { useRef } from 'react'
import { callOutcomes, outcomeName } from '../../../../domain/calling/outcomes.ts'
import { leadActions } from '../../../../domain/leads/lead-actions.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type CallState, type Lead, type LeadActionRequest, messageOf } from '../../client.ts'
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
import { useBothTimes } from '../calls/local-time.tsx'
import { aboutWhom } from '../calls/situation.tsx'
import { UndoCall } from '../calls/undo-call.tsx'
import { useLeadAction } from '../leads/lead-queries.ts'

const failures = { 'add note': 'The note wasn’t saved.', 'remove note': 'The note wasn’t deleted.' } as const

type NoteRequest = Extract<LeadActionRequest, { action: keyof typeof failures }>

interface NotesProps {
  readonly lead: Lead
  /** Undefined for people who don't call. */
  readonly call: CallState | undefined
  /** The call has its own note. */
  readonly isCalling: boolean
}

/** Notes and calls so far, newest first. */
export function Notes({ lead, call: state, isCalling }: NotesProps) {
  const times = useTimes()
  const both = useBothTimes()
  const { calls = [], place = null, people = [] } = state ?? {}
  const toast = useToast()
  const { name } = useSession()
  const action = useLeadAction(lead.id)
  const [text, setText] = useDraft(`${name} ${lead.id}`)
  const form = useRef<HTMLFormElement>(null)
  const isMounted = useIsMounted()
  const canAdd = lead.actions.includes('add note') && !isCalling
  const undone = new Set(calls.map(({ corrects }) => corrects))
  const kept = calls.filter(({ id, corrects }) => corrects === null && !undone.has(id))
  const entries = [
    ...lead.notes.map(note => ({ at: note.at, note, call: null })),
    ...kept.map(call => ({ at: call.savedAt, note: null, call })),
  ].toSorted((a, b) => b.at - a.at)

  async function run(request: NoteRequest) {
    try {
      await action.mutateAsync(request)
      // Keep what was typed while the note was being saved.
      if (request.action === 'add note') setText(typed => withoutStart(typed, request.text))
      else form.current?.querySelector('textarea')?.focus()
      toast({
        text: leadActions[request.action].done('now'),
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
  if (entries.length === 0 && !canAdd) return null
  return (
    <Card title={kept.length > 0 ? 'Calls and notes' : 'Notes'} className={entries.length === 0 ? 'print:hidden' : ''}>
      {entries.length === 0 ? null : (
        <ul className="mb-4 flex flex-col gap-3">
          {entries.map(({ note, call }) =>
            call ? (
              <li key={call.id} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3">
                <span className="font-bold">{call.incoming ? calledUs(call.outcome) : outcomeName(call.outcome)}</span>
                <About people={people} call={call} />
                <span className="text-small text-ink-soft">
                  {call.by}, {call.timeKnown ? '' : 'sometime before '}
                  {times.short(call.startedAt)} office time{call.atOldNumber ? ', at the old number' : ''}
                </span>
                {call.canUndo ? <UndoCall callId={call.id} /> : null}
                {call.callbackAt === null ? null : (
                  <span className="w-full text-small">Call back: {both(place, call.callbackAt)}</span>
                )}
                {call.overrideReason === null ? null : (
                  <span className="w-full text-small">Called outside the rules: {call.overrideReason}</span>
                )}
              </li>
            ) : (
              <li key={note.id} className="rounded-xl bg-mist p-3">
                <p className="whitespace-pre-wrap">{note.text}</p>
                <p className="mt-1 flex items-center justify-between gap-3 text-small text-ink-soft">
                  <span>
                    {note.by}, {times.short(note.at)} office time
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
            ),
          )}
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

function About(props: { readonly people: CallState['people']; readonly call: CallState['calls'][number] }) {
  const about = aboutWhom(props.people, props.call)
  return about === '' ? null : (
    <span className="w-full text-small">
      About <bdi>{about}</bdi>
    </span>
  )
}

const calledUs = (outcome: string) =>
  outcome in callOutcomes ? `Called us: ${outcomeName(outcome)}` : 'Called us, outcome unknown'

const withoutStart = (text: string, start: string) =>
  text.trimStart().startsWith(start) ? text.trimStart().slice(start.length).trimStart() : text
