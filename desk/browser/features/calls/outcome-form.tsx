/** "What happened?": choosing doesn't save yet. Saving records the call and decides what follows. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Place, placeId, states } from '../../../../domain/calling/area-codes.ts'
import { instantOf } from '../../../../domain/calling/local-time.ts'
import { type CallOutcomeName, callOutcomeNames, callOutcomes } from '../../../../domain/calling/outcomes.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type CallState, type Lead, messageOf } from '../../client.ts'
import { saveDraft, useDraft } from '../../drafts.ts'
import { fullName } from '../../format/names.tsx'
import { navigate } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { saveOutcome, skipCall, undoOutcome, useCallNext, useCallsChanged, withdrawCall } from './call-queries.ts'
import { useBothTimes } from './local-time.tsx'

const draftKey = (name: string, leadId: string) => `${name} call ${leadId}`

interface OutcomeFormProps {
  readonly lead: Lead
  readonly state: CallState
}

export function OutcomeForm({ lead, state }: OutcomeFormProps) {
  const times = useTimes()
  const both = useBothTimes(state.at)
  const toast = useToast()
  const { name } = useSession()
  const changed = useCallsChanged()
  const callNext = useCallNext()
  const form = useRef<HTMLFormElement>(null)
  const [note, setNote] = useDraft(draftKey(name, lead.id))
  const [outcome, setOutcome] = useState<CallOutcomeName | null>(null)
  const [callbackAt, setCallbackAt] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const asksTime = outcome !== null && callOutcomes[outcome].follows === 'callback'

  const save = useMutation({
    mutationFn: ({ next }: { readonly next: boolean }) => {
      const text = note.trim()
      return saveOutcome(lead.id, {
        outcome: outcome as CallOutcomeName,
        ...(asksTime && callbackAt !== null && { callbackAt }),
        ...(text !== '' && { note: text }),
        next,
      })
    },
    onSuccess: (saved, { next }) => {
      void changed()
      if (saved.kind !== 'saved') {
        const taken = saved.kind === 'claimed' ? `${saved.claim.name} has this call open now.` : saved.message
        return setProblem(
          `${taken}${saved.kind === 'callback refused' && saved.next !== null ? ` Next possible: ${times.near(saved.next, state.at)} our time.` : ''}`,
        )
      }
      setNote('')
      toast({
        text: `${lead.contact ? fullName(lead.contact) : 'Call'}: ${doneText(outcome as CallOutcomeName)}.`,
        undo: () => undo(saved.attemptId),
      })
      navigate(saved.nextLeadId === null ? '/calls' : `/leads/${saved.nextLeadId}`)
      if (next && saved.nextLeadId === null) toast({ text: 'That was the last person to call for now.' })
    },
    onError: error => setProblem(messageOf(error)),
  })

  function doneText(saved: CallOutcomeName): string {
    const { done, blocks } = callOutcomes[saved]
    if (asksTime && callbackAt !== null && state.place) return `${done}, ${both(state.place, callbackAt)}`
    return blocks.length > 0 ? `${done}, on the do-not-call list` : done
  }

  /** Back to the call, with its note as a draft. */
  async function undo(attemptId: string): Promise<void> {
    const { leadId, note: text } = await undoOutcome(attemptId)
    if (text) saveDraft(draftKey(name, leadId), text)
    await changed()
    navigate(`/leads/${leadId}`)
  }

  function submit(next: boolean): void {
    if (save.isPending) return
    const missing =
      outcome === null ? 'Choose what happened.' : asksTime && callbackAt === null ? 'Choose when to call back.' : null
    setProblem(missing)
    if (missing === null) save.mutate({ next })
    else form.current?.querySelector<HTMLInputElement>(`input[name="${asksTime ? 'callback' : 'outcome'}"]`)?.focus()
  }

  const leave = useMutation({
    mutationFn: () => (state.startedAt === null ? skipCall(lead.id) : withdrawCall(lead.id)),
    onSuccess: () => {
      void changed()
      if (state.startedAt === null) callNext.mutate()
    },
    onError: error => setProblem(messageOf(error)),
  })

  function choose(chosen: CallOutcomeName): void {
    setProblem(null)
    setOutcome(chosen)
  }
  useShortcuts(
    Object.fromEntries(
      callOutcomeNames.map(each => [
        callOutcomes[each].key,
        () => {
          choose(each)
          form.current?.querySelector<HTMLInputElement>(`input[value="${each}"]`)?.focus()
        },
      ]),
    ),
  )
  // What comes next is below what was just pressed, maybe below the screen.
  const saving = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (outcome !== null || problem !== null) saving.current?.scrollIntoView({ block: 'nearest' })
  }, [outcome, problem])
  const latest = useRef(submit)
  latest.current = submit
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      // Someone who holds the keys down isn't done with the next person, too.
      if (event.repeat) return
      latest.current(true)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])

  return (
    <Card title="What happened?" className="print:hidden">
      <form
        id="outcome"
        ref={form}
        className="flex scroll-mt-14 flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          submit(true)
        }}
      >
        <fieldset>
          <legend className="sr-only">What happened?</legend>
          <div className="grid gap-1.5 @min-[30rem]:grid-cols-2">
            {callOutcomeNames.map(each => (
              <label
                key={each}
                className="flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border border-edge bg-card px-3 py-1.5 font-bold hover:bg-mist has-checked:border-action has-checked:bg-sage has-checked:text-action-strong"
              >
                <input
                  type="radio"
                  name="outcome"
                  value={each}
                  checked={outcome === each}
                  className="size-5 shrink-0 accent-action"
                  onChange={() => choose(each)}
                />
                <span className="min-w-0 flex-1 leading-tight">
                  {callOutcomes[each].label}
                  <Blocked outcome={each} />
                </span>
                <Key name={callOutcomes[each].key} />
              </label>
            ))}
          </div>
        </fieldset>
        {asksTime ? (
          state.place ? (
            <CallbackTime
              key={placeId(state.place)}
              place={state.place}
              state={state}
              value={callbackAt}
              onChange={setCallbackAt}
            />
          ) : (
            <p className="font-bold text-error">Set where they are first, so we know their time.</p>
          )
        ) : null}
        <TextArea
          label="Note (optional)"
          rows={2}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        {problem === null ? null : <Problem title={problem} />}
        <div ref={saving} className="flex flex-wrap gap-2.5 max-sm:[&>*]:grow">
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save and next
            <kbd aria-hidden className="rounded-md border border-current px-1.5 font-mono text-small max-sm:hidden">
              Ctrl+Enter
            </kbd>
          </Button>
          <Button busy={save.isPending} onClick={() => submit(false)}>
            Save and stop
          </Button>
          <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
            {state.startedAt === null ? 'Skip' : 'I didn’t call'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** What goes on the do-not-call list, so nobody chooses it by mistake. */
function Blocked({ outcome }: { readonly outcome: CallOutcomeName }) {
  const { blocks } = callOutcomes[outcome]
  if (blocks.length === 0) return null
  return (
    <span className="block text-small font-normal">
      {blocks.includes('email') ? 'Goes' : 'Number goes'} on the do-not-call list
    </span>
  )
}

function Key({ name }: { readonly name: string | undefined }) {
  return (
    <kbd aria-hidden className="rounded-md border border-line px-2 font-mono text-small text-ink-soft max-sm:hidden">
      {name}
    </kbd>
  )
}

interface CallbackTimeProps {
  readonly place: Place
  readonly state: CallState
  readonly value: number | null
  readonly onChange: (at: number | null) => void
}

const OTHER = 'Pick a time'

/** After the outcomes' keys, which still work: someone may change their mind. */
export const callbackKeys = ['8', '9', '0', '-'] as const

/** In their local time, with ours beside it. */
function CallbackTime({ place, state, value, onChange }: CallbackTimeProps) {
  const both = useBothTimes(state.at)
  const choices = useRef<HTMLFieldSetElement>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [date, setDate] = useState('')
  const [time, setTime] = useState('')
  // What someone was promised must not change while the caller writes a note.
  const [offered] = useState(state.callbackChoices)
  // Nothing is chosen if this is shown again, after another outcome or for another place.
  useEffect(() => () => onChange(null), [onChange])
  function pick(newDate: string, newTime: string): void {
    setDate(newDate)
    setTime(newTime)
    const [hours = 0, minutes = 0] = newTime.split(':').map(Number)
    const isComplete = /^\d{4}-\d\d-\d\d$/.test(newDate) && newTime !== ''
    onChange(isComplete ? instantOf(place.zones[0], newDate, hours * 60 + minutes) : null)
  }
  const options = [
    ...offered.map(({ label, at }) => ({ label, detail: both(place, at), onChoose: () => onChange(at) })),
    { label: OTHER, detail: '', onChoose: () => pick(date, time) },
  ].map((option, index) => ({ ...option, key: callbackKeys[index] }))
  useShortcuts(
    Object.fromEntries(
      options.map(({ key }, index) => [
        key,
        () => {
          const radio = choices.current?.querySelectorAll('input')[index]
          radio?.focus()
          radio?.click()
        },
      ]),
    ),
  )
  const option = ({ label, detail, key, onChoose }: (typeof options)[number]) => (
    <label
      key={label}
      className="flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border border-edge bg-card px-3 py-1.5 hover:bg-mist has-checked:border-action has-checked:bg-sage"
    >
      <input
        type="radio"
        name="callback"
        checked={chosen === label}
        className="size-5 shrink-0 accent-action"
        onChange={() => {
          setChosen(label)
          onChoose()
        }}
      />
      <span className="min-w-0 flex-1">
        <span className="block font-bold">{label}</span>
        {detail === '' ? null : <span className="block text-small">{detail}</span>}
      </span>
      <Key name={key} />
    </label>
  )
  return (
    <fieldset ref={choices} className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-bold">When?</legend>
      {options.map(option)}
      {chosen === OTHER ? (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3 pt-1">
          <TextField label="Date" type="date" value={date} onChange={event => pick(event.target.value, time)} />
          <TextField
            label={`Time in ${states[place.state]}`}
            type="time"
            value={time}
            onChange={event => pick(date, event.target.value)}
          />
          <p role="status" className="col-span-full text-small">
            {value === null ? `Calls are allowed ${state.allowedHours}.` : both(place, value)}
          </p>
        </div>
      ) : null}
    </fieldset>
  )
}
