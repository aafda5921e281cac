/** What someone can do with a call: one component for each situation that it can be in. */
import { useMutation } from '@tanstack/react-query'
import { callOutcomes, isTry, outcomeName } from '../../../../domain/calling/outcomes.ts'
import type { CallState, Lead } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { useHasRole } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, type SharedDialogProps, useReason } from '../../ui/dialog.tsx'
import { Callout, Failed, Problem } from '../../ui/placeholders.tsx'
import { claimCall, useCallsChanged } from './call-queries.ts'
import { useTakeCall } from './incoming-call.tsx'
import { UndoCall } from './undo-call.tsx'

type SituationOf<Kind> = Extract<CallState['situation'], { readonly kind: Kind }>

/** The agent started it, or has it open, and can say what happened. */
export const isOpenCall = ({ situation: { kind } }: CallState): boolean =>
  kind === 'open' || kind === 'started' || kind === 'left'

/** The call that the agent dialed or took, if they haven't said what happened. */
export const startedCall = ({ situation }: CallState): SituationOf<'started'> | null =>
  situation.kind === 'started' ? situation : null

interface SituationProps {
  readonly lead: Lead
  readonly state: CallState
  readonly onOverride: () => void
}

export function Situation({ lead, state, onOverride }: SituationProps) {
  const isEditor = useHasRole('editor')
  const { situation, block } = state
  if (situation.kind === 'started') return null
  if (situation.kind === 'taken') return <Taken leadId={lead.id} at={state.at} situation={situation} />
  if (situation.kind === 'saved') return <Saved lead={lead} state={state} situation={situation} />
  return (
    <>
      {isEditor && block !== null && block.why !== 'closed' ? (
        <span>
          <Button onClick={onOverride}>Call anyway…</Button>
        </span>
      ) : null}
      {situation.kind === 'free' ? <OpenButtons lead={lead} state={state} label="Log a call" /> : null}
      {situation.kind === 'left' ? (
        <span>
          <TakeCallButton lead={lead} />
        </span>
      ) : null}
    </>
  )
}

interface TakenProps {
  readonly leadId: string
  readonly at: number
  readonly situation: SituationOf<'taken'>
}

function Taken({ leadId, at, situation: { by, since } }: TakenProps) {
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
      <Failed request={takeOver} />
    </Callout>
  )
}

/** Names, if several people share the number, and someone was reached. */
export function aboutWhom(people: CallState['people'], call: CallState['calls'][number]): string {
  const { outcome, leads, callbackAt } = call
  if (leads.length === 0 && outcome === 'never call again') return 'this number, asked by someone else who answered'
  const isAboutSome = outcome in callOutcomes && (!isTry(outcome) || callbackAt !== null)
  if (!isAboutSome || people.length < 2) return ''
  const about = people.filter(person => person.leads.some(id => leads.includes(id)))
  return about.map(person => fullName(person)).join(', ')
}

interface SavedProps {
  readonly lead: Lead
  readonly state: CallState
  readonly situation: SituationOf<'saved'>
}

function Saved({ lead, state, situation: { callId, at } }: SavedProps) {
  const times = useTimes()
  const { people, calls } = state
  const hasCalled = calls.some(({ incoming, corrects }) => !incoming && corrects === null)
  const together = calls.filter(({ canUndo, savedAt }) => canUndo && savedAt === at)
  const saved = together.map(call => {
    const about = aboutWhom(people, call)
    return `“${outcomeName(call.outcome)}”${about === '' ? '' : ` about ${about}`}`
  })
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="font-bold">
        You saved <bdi>{saved.join(', ')}</bdi> at {times.near(at, state.at)} office time.
        {together.some(({ outcome }) => outcome === 'wrong number')
          ? ` The number ${lead.doNotCall.phone ? 'is on the do-not-call list' : 'isn’t on the do-not-call list: someone else is there'}.`
          : ''}
      </p>
      <UndoCall callId={callId} />
      <OpenButtons lead={lead} state={state} label={hasCalled ? 'I called them again' : 'Log a call'} />
    </div>
  )
}

interface OverrideDialogProps extends SharedDialogProps {
  readonly text: string
  readonly onConfirm: (reason: string) => void
}

/** An editor calls although it's not allowed now. */
export function OverrideDialog({ text, onConfirm, ...rest }: OverrideDialogProps) {
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

interface OpenButtonsProps {
  readonly lead: Lead
  readonly state: CallState
  readonly label: string
}

/** For a call on another phone, or one that comes in. */
function OpenButtons({ lead, state, label }: OpenButtonsProps) {
  const changed = useCallsChanged()
  const open = useMutation({ mutationFn: () => claimCall(lead.id), onSuccess: changed })
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {state.block?.why === 'closed' ? null : (
        <Button busy={open.isPending} onClick={() => open.mutate()}>
          {label}
        </Button>
      )}
      <TakeCallButton lead={lead} />
      <Failed request={open} />
    </div>
  )
}

function TakeCallButton({ lead }: { readonly lead: Lead }) {
  const take = useTakeCall()
  if (lead.state !== 'accepted') return null
  return (
    <>
      <Button busy={take.isPending} onClick={() => take.mutate(lead.id)}>
        They called us
      </Button>
      <Failed request={take} />
    </>
  )
}
