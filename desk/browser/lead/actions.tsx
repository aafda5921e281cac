/** What those who act may do with a lead now. */
import { Ban, Check, Eraser, Phone, PhoneOff, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type LeadAction, type LeadActionRequest, type LeadAnswer, LONGEST_REASON } from '../../api/lead.ts'
import { messageOf } from '../client.ts'
import { usePaused } from '../pulse.ts'
import { useMayAct } from '../session.ts'
import { AskDialog, type Asking, ReasonDialog } from '../ui/ask-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useToast } from '../ui/toast.tsx'
import { useIsHere } from '../ui/use-is-here.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { useLeadAction } from './use-lead-action.ts'

type Asked = 'release' | 'reject' | 'redeliver' | 'suppress' | 'erase'

/** Said instead while deliveries are paused. */
const doneWhilePaused: Readonly<Partial<Record<LeadActionRequest['action'], string>>> = {
  release: 'Released: it waits, and is sent when deliveries are resumed.',
  redeliver: 'It waits, and is sent again when deliveries are resumed.',
}

const done: Readonly<Record<LeadActionRequest['action'], string>> = {
  release: 'Released: it is on its way to the webhook.',
  reject: 'Rejected: it is kept, and will not be sent. You can still release it.',
  redeliver: 'It is sent again now.',
  suppress: 'On the do-not-call list.',
  unsuppress: 'Taken off the do-not-call list.',
  erase: 'Erased. What was agreed to, and when, is kept without the person’s data.',
  'add note': 'Note saved.',
  'remove note': 'Note removed.',
}

export function Actions({ lead }: { readonly lead: LeadAnswer }) {
  const mayAct = useMayAct()
  const toast = useToast()
  const action = useLeadAction(lead.id)
  const [asked, setAsked] = useState<Asked | null>(null)
  const isHere = useIsHere()
  const paused = usePaused()
  const focus = useFocusAfterwards(action.isSuccess ? lead : null)
  const may = (one: LeadAction) => lead.actions.includes(one)

  /** What becomes of it is told, also when its dialog was closed or the lead was left meanwhile. */
  async function act(request: LeadActionRequest, undo?: LeadActionRequest): Promise<void> {
    try {
      await action.mutateAsync(request)
      setAsked(null)
      const text = (paused ? doneWhilePaused[request.action] : undefined) ?? done[request.action]
      toast({ text, undo: undo && (() => action.mutateAsync(undo)) })
    } catch (error) {
      // Else it is said in the dialog, or below the buttons.
      if (!isHere.current) toast({ text: `It was not done. ${messageOf(error)}`, tone: 'bad' })
    }
  }
  const contacts = (['phone', 'email'] as const).filter(which => !lead.doNotCall[which])
  const listed = (['phone', 'email'] as const).filter(which => lead.doNotCall[which])
  const dialog: Asking = {
    busy: action.isPending,
    failed: action.isError ? messageOf(action.error) : null,
    onClose: close,
  }
  function close(): void {
    setAsked(null)
    if (!action.isPending) action.reset()
  }
  if (!mayAct) return null
  const press = (one: Asked) => () => {
    if (action.isPending) return
    action.reset()
    setAsked(one)
  }
  return (
    <Card title="Decide">
      <div ref={focus} tabIndex={-1} className="flex flex-wrap gap-2.5">
        {may('release') ? (
          <Button
            kind={lead.state === 'held' ? 'primary' : 'secondary'}
            icon={<Check aria-hidden size={18} />}
            onClick={press('release')}
          >
            Release
          </Button>
        ) : null}
        {may('reject') ? (
          <Button icon={<Ban aria-hidden size={18} />} onClick={press('reject')}>
            Reject
          </Button>
        ) : null}
        {may('redeliver') ? (
          <Button
            kind={lead.delivery?.state === 'dead' ? 'primary' : 'secondary'}
            icon={<Send aria-hidden size={18} />}
            onClick={press('redeliver')}
          >
            Send again
          </Button>
        ) : null}
        {may('suppress') && contacts.length > 0 ? (
          <Button icon={<PhoneOff aria-hidden size={18} />} onClick={press('suppress')}>
            Do not call
          </Button>
        ) : null}
        {may('unsuppress') && listed.length > 0 ? (
          <Button
            icon={<Phone aria-hidden size={18} />}
            busy={action.isPending}
            onClick={() => act({ action: 'unsuppress', contacts: listed }, { action: 'suppress', contacts: listed })}
          >
            May be called again
          </Button>
        ) : null}
        {may('erase') ? (
          <Button kind="grave" icon={<Eraser aria-hidden size={18} />} onClick={press('erase')}>
            Erase …
          </Button>
        ) : null}
        {lead.actions.every(one => one === 'add note' || one === 'remove note') && lead.erasureNeeds === null ? (
          <p>There is nothing to decide.</p>
        ) : null}
      </div>
      {lead.erasureNeeds === null ? null : <p className="mt-3 text-small text-ink-soft">{lead.erasureNeeds}</p>}
      {action.isError && asked === null ? (
        <p role="alert" className="mt-3 font-bold text-error">
          {messageOf(action.error)}
        </p>
      ) : null}
      {asked === 'release' ? (
        <AskDialog
          {...dialog}
          title="Release this lead"
          button="Release and send"
          onSure={() => void act({ action: 'release' })}
        >
          <AskedNotToBeCalled lead={lead} />
          <p>
            {paused
              ? 'It is accepted, and sent to the webhook when deliveries are resumed: they are paused now.'
              : 'It is accepted and sent to the webhook at once. What has been sent cannot be called back.'}
          </p>
        </AskDialog>
      ) : null}
      {asked === 'redeliver' ? (
        <Redeliver lead={lead} dialog={dialog} onSure={again => act({ action: 'redeliver', again })} />
      ) : null}
      {asked === 'suppress' ? (
        <AskDialog
          {...dialog}
          title="Do not call this person"
          button="Put on the list"
          onSure={() => act({ action: 'suppress', contacts }, { action: 'unsuppress', contacts })}
        >
          <p>
            Their number and e-mail address go on the do-not-call list. New leads with either are held. You can undo
            this.
          </p>
        </AskDialog>
      ) : null}
      {asked === 'reject' ? (
        <ReasonDialog
          {...dialog}
          required
          title="Reject this lead"
          button="Reject"
          hint="For those who look later: “spam”, “a test of ours”. No names or numbers, please."
          longest={LONGEST_REASON}
          onReason={reason => act({ action: 'reject', reason })}
        >
          It is kept, and never sent. You can release it later.
        </ReasonDialog>
      ) : null}
      {asked === 'erase' ? (
        <EraseDialog {...dialog} lead={lead} onErase={confirmation => act({ action: 'erase', confirmation })} />
      ) : null}
    </Card>
  )
}

/** Before it goes to those who call. */
function AskedNotToBeCalled({ lead: { doNotCall } }: { readonly lead: LeadAnswer }) {
  if (!doNotCall.phone && !doNotCall.email) return null
  return (
    <p className="flex items-start gap-2.5 rounded-xl border border-error bg-error-soft p-3 font-bold">
      <PhoneOff aria-hidden size={20} className="mt-0.5 shrink-0 text-error" />
      This person asked not to be called. Send it only if they have changed their mind.
    </p>
  )
}

interface RedeliverProps {
  readonly lead: LeadAnswer
  readonly dialog: Asking
  readonly onSure: (again: boolean) => void
}

function Redeliver({ lead, dialog, onSure }: RedeliverProps) {
  const paused = usePaused()
  const delivered = lead.delivery?.state === 'delivered'
  return (
    <AskDialog {...dialog} title="Send this lead again" button="Send again" onSure={() => onSure(delivered)}>
      <AskedNotToBeCalled lead={lead} />
      <p>
        {delivered
          ? 'It was delivered already: the webhook gets it a second time.'
          : `It is sent to the webhook ${paused ? 'when deliveries are resumed' : 'at once'}, and tried again if that fails.`}
      </p>
      {paused ? <p>Deliveries are paused now.</p> : null}
    </AskDialog>
  )
}

/** The button that was pressed is often gone afterwards: focus then stays beside it, instead of at the top of the page. */
function useFocusAfterwards(changed: LeadAnswer | null) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (changed && (document.activeElement?.matches('body, main h1') ?? true)) place.current?.focus()
  }, [changed])
  return place
}
