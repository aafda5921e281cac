/** The call on a lead's page: the number, the time there, who is on it, and the situation that it's in. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { type CallLanguage, callLanguages } from '../../../../domain/calling/list.ts'
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { languageName } from '../../../../domain/languages.ts'
import { type CallState, type Lead, messageOf } from '../../client.ts'
import { bornOn } from '../../format/birth-date.ts'
import { fullName } from '../../format/names.tsx'
import { Link } from '../../router.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ConfirmDialog, useReason } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Callout, Problem } from '../../ui/placeholders.tsx'
import { claimCall, setLanguage, setPlace, startCall, useCallsChanged, usePlaces } from './call-queries.ts'
import { addPerson, useTakeCall } from './incoming-call.tsx'
import { lateness, localTimeLabel, useBothTimes } from './local-time.tsx'
import { UndoCall } from './undo-call.tsx'

type Contact = NonNullable<Lead['contact']>

interface CallCardProps {
  readonly lead: Lead
  readonly contact: Contact
  readonly state: CallState
}

/** Enter dials once someone has had time to read whom: pressed again and again on the list, it opens a call and stops there. */
const READ_MS = 1000

function useHasBeenShown(leadId: string): boolean {
  const [shown, setShown] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setShown(leadId), READ_MS)
    return () => clearTimeout(timer)
  }, [leadId])
  return shown === leadId
}

export function CallCard({ lead, contact, state }: CallCardProps) {
  const { id: leadId } = lead
  const times = useTimes()
  const changed = useCallsChanged()
  const [dialog, setDialog] = useState<'override' | 'place' | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const { situation, block, closed, startedAt } = state
  const start = useMutation({
    mutationFn: (reason?: string) => startCall(leadId, reason),
    onSuccess: result => {
      setDialog(null)
      setRefused(result.kind === 'closed' || result.kind === 'blocked' ? result.message : null)
      // The server recorded the start first: it decides whether the call is allowed.
      if (result.kind === 'started') location.assign(contact.tel)
      void changed()
    },
  })
  const isOpen = isOpenCall(state)
  const isRead = useHasBeenShown(leadId)
  const canDial = closed === null && situation.kind !== 'taken' && block === null
  const dial = () => {
    if (!start.isPending) start.mutate(undefined)
  }
  useShortcuts({ ...(canDial && isOpen && startedAt === null && isRead && { Enter: dial }) })
  // Above the number, so the outcomes don't move after dialing.
  const title =
    startedAt === null || state.incoming ? 'Call' : `You called at ${times.near(startedAt, state.at)} office time`
  return (
    <Card title={title} aside={<LanguageChoice leadId={leadId} language={state.language} />}>
      <div className="flex flex-wrap items-center gap-2">
        {canDial ? (
          <Button
            // After the call, the next step is to say what happened.
            kind={startedAt === null ? 'primary' : 'secondary'}
            icon="phone"
            busy={start.isPending}
            className="min-h-14 px-5 text-title print:border-0 print:bg-transparent print:p-0 print:text-ink"
            onClick={dial}
          >
            Call {contact.phone}
            {startedAt === null && isRead ? (
              <kbd aria-hidden className="rounded-md border border-current px-1.5 font-mono text-small max-sm:hidden">
                Enter
              </kbd>
            ) : null}
          </Button>
        ) : (
          <p className="min-h-14 content-center text-title font-bold">{contact.phone}</p>
        )}
        <CopyButton text={contact.phone} what="the phone number" />
        <Whereabouts state={state} onChange={() => setDialog('place')} />
      </div>
      {state.incoming && startedAt !== null ? (
        <TheyCalledUs lead={lead} contact={contact} state={state} startedAt={startedAt} />
      ) : null}
      <EveryoneHere state={state} />
      <div role="status" className="mt-3 flex flex-col gap-3 empty:mt-0 print:hidden">
        <Situation lead={lead} state={state} onOverride={() => setDialog('override')} />
        {refused === null || block !== null ? null : <Problem title={refused} />}
        {start.isError && dialog === null ? <Problem title="That didn’t work">{messageOf(start.error)}</Problem> : null}
      </div>
      <OpenButtons lead={lead} state={state} />
      {isOpen ? (
        <CallBar canDial={canDial} hasCalled={startedAt !== null} busy={start.isPending} onDial={dial} />
      ) : null}
      {dialog === 'override' ? (
        <Override
          text={block?.message ?? ''}
          busy={start.isPending}
          failed={start.isError ? messageOf(start.error) : null}
          onConfirm={reason => start.mutate(reason)}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'place' ? <PlaceDialog leadId={leadId} state={state} onClose={() => setDialog(null)} /> : null}
    </Card>
  )
}

/** This person can say what happened. */
export const isOpenCall = ({ situation: { kind } }: CallState): boolean =>
  kind === 'open' || kind === 'begun' || kind === 'left'

interface WhereaboutsProps {
  readonly state: CallState
  readonly onChange: () => void
}

function Whereabouts({ state, onChange }: WhereaboutsProps) {
  const { ignoresCallingHours } = useSession()
  return (
    <div className="min-w-0 leading-tight">
      <p className="font-bold">
        {localTimeLabel(state.place, state.at)}
        {state.place ? ', their time' : ''}
      </p>
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
        {state.placeHow}
        <LinkButton onClick={onChange}>
          Change<span className="sr-only"> where they are</span>
        </LinkButton>
      </p>
      {ignoresCallingHours ? <p className="text-small">This demo ignores calling hours.</p> : null}
    </div>
  )
}

/** Whoever is on the number may pick up. One person alone has a heading with their name already. */
function EveryoneHere({ state }: { readonly state: CallState }) {
  const { people } = state
  const standing = useStanding(state)
  return (
    <ul className="mt-3 flex flex-col gap-1 empty:mt-0">
      {people.map((person, index) => {
        const text = standing(person)
        const isNamed = people.length > 1
        if (!isNamed && text === null && person.otherNumbers.length === 0) return null
        return (
          <li key={person.leads[0]}>
            {isNamed ? <bdi className={index === 0 ? 'font-bold' : ''}>{fullName(person)}</bdi> : null}
            {isNamed && text !== null ? ': ' : ''}
            <span className={isNamed ? '' : 'font-bold'}>{text}</span>
            <OtherNumbers person={person} />
          </li>
        )
      })}
    </ul>
  )
}

type Person = CallState['people'][number]

function OtherNumbers({ person: { otherNumbers } }: { readonly person: Person }) {
  if (otherNumbers.length === 0) return null
  return (
    <span className="block text-small">
      Also asked for a call at{' '}
      {otherNumbers.map(({ leadId: id, phone }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link href={`/leads/${id}`} className="underline underline-offset-4">
            {phone}
          </Link>
        </span>
      ))}
      . Moving forward, Not interested, and Never call again count for those requests, too.
    </span>
  )
}

/** Where calling someone stands. */
function useStanding({ place, at }: CallState) {
  const both = useBothTimes()
  return ({ call: { kind, promise, preferred, tries, ended } }: Person): string | null => {
    if (promise && ended === null)
      return `Callback promised by ${promise.by} for ${both(place, promise.at)}${lateness(promise.at, at)}.`
    if (ended !== null) return `${outcomeName(ended)}.`
    if (preferred) return `Asked for the first call after ${both(place, preferred.from)}. We said we’d try.`
    if (kind === 'retry') return `Tried ${tries === 1 ? 'once' : `${tries} times`}.`
    return kind === 'new' ? 'Not called yet.' : null
  }
}

interface SituationProps {
  readonly lead: Lead
  readonly state: CallState
  readonly onOverride: () => void
}

/** Why nobody can dial right now, or what was done. */
function Situation({ lead, state, onOverride }: SituationProps) {
  const { situation } = state
  switch (situation.kind) {
    case 'taken':
      return <Taken leadId={lead.id} by={situation.by} since={situation.since} at={state.at} />
    case 'closed':
      return <Callout tone="calm" icon="phone-off" title={situation.message} />
    case 'saved':
      return <SavedCall state={state} {...situation} />
    case 'begun':
      return null
    case 'blocked':
    case 'open':
    case 'left':
    case 'free':
      return state.closed === null && state.block !== null ? (
        <Blocked state={state} block={state.block} onOverride={onOverride} />
      ) : null
  }
}

interface TakenProps {
  readonly leadId: string
  readonly by: string
  readonly since: number
  readonly at: number
}

function Taken({ leadId, by, since, at }: TakenProps) {
  const times = useTimes()
  const changed = useCallsChanged()
  const takeOver = useMutation({ mutationFn: () => claimCall(leadId, true), onSuccess: () => void changed() })
  const refused = takeOver.data?.kind === 'closed' ? takeOver.data.message : null
  return (
    <Callout
      tone="waiting"
      icon="account"
      title={`${by} has had this call open since ${times.near(since, at)} office time`}
    >
      <p className="mb-2">You can read this page. Take over only if {by} isn’t on the phone.</p>
      <Button busy={takeOver.isPending} onClick={() => takeOver.mutate()}>
        Take over
      </Button>
      {refused === null ? null : <Problem title={refused} />}
      {takeOver.isError ? <Problem title="That didn’t work">{messageOf(takeOver.error)}</Problem> : null}
    </Callout>
  )
}

interface BlockedProps {
  readonly state: CallState
  readonly block: NonNullable<CallState['block']>
  readonly onOverride: () => void
}

function Blocked({ state, block, onOverride }: BlockedProps) {
  const both = useBothTimes()
  const isEditor = useHasRole('editor')
  return (
    <Callout tone="waiting" icon="clock" title={block.message}>
      {block.next === null ? null : <p>Next: {both(state.place, block.next)}.</p>}
      {isEditor ? (
        <Button className="mt-2" onClick={onOverride}>
          Call anyway…
        </Button>
      ) : null}
    </Callout>
  )
}

interface SavedCallProps {
  readonly state: CallState
  readonly attemptId: string
  readonly outcome: string
  readonly at: number
}

function SavedCall({ state, attemptId, outcome, at }: SavedCallProps) {
  const times = useTimes()
  return (
    <div>
      <p className="font-bold">
        You saved “{outcomeName(outcome)}” at {times.near(at, state.at)} office time.
      </p>
      <UndoCall attemptId={attemptId} />
      {state.closed === null ? null : <Callout tone="calm" icon="phone-off" title={state.closed} />}
    </div>
  )
}

/** For a call on another phone, or one that comes in. */
function OpenButtons({ lead, state }: { readonly lead: Lead; readonly state: CallState }) {
  const changed = useCallsChanged()
  const open = useMutation({ mutationFn: () => claimCall(lead.id), onSuccess: changed })
  const take = useTakeCall()
  const { situation, closed } = state
  const failed = [open, take].find(each => each.isError)?.error
  const isOpen = isOpenCall(state)
  return (
    <div className="mt-3 flex flex-wrap gap-2 empty:mt-0 print:hidden">
      {closed === null && situation.kind !== 'taken' && !isOpen ? (
        <Button busy={open.isPending} onClick={() => open.mutate()}>
          {situation.kind === 'saved' ? 'Log another call' : 'Log a call'}
        </Button>
      ) : null}
      {lead.state === 'accepted' && (!isOpen || situation.kind === 'left') ? (
        <Button busy={take.isPending} onClick={() => take.mutate(lead.id)}>
          They called us
        </Button>
      ) : null}
      {failed ? <Problem title="That didn’t work">{messageOf(failed)}</Problem> : null}
    </div>
  )
}

interface CallBarProps {
  readonly canDial: boolean
  readonly hasCalled: boolean
  readonly busy: boolean
  readonly onDial: () => void
}

/** On phones, both are in reach wherever the page is scrolled. */
function CallBar({ canDial, hasCalled, busy, onDial }: CallBarProps) {
  return (
    <div
      data-call-bar
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2 border-t border-line bg-raised p-2 sm:hidden print:hidden [body:has(#outcome_input:checked)_&]:hidden"
    >
      {canDial ? (
        <Button kind={hasCalled ? 'secondary' : 'primary'} icon="phone" busy={busy} onClick={onDial}>
          Call
        </Button>
      ) : null}
      <Button
        kind={hasCalled ? 'primary' : 'secondary'}
        onClick={() => document.querySelector('#outcome')?.scrollIntoView()}
      >
        What happened?
      </Button>
    </div>
  )
}

interface TheyCalledUsProps extends CallCardProps {
  readonly startedAt: number
}

/** Anyone can call from a number, or pretend to: who it is comes first. */
function TheyCalledUs({ lead, contact, state, startedAt }: TheyCalledUsProps) {
  const times = useTimes()
  const { name } = useSession()
  const { firstName, lastName, email, dateOfBirth, phone } = contact
  const { language } = state
  const at = times.near(startedAt, state.at)
  // They have just said who they are.
  if (lead.consentTakenBy === name && startedAt - lead.receivedAt < 60_000) {
    return <p className="mt-3 font-bold text-action-strong print:hidden">They called us at {at} office time.</p>
  }
  return (
    <div className="mt-3 print:hidden">
      <Callout tone="waiting" icon="account" title={`They called us at ${at} office time. Check who it is first.`}>
        <p>
          Ask for their full name{dateOfBirth === '' ? '' : ' and date of birth'}. Don’t share or confirm anything until{' '}
          {dateOfBirth === '' ? 'it matches' : 'both match'}: <bdi className="font-bold">{fullName(contact)}</bdi>
          {dateOfBirth === '' ? '' : `, born ${bornOn(dateOfBirth)}`}.
        </p>
        <p className="flex flex-wrap gap-x-4">
          <LinkButton onClick={() => addPerson({ phone })}>Someone else is calling</LinkButton>
          {state.closed === null ? null : (
            <LinkButton onClick={() => addPerson({ firstName, lastName, email, dateOfBirth, phone, language })}>
              They want to be called again
            </LinkButton>
          )}
        </p>
      </Callout>
    </div>
  )
}

function LinkButton({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className="min-h-8 font-bold text-action-strong underline underline-offset-4 print:hidden"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

interface OverrideProps {
  readonly text: string
  readonly busy: boolean
  readonly failed: string | null
  readonly onConfirm: (reason: string) => void
  readonly onClose: () => void
}

function Override({ text, onConfirm, ...rest }: OverrideProps) {
  const reason = useReason()
  return (
    <ConfirmDialog
      {...rest}
      title="Call anyway"
      button="Call"
      kind="danger"
      icon="phone"
      onConfirm={() => {
        const given = reason.check()
        if (given !== null) onConfirm(given)
      }}
    >
      <p>
        {text} A call outside the rules can lead to claims of up to $500 a call, or $1,500 if willful. Your reason is
        recorded.
      </p>
      {reason.field}
    </ConfirmDialog>
  )
}

interface PlaceDialogProps {
  readonly leadId: string
  readonly state: CallState
  readonly onClose: () => void
}

const AREA_CODE = ''

function PlaceDialog({ leadId, state, onClose }: PlaceDialogProps) {
  const changed = useCallsChanged()
  const places = usePlaces().data ?? []
  const [chosen, setChosen] = useState(state.chosenPlace ?? AREA_CODE)
  const save = useMutation({
    mutationFn: () => setPlace(leadId, chosen === AREA_CODE ? null : chosen),
    onSuccess: () => {
      onClose()
      void changed()
    },
  })
  return (
    <ConfirmDialog
      title="Where are they?"
      button="Save"
      busy={save.isPending}
      failed={save.isError ? messageOf(save.error) : null}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <p>People keep their number when they move. This applies to every lead with this number.</p>
      <Select
        label="State"
        value={chosen}
        choices={[[AREA_CODE, 'Use the area code'], ...places.map(({ id, label }) => [id, label] as const)]}
        onChoose={setChosen}
      />
    </ConfirmDialog>
  )
}

function LanguageChoice({ leadId, language }: { readonly leadId: string; readonly language: string }) {
  const changed = useCallsChanged()
  const change = useMutation({ mutationFn: (to: CallLanguage) => setLanguage(leadId, to), onSuccess: changed })
  return (
    <div className="-my-2 w-52 max-w-full [&>div]:flex [&>div]:items-center [&>div]:gap-3 [&_label]:mb-0 [&_label]:shrink-0">
      <Select
        label="Speaks"
        value={language}
        choices={callLanguages.map(each => [each, languageName(each)] as const)}
        onChoose={to => change.mutate(to as CallLanguage)}
      />
      {change.isError ? <p className="font-bold text-error">{messageOf(change.error)}</p> : null}
    </div>
  )
}
