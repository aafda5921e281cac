/** "What happened?": choosing doesn't save yet. Saving records the call and decides what follows. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { placeId } from '../../../../domain/calling/area-codes.ts'
import {
  type CallOutcomeName,
  callOutcomeNames,
  callOutcomes,
  isTry,
  OTHER_LANGUAGE,
  SOMEONE_ELSE,
} from '../../../../domain/calling/outcomes.ts'
import { languageName } from '../../../../domain/languages.ts'
import { MAX_NOTE_LENGTH } from '../../../limits.ts'
import { type CallState, type Lead, messageOf } from '../../client.ts'
import { useDraft } from '../../drafts.ts'
import { fullName } from '../../format/names.tsx'
import type { ListHistoryState } from '../../leads-url.ts'
import { navigate, useHistoryState } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useCtrlEnter } from '../../shell/shortcuts.tsx'
import { useToday } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AboutWhom, WhenCalled, WhichCall, WhoAsked } from './about-the-call.tsx'
import {
  AT_OUTCOME,
  callDraftKey,
  saveOutcome,
  setLanguage,
  skipCall,
  useCallNext,
  useCallsChanged,
  useUndoCall,
  useUnspoken,
  withdrawCall,
} from './call-queries.ts'
import { CallbackTime } from './callback-time.tsx'
import { addPerson } from './incoming-call.tsx'
import { useBothTimes } from './local-time.tsx'
import { OutcomeChoices } from './outcome-choices.tsx'
import {
  isElsewhere,
  keyOf,
  type Questions,
  questionsAbout,
  requestOf,
  type Said,
  useSaid,
  whatIsMissing,
} from './said.ts'
import { startedCall } from './situation.tsx'

type SavedCall = Extract<Awaited<ReturnType<typeof saveOutcome>>, { readonly kind: 'saved' }>

interface OutcomeFormProps {
  readonly lead: Lead
  readonly state: CallState
}

export function OutcomeForm({ lead, state }: OutcomeFormProps) {
  const both = useBothTimes()
  const toast = useToast()
  const { name, languages } = useSession()
  const isSpoken = languages.includes(state.language)
  const skipLabel = isSpoken ? 'Skip' : `Leave for someone who speaks ${languageName(state.language)}`
  const changed = useCallsChanged()
  const callNext = useCallNext()
  const list = useHistoryState<ListHistoryState>()?.list
  const undoCall = useUndoCall()
  const form = useRef<HTMLFormElement>(null)
  const [note, setNote] = useDraft(callDraftKey(name, lead.id))
  const { said, say: saySo, forget, key } = useSaid(lead.id, state)
  const { outcome } = said
  const [problem, setProblem] = useState<string | null>(null)
  function say(changes: Partial<Said>): void {
    // What was missing isn't any longer.
    setProblem(null)
    saySo(changes)
  }
  const today = useToday()
  const started = startedCall(state)
  const unspoken = useUnspoken()
  const possible = callOutcomeNames.filter(each => {
    if (each === OTHER_LANGUAGE) return unspoken !== undefined
    // Someone who calls us has answered.
    return !started?.incoming || !isTry(each)
  })
  const asks = questionsAbout(state, said)
  const ticked = state.people.filter(person => asks?.ticked.has(keyOf(person)))

  const save = useMutation({
    mutationFn: async ({ asks, next }: { readonly asks: Questions; readonly next: boolean }) => {
      const text = note.trim()
      if (asks.outcome === OTHER_LANGUAGE && isSpoken && unspoken) await setLanguage(lead.id, unspoken)
      return saveOutcome(lead.id, { ...requestOf(state, said, asks), ...(text !== '' && { note: text }), next })
    },
    onSuccess: (saved, { asks, next }) => {
      void changed()
      if (saved.kind === 'which call') return setProblem('Choose which call it was.')
      if (saved.kind !== 'saved') {
        const taken = saved.kind === 'claimed' ? `${saved.claim.name} has this call open now.` : saved.message
        const next = saved.kind === 'callback refused' ? saved.next : null
        return setProblem(next === null ? taken : `${taken} Next possible: ${both(state.place, next)}.`)
      }
      setNote('')
      forget()
      toast({
        text: `${whomText(asks)}: ${doneText(asks, saved)}.`,
        undo: () => undoCall(saved.callId),
        abovePage: true,
      })
      if (saved.nextLeadId !== null) navigate(`/leads/${saved.nextLeadId}`)
      else if (next || !list) navigate('/calls')
      else navigate(list.href, { state: { search: list.search } satisfies ListHistoryState })
      if (next && saved.nextLeadId === null) toast({ text: 'That was the last person to call for now.' })
    },
    onError: error => setProblem(messageOf(error)),
  })

  /** If it was about nobody, the page's person was asked for. */
  function whomText({ whom }: Questions): string {
    const about = whom ? ticked : state.people.slice(0, 1)
    return about.map(person => fullName(person)).join(', ') || 'Call'
  }

  function doneText({ outcome, time }: Questions, { isScheduled, isListed, next }: SavedCall): string {
    const { done, stops } = callOutcomes[outcome]
    if (!isScheduled) return 'Saved, but no callback is planned. Someone else talked to them, or they were erased'
    if (time && said.callbackAt !== null) return `${done}, ${both(state.place, said.callbackAt)}`
    if (isTry(outcome))
      return next ? `${done}. Next call: ${both(state.place, next.dueAt)}` : `${done}. No more calls planned`
    if (stops === null) return done
    return isListed ? `${done}, on the do-not-call list` : `${done}, not on the do-not-call list: someone else is there`
  }

  // Someone who just said that they didn't call can still log a call on another phone, but not by a key that they press too often.
  const [hasWithdrawn, setWithdrawn] = useState(false)
  function submit(next: boolean): void {
    if (save.isPending) return
    const missing = whatIsMissing(state, said, asks)
    setProblem(missing?.text ?? null)
    if (missing === null && asks !== null) save.mutate({ asks, next })
    else {
      const field = form.current?.querySelector<HTMLElement>(`[name^="${missing?.field}"]`)
      field?.focus()
      // Not below the buttons. A margin for scrolling would move the page at each click on an outcome, too.
      field?.scrollIntoView({ block: 'center' })
    }
  }
  function submitByKey(): void {
    if (hasWithdrawn && started === null)
      setProblem('You didn’t call. To save a call on another phone, use the buttons.')
    else submit(true)
  }
  useCtrlEnter(submitByKey)

  const leave = useMutation({
    mutationFn: () => (started === null ? skipCall(lead.id, !isSpoken) : withdrawCall(lead.id)),
    onSuccess: () => {
      void changed()
      setWithdrawn(started !== null)
      if (started !== null) return forget()
      const [asked] = state.people
      const whom = asked ? fullName(asked) : 'them'
      toast({
        text: isSpoken
          ? `You skipped ${whom}.`
          : `You left ${whom} for someone who speaks ${languageName(state.language)}.`,
      })
      callNext.mutate()
    },
    onError: error => setProblem(messageOf(error)),
  })

  function choose(chosen: CallOutcomeName): void {
    if (chosen === outcome) return
    // A wrong number asks who isn't there, the others who was meant.
    const isSameQuestion = outcome !== null && callOutcomes[chosen].stops === callOutcomes[outcome].stops
    say({ outcome: chosen, callbackAt: null, ...(isSameQuestion ? {} : { ticked: null, others: new Map() }) })
  }
  // Only for a problem. Scrolling after a choice would put another outcome under the mouse, where a double-click chooses it;
  // only the times to call back, which have to be chosen next, scroll into view.
  const saving = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem !== null) saving.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  useEffect(() => {
    if (location.hash === AT_OUTCOME) form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const hasFocus = useWindowFocus()

  return (
    <Card title="What happened?" className="print:hidden">
      <form
        id="outcome"
        ref={form}
        className="flex scroll-mt-14 flex-col gap-3"
        onSubmit={event => {
          event.preventDefault()
          submitByKey()
        }}
      >
        {state.situation.kind === 'left' ? (
          <WhichCall startedAt={state.situation.startedAt} at={state.at} value={said.which} onSay={say} />
        ) : null}
        <OutcomeChoices unspoken={unspoken} possible={possible} chosen={outcome} onChoose={choose} />
        {outcome === SOMEONE_ELSE ? (
          <div className="flex flex-wrap items-center gap-x-6">
            <Checkbox
              label={`They said when to call ${lead.contact?.firstName ?? 'the person'}`}
              checked={said.saidWhen}
              onChange={saidWhen => say({ saidWhen, callbackAt: null })}
            />
            <LinkButton
              onClick={() =>
                addPerson({
                  phone: state.phone,
                  language: state.language,
                  answered: { leadId: lead.id, said: key },
                })
              }
            >
              They want to apply, too
            </LinkButton>
          </div>
        ) : null}
        {asks?.client && lead.clientOn === null ? (
          <div className="flex flex-wrap items-center gap-x-6">
            <Checkbox
              label="They became a client"
              checked={said.client !== null}
              onChange={isClient => say({ client: isClient ? today : null })}
            />
            {said.client === null ? null : (
              <TextField
                label="On which day?"
                name="client"
                type="date"
                max={today}
                value={said.client}
                onChange={event => say({ client: event.target.value })}
              />
            )}
          </div>
        ) : null}
        {asks?.time ? (
          state.place ? (
            <CallbackTime
              key={placeId(state.place)}
              place={state.place}
              state={state}
              value={said.callbackAt}
              onChange={callbackAt => say({ callbackAt })}
            />
          ) : (
            <p className="font-bold text-error">
              Press Change next to “Time zone unknown” first, and choose their state.
            </p>
          )
        ) : null}
        {asks?.who ? <WhoAsked state={state} people={ticked} value={said.asked} onSay={say} /> : null}
        {asks?.whom ? (
          <AboutWhom state={state} outcome={asks.outcome} ticked={asks.ticked} others={said.others} onSay={say} />
        ) : null}
        {outcome === 'wrong number' && lead.replacedBy === null ? (
          <p className="text-small">
            If you get <bdi>{lead.contact?.firstName}</bdi>’s right number, press Correct under Contact. They have to
            say yes to it themselves.
          </p>
        ) : null}
        {outcome !== null && isElsewhere(state, said) ? (
          <WhenCalled state={state} value={said.calledAt} onSay={say} />
        ) : null}
        {/* It grows with what's typed: above the buttons on a laptop's screen, there's room for one line. */}
        <div className="[&_textarea]:field-sizing-content @min-[30rem]:[&>div]:flex @min-[30rem]:[&>div]:items-baseline @min-[30rem]:[&>div]:gap-3 @min-[30rem]:[&_label]:shrink-0">
          <TextArea
            label="Note (optional)"
            rows={1}
            maxLength={MAX_NOTE_LENGTH}
            value={note}
            onChange={event => setNote(event.target.value)}
          />
        </div>
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
          {/* Not the form's own button: Enter would press it. */}
          <Button kind="primary" busy={save.isPending} onClick={() => submit(true)}>
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

function watchFocus(listener: () => void): () => void {
  addEventListener('focus', listener)
  addEventListener('blur', listener)
  return () => {
    removeEventListener('focus', listener)
    removeEventListener('blur', listener)
  }
}

/** After dialing, the browser's question about the phone app, or the app itself, gets the keys. */
const useWindowFocus = () => useSyncExternalStore(watchFocus, () => document.hasFocus())
