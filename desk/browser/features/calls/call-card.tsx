/** The call on a lead's page: the number, the time there, who is on it, and the situation that it's in. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type CallState, type Lead, messageOf } from '../../client.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { startCall, useCallsChanged } from './call-queries.ts'
import { EveryoneHere } from './everyone-here.tsx'
import { useBothTimes } from './local-time.tsx'
import { isOpenCall, OverrideDialog, Situation, startedCall } from './situation.tsx'
import { TheyCalledUs } from './they-called-us.tsx'
import { LanguageChoice, Whereabouts } from './whereabouts.tsx'

interface CallCardProps {
  readonly lead: Lead
  readonly contact: NonNullable<Lead['contact']>
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
  const { block } = state
  const times = useTimes()
  const changed = useCallsChanged()
  const [isOverriding, setOverriding] = useState(false)
  const start = useMutation({
    mutationFn: (reason?: string) => startCall(leadId, reason),
    onSuccess: result => {
      setOverriding(false)
      // The server recorded the start first: it decides whether the call is allowed.
      if (result.kind === 'started') location.assign(contact.tel)
      void changed()
    },
  })
  const refused = start.data && 'message' in start.data ? start.data.message : null
  const isOpen = isOpenCall(state)
  const started = startedCall(state)
  const canDial = state.situation.kind !== 'taken' && block === null
  // Corrected during the call.
  const isOld = lead.replacedBy !== null
  const isToBeCalled =
    isOpen || (state.situation.kind === 'free' && state.people.some(({ call }) => call.kind !== null))
  const isRead = useHasBeenShown(leadId)
  const dial = () => {
    if (!start.isPending) start.mutate(undefined)
  }
  useShortcuts({ ...(canDial && isOpen && started === null && isRead && { Enter: dial }) })
  const failed = start.isError ? messageOf(start.error) : null
  return (
    <Card
      // Above the number, so the outcomes don't move after dialing.
      title={
        started && !started.incoming ? `You called at ${times.near(started.startedAt, state.at)} office time` : 'Call'
      }
      aside={<LanguageChoice leadId={leadId} language={state.language} />}
    >
      <div className="flex flex-wrap items-center gap-2">
        {canDial ? (
          <Button
            // After the call, the next step is to say what happened. After that, it's done.
            kind={started === null && isToBeCalled ? 'primary' : 'secondary'}
            icon="phone"
            busy={start.isPending}
            className="min-h-14 px-5 text-title print:border-0 print:bg-transparent print:p-0 print:text-ink"
            onClick={dial}
          >
            Call {contact.phone}
            {isOpen && started === null && isRead ? <Key name="Enter" /> : null}
          </Button>
        ) : (
          <p className={`min-h-14 content-center ${isOld ? '' : 'text-title font-bold'}`}>
            {isOld ? 'Old number: ' : ''}
            {contact.phone}
          </p>
        )}
        {isOld ? null : <CopyButton text={contact.phone} what="the phone number" />}
        <Whereabouts leadId={leadId} state={state} />
        {canDial || isOld ? null : <WhyNot state={state} />}
      </div>
      {started?.incoming ? (
        <TheyCalledUs lead={lead} contact={contact} state={state} startedAt={started.startedAt} />
      ) : null}
      <EveryoneHere state={state} />
      {state.spokenUntil === null || state.spokenUntil <= state.at ? null : (
        <p className="mt-3 text-small">
          Said yes on the phone, and signed nothing: calls until {times.short(state.spokenUntil)}.
        </p>
      )}
      <div role="status" className="mt-3 flex flex-col gap-3 empty:mt-0 print:hidden">
        <Situation lead={lead} state={state} onOverride={() => setOverriding(true)} />
        {refused === null || block !== null ? null : <Problem title={refused} />}
        {failed !== null && !isOverriding ? <Problem title="That didn’t work">{failed}</Problem> : null}
      </div>
      {isOverriding && block ? (
        <OverrideDialog
          text={block.message}
          busy={start.isPending}
          failed={failed}
          onConfirm={reason => start.mutate(reason)}
          onClose={() => setOverriding(false)}
        />
      ) : null}
      {isOpen ? <CallBar canDial={canDial} hasCalled={started !== null} busy={start.isPending} onDial={dial} /> : null}
    </Card>
  )
}

/** Why there's no button. */
function WhyNot({ state: { situation, block, place, people } }: Pick<CallCardProps, 'state'>) {
  const both = useBothTimes()
  const why = situation.kind === 'taken' ? `${situation.by} has this call open.` : block?.message
  const isOver = people.every(({ call }) => call.ended !== null)
  return (
    <p className="flex w-full items-baseline gap-2 font-bold">
      <Icon name={block?.why === 'closed' ? 'phone-off' : 'clock'} className="self-center" />
      <span>
        {why}
        {!block?.next || isOver ? '' : ` Next: ${both(place, block.next)}.`}
      </span>
    </p>
  )
}

interface CallBarProps {
  readonly canDial: boolean
  readonly hasCalled: boolean
  readonly busy: boolean
  readonly onDial: () => void
}

/** On phones and at 200% zoom, both are in reach wherever the page is scrolled. */
function CallBar({ canDial, hasCalled, busy, onDial }: CallBarProps) {
  return (
    <div
      data-call-bar
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2 border-t border-line bg-raised p-2 md:hidden print:hidden [body:has(#outcome_input:checked)_&]:hidden"
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
