/** "What happened?": choosing doesn't save yet. Saving records the call and decides what follows. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { placeId } from '../../../../domain/calling/area-codes.ts'
import {
  type CallOutcomeName,
  callOutcomeNames,
  callOutcomes,
  tickedAtFirst,
} from '../../../../domain/calling/outcomes.ts'
import { languageName } from '../../../../domain/languages.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type CallOutcomeRequest, type CallState, type Lead, messageOf } from '../../client.ts'
import { useDraft } from '../../drafts.ts'
import { fullName } from '../../format/names.tsx'
import { navigate } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Key, QUIET_KEY } from '../../ui/key.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AboutWhom, type Asked, keyOf, type OtherOutcome, WhenCalled, WhichCall, WhoAsked } from './about-the-call.tsx'
import {
  callDraftKey,
  saveOutcome,
  skipCall,
  useCallNext,
  useCallsChanged,
  useUndoCall,
  withdrawCall,
} from './call-queries.ts'
import { CallbackTime } from './callback-time.tsx'
import { useBothTimes } from './local-time.tsx'
import { startedCall } from './situation.tsx'

interface OutcomeFormProps {
  readonly lead: Lead
  readonly state: CallState
  /** What's chosen, but not saved. What to say depends on it. */
  readonly outcome: CallOutcomeName | null
  readonly onChoose: (outcome: CallOutcomeName | null) => void
}

export function OutcomeForm({ lead, state, outcome, onChoose }: OutcomeFormProps) {
  const both = useBothTimes()
  const toast = useToast()
  const { name, languages } = useSession()
  const isSpoken = languages.includes(state.language)
  const skipLabel = isSpoken ? 'Skip' : `Leave for someone who speaks ${languageName(state.language)}`
  const changed = useCallsChanged()
  const callNext = useCallNext()
  const undoCall = useUndoCall()
  const form = useRef<HTMLFormElement>(null)
  const [note, setNote] = useDraft(callDraftKey(name, lead.id))
  const [callbackAt, setCallbackAt] = useState<number | null>(null)
  const [tickedByHand, setTicked] = useState<ReadonlySet<string> | null>(null)
  const [others, setOthers] = useState<ReadonlyMap<string, OtherOutcome>>(new Map())
  const [asked, setAsked] = useState<Asked>('person')
  const [which, setWhich] = useState<'left' | 'another' | null>(null)
  const [calledAt, setCalledAt] = useState<number | null | undefined>(undefined)
  const [problem, setProblem] = useState<string | null>(null)
  const started = startedCall(state)
  // Someone who calls us has answered.
  const possible = callOutcomeNames.filter(each => !started?.incoming || callOutcomes[each].follows !== 'retry')
  const asksTime = outcome !== null && callOutcomes[outcome].follows === 'callback'
  const asksWho = outcome !== null && callOutcomes[outcome].stops === 'who asked'
  const isAnyone = asksWho && asked === 'whoever answered'
  const left = state.situation.kind === 'left' ? state.situation : null
  // If nobody was reached, it's about everyone on the number.
  const asksWhom = outcome !== null && state.people.length > 1 && callOutcomes[outcome].follows !== 'retry' && !isAnyone
  const ticked = tickedByHand ?? new Set(outcome === null ? [] : tickedAtFirst(state.people, outcome).map(keyOf))
  const isElsewhere = started === null && which !== 'left'
  const leadsOf = (keys: ReadonlySet<string>) =>
    state.people.filter(person => keys.has(keyOf(person))).flatMap(({ leads }) => leads)

  function outcomes(): CallOutcomeRequest['outcomes'] {
    const first = {
      outcome: outcome as CallOutcomeName,
      leads: isAnyone ? [] : leadsOf(ticked),
      ...(asksTime && callbackAt !== null && { callbackAt }),
      ...(asksWho && { asked }),
    }
    const rest = asksWhom ? [...others] : []
    return [
      first,
      ...rest.map(([key, { outcome: said, callbackAt: at }]) => ({
        outcome: said,
        leads: leadsOf(new Set([key])),
        ...(at !== null && { callbackAt: at }),
      })),
    ]
  }

  const save = useMutation({
    mutationFn: ({ next }: { readonly next: boolean }) => {
      const text = note.trim()
      return saveOutcome(lead.id, {
        outcomes: outcomes(),
        ...(text !== '' && { note: text }),
        // The lead may be erased during the call, but a request to stop still counts.
        phone: state.phone,
        ...(isElsewhere && calledAt !== undefined && { calledAt }),
        ...(which !== null && { which }),
        next,
      })
    },
    onSuccess: (saved, { next }) => {
      void changed()
      if (saved.kind === 'which call') return setProblem('Choose which call it was.')
      if (saved.kind !== 'saved') {
        const taken = saved.kind === 'claimed' ? `${saved.claim.name} has this call open now.` : saved.message
        const next = saved.kind === 'callback refused' ? saved.next : null
        return setProblem(next === null ? taken : `${taken} Next possible: ${both(state.place, next)}.`)
      }
      setNote('')
      toast({
        text: `${whomText()}: ${doneText(outcome as CallOutcomeName, saved.isScheduled)}.`,
        undo: () => undoCall(saved.attemptId),
        abovePage: true,
      })
      navigate(saved.nextLeadId === null ? '/calls' : `/leads/${saved.nextLeadId}`)
      if (next && saved.nextLeadId === null) toast({ text: 'That was the last person to call for now.' })
    },
    onError: error => setProblem(messageOf(error)),
  })

  /** If it was about nobody, the page's person was asked for. */
  function whomText(): string {
    const about = asksWhom ? state.people.filter(person => ticked.has(keyOf(person))) : state.people.slice(0, 1)
    return about.map(person => fullName(person)).join(', ') || 'Call'
  }

  function doneText(saved: CallOutcomeName, isScheduled: boolean): string {
    const { done, stops } = callOutcomes[saved]
    if (!isScheduled) return 'Saved, but no callback is planned. Someone else talked to them, or they were erased'
    if (asksTime && callbackAt !== null) return `${done}, ${both(state.place, callbackAt)}`
    return stops === 'who asked' ? `${done}, on the do-not-call list` : done
  }

  function whatIsMissing(): string | null {
    if (left && which === null) return 'Choose which call it was.'
    if (outcome === null) return 'Choose what happened.'
    const isPending =
      asksWhom && [...others.values()].some(other => other.outcome === 'call back' && other.callbackAt === null)
    if ((asksTime && callbackAt === null) || isPending) return 'Choose when to call back.'
    const isAboutNobody = callOutcomes[outcome].follows !== 'retry' && !isAnyone && ticked.size === 0
    return isAboutNobody ? 'Choose who this call was about.' : null
  }

  function submit(next: boolean): void {
    if (save.isPending) return
    const missing = whatIsMissing()
    setProblem(missing)
    if (missing === null) save.mutate({ next })
    else form.current?.querySelector<HTMLInputElement>(`input[name="${asksTime ? 'callback' : 'outcome'}"]`)?.focus()
  }

  const leave = useMutation({
    mutationFn: () => (started === null ? skipCall(lead.id, !isSpoken) : withdrawCall(lead.id)),
    onSuccess: () => {
      void changed()
      if (started === null) callNext.mutate()
    },
    onError: error => setProblem(messageOf(error)),
  })

  function choose(chosen: CallOutcomeName): void {
    setProblem(null)
    // A wrong number asks who isn't there, the others who was meant.
    if (outcome === null || callOutcomes[chosen].stops !== callOutcomes[outcome].stops) {
      setTicked(null)
      setOthers(new Map())
    }
    onChoose(chosen)
  }
  useShortcuts(
    Object.fromEntries(
      possible.map(each => [
        callOutcomes[each].key,
        () => {
          choose(each)
          form.current?.querySelector<HTMLInputElement>(`input[value="${each}"]`)?.focus()
        },
      ]),
    ),
  )
  // Nothing is chosen if the form is shown again, after Undo.
  useEffect(() => () => onChoose(null), [onChoose])
  // Only for a problem. Scrolling after a choice would put another outcome under the mouse, where a double-click chooses it;
  // only the times to call back, which have to be chosen next, scroll into view.
  const saving = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem !== null) saving.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  // What was missing isn't any longer.
  useEffect(() => {
    if (callbackAt !== null) setProblem(null)
  }, [callbackAt])
  const hasFocus = useWindowFocus()
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
            {possible.map(each => (
              <label
                key={each}
                // An odd one takes the whole last row.
                className="flex min-h-13 cursor-pointer items-center gap-3 rounded-lg border border-edge bg-card px-3 py-1.5 font-bold last:odd:col-span-full hover:bg-mist has-checked:border-action has-checked:bg-sage has-checked:text-action-strong"
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
                  <Ends outcome={each} />
                </span>
                <Key name={callOutcomes[each].key} className={QUIET_KEY} />
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
            <p className="font-bold text-error">
              Press Change next to “Time zone unknown” first, and choose their state.
            </p>
          )
        ) : null}
        {asksWho ? (
          <WhoAsked
            state={state}
            people={state.people.filter(person => ticked.has(keyOf(person)))}
            value={asked}
            onChange={setAsked}
          />
        ) : null}
        {asksWhom ? (
          <AboutWhom
            state={state}
            outcome={outcome}
            ticked={ticked}
            onTick={setTicked}
            others={others}
            onOther={(key, other) => {
              const next = new Map(others)
              if (other) next.set(key, other)
              else next.delete(key)
              setOthers(next)
            }}
          />
        ) : null}
        {left ? <WhichCall startedAt={left.startedAt} at={state.at} value={which} onChange={setWhich} /> : null}
        {isElsewhere && outcome !== null ? <WhenCalled state={state} value={calledAt} onChange={setCalledAt} /> : null}
        <TextArea
          label="Note (optional)"
          rows={2}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={event => setNote(event.target.value)}
        />
        {started === null || hasFocus ? null : (
          <p className="text-small max-sm:hidden">
            To use the keyboard here, click this page first. If your browser asks to open your phone app, answer that.
          </p>
        )}
        <div
          ref={saving}
          // In sight below the outcomes, also on a small screen. With large text, it would leave no room for them. On phones,
          // the bar with the number is above it until an outcome is chosen.
          className="sticky bottom-0 z-1 -mx-[min(1rem,16px)] -mb-[min(1rem,16px)] flex flex-wrap gap-[min(0.625rem,10px)] rounded-b-2xl border-t border-line bg-card px-[min(1rem,16px)] py-2.5 max-sm:[&>*]:grow max-sm:[&>*]:px-2 sm:-mx-[min(1.25rem,20px)] sm:-mb-[min(1.25rem,20px)] sm:px-[min(1.25rem,20px)] @max-[15rem]:static [@media(max-height:30rem)]:static"
        >
          {problem === null ? null : (
            <div className="w-full">
              <Problem title={problem} />
            </div>
          )}
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save and next
            <Key name="Ctrl+Enter" />
          </Button>
          <Button busy={save.isPending} onClick={() => submit(false)}>
            Save and stop
          </Button>
          <Button kind="quiet" busy={leave.isPending} onClick={() => leave.mutate()}>
            {started === null ? skipLabel : started.incoming ? 'Not them, or no call' : 'I didn’t call'}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** After dialing, the browser's question about the phone app, or the app itself, gets the keys. */
function useWindowFocus(): boolean {
  const [hasFocus, setFocus] = useState(() => document.hasFocus())
  useEffect(() => {
    const update = () => setFocus(document.hasFocus())
    addEventListener('focus', update)
    addEventListener('blur', update)
    return () => {
      removeEventListener('focus', update)
      removeEventListener('blur', update)
    }
  }, [])
  return hasFocus
}

/** What ends calling, or goes on the do-not-call list, so nobody chooses it by mistake. */
function Ends({ outcome }: { readonly outcome: CallOutcomeName }) {
  const { stops, follows } = callOutcomes[outcome]
  if (follows !== 'end') return null
  return <span className="block text-small font-normal">{ends[stops ?? 'nothing']}</span>
}

const ends = {
  nothing: 'No more calls',
  'if nobody is there': 'No more calls; if nobody else is there, on the do-not-call list',
  'who asked': 'Goes on the do-not-call list',
} as const
