/** The call on a lead's page: the number, the time there, who has it open, and why it has to wait. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
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

export function CallCard({ lead, contact, state }: CallCardProps) {
  const { id: leadId } = lead
  const times = useTimes()
  const both = useBothTimes()
  const changed = useCallsChanged()
  const isEditor = useHasRole('editor')
  const { ignoresCallingHours } = useSession()
  const [dialog, setDialog] = useState<'override' | 'place' | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const { claim, block, closed, startedAt, call } = state
  const isTaken = claim !== null && !claim.mine
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
  const takeOver = useMutation({
    mutationFn: () => claimCall(leadId, true),
    onSuccess: result => {
      setRefused(result.kind === 'closed' ? result.message : null)
      void changed()
    },
  })
  const open = useMutation({ mutationFn: () => claimCall(leadId), onSuccess: changed })
  const take = useTakeCall()
  const isOpen = claim?.mine === true || startedAt !== null
  const undone = new Set(state.attempts.map(({ corrects }) => corrects))
  const [last] = state.attempts
    .filter(({ id, canUndo }) => canUndo && !undone.has(id))
    .toSorted((a, b) => b.savedAt - a.savedAt)
  // After the call, the next step is to say what happened.
  const callKind = startedAt === null ? 'primary' : 'secondary'
  // Above the number, so the outcomes don't move after dialing.
  const title =
    startedAt === null || state.incoming ? 'Call' : `You called at ${times.near(startedAt, state.at)} office time`
  const canDial = closed === null && !isTaken && block === null
  const dial = () => {
    if (!start.isPending) start.mutate(undefined)
  }
  useShortcuts({ ...(canDial && isOpen && startedAt === null && { Enter: dial }) })
  const failed = [start, takeOver, open, take].find(each => each.isError)?.error
  return (
    <Card title={title} aside={<LanguageChoice leadId={leadId} language={state.language} />}>
      <div className="flex flex-wrap items-center gap-2">
        {canDial ? (
          <Button
            kind={callKind}
            icon="phone"
            busy={start.isPending}
            className="min-h-14 px-5 text-title print:border-0 print:bg-transparent print:p-0 print:text-ink"
            onClick={() => start.mutate(undefined)}
          >
            Call {contact.phone}
            {startedAt === null ? (
              <kbd aria-hidden className="rounded-md border border-current px-1.5 font-mono text-small max-sm:hidden">
                Enter
              </kbd>
            ) : null}
          </Button>
        ) : (
          <p className="min-h-14 content-center text-title font-bold">{contact.phone}</p>
        )}
        <CopyButton text={contact.phone} what="the phone number" />
        <div className="min-w-0 leading-tight">
          <p className="font-bold">
            {localTimeLabel(state.place, state.at)}
            {state.place ? ', their time' : ''}
          </p>
          <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
            {state.placeHow}
            <LinkButton onClick={() => setDialog('place')}>
              Change<span className="sr-only"> where they are</span>
            </LinkButton>
          </p>
          {ignoresCallingHours ? <p className="text-small">This demo ignores calling hours.</p> : null}
        </div>
      </div>
      {state.incoming && startedAt !== null ? (
        <TheyCalledUs lead={lead} contact={contact} state={state} startedAt={startedAt} />
      ) : null}
      {last && !isOpen ? (
        <div className="mt-3 print:hidden">
          <p className="font-bold">
            You saved “{outcomeName(last.outcome)}” at {times.near(last.savedAt, state.at)} office time.
          </p>
          <UndoCall attemptId={last.id} />
        </div>
      ) : null}
      {call?.callback && call.ended === null ? (
        <p className="mt-3 font-bold">
          Callback promised{state.callbackBy === null ? '' : ` by ${state.callbackBy}`} for{' '}
          {both(state.place, call.callback.at)}
          {lateness(call.callback.at, state.at)}.
        </p>
      ) : null}
      {call?.preferred && call.ended === null ? (
        <p className="mt-3 font-bold">
          They asked for the first call after {both(state.place, call.preferred.from)}. We said we’d try.
        </p>
      ) : null}
      {state.otherNumbers.length === 0 ? null : (
        <p className="mt-3 text-small">
          The same person also asked for a call at{' '}
          {state.otherNumbers.map(({ leadId: id, phone }, index) => (
            <span key={id}>
              {index === 0 ? '' : ', '}
              <Link href={`/leads/${id}`} className="underline underline-offset-4">
                {phone}
              </Link>
            </span>
          ))}
          . Moving forward, Not interested, and Never call again count for those requests, too.
        </p>
      )}
      <div role="status" className="mt-3 flex flex-col gap-3 empty:mt-0 print:hidden">
        {isTaken ? (
          <Callout
            tone="waiting"
            icon="account"
            title={`${claim.name} has had this call open since ${times.near(claim.since, state.at)} office time`}
          >
            <p className="mb-2">You can read this page. Take over only if {claim.name} isn’t on the phone.</p>
            <Button busy={takeOver.isPending} onClick={() => takeOver.mutate()}>
              Take over
            </Button>
          </Callout>
        ) : null}
        {closed !== null ? <Callout tone="calm" icon="phone-off" title={closed} /> : null}
        {closed === null && !isTaken && block !== null && startedAt === null ? (
          <Callout tone="waiting" icon="clock" title={block.message}>
            {block.next === null ? null : <p>Next: {both(state.place, block.next)}.</p>}
            {isEditor ? (
              <Button className="mt-2" onClick={() => setDialog('override')}>
                Call anyway…
              </Button>
            ) : null}
          </Callout>
        ) : null}
        {refused === null || block !== null ? null : <Problem title={refused} />}
        {failed && dialog === null ? <Problem title="That didn’t work">{messageOf(failed)}</Problem> : null}
      </div>
      <div className="mt-3 flex flex-wrap gap-2 empty:mt-0 print:hidden">
        {closed === null && !isTaken && !isOpen ? (
          <Button busy={open.isPending} onClick={() => open.mutate()}>
            {last ? 'Log another call' : 'Log a call'}
          </Button>
        ) : null}
        {lead.state === 'accepted' && !isOpen ? (
          <Button busy={take.isPending} onClick={() => take.mutate(leadId)}>
            They called us
          </Button>
        ) : null}
      </div>
      {isOpen ? (
        // On phones, both are in reach wherever the page is scrolled.
        <div
          data-call-bar
          className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2 border-t border-line bg-raised p-2 sm:hidden print:hidden [body:has(#outcome_input:checked)_&]:hidden"
        >
          {canDial ? (
            <Button kind={callKind} icon="phone" busy={start.isPending} onClick={() => start.mutate(undefined)}>
              Call
            </Button>
          ) : null}
          <Button
            kind={startedAt === null ? 'secondary' : 'primary'}
            onClick={() => document.querySelector('#outcome')?.scrollIntoView()}
          >
            What happened?
          </Button>
        </div>
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
