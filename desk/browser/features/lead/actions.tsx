/** The actions someone can take on a lead: buttons and confirmation dialogs. See domain/leads/lead-actions.ts. */
import { useEffect, useRef, useState } from 'react'
import type { EnteredStop, RemovalRequest } from '../../../../domain/do-not-call/do-not-call.ts'
import {
  type LeadActionName,
  leadActionNames,
  leadActions,
  type Sending,
} from '../../../../domain/leads/lead-actions.ts'
import { recordPath } from '../../../limits.ts'
import { type Lead, type LeadActionRequest, messageOf } from '../../client.ts'
import { parseDate } from '../../leads-url.ts'
import { useSending } from '../../pulse.ts'
import { useApiLink, useHasRole, useSession } from '../../session.ts'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useToday } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog, type SharedDialogProps, useReason } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useIsMounted, useToast } from '../../ui/toast.tsx'
import { useHowAsked } from '../do-not-call/how-asked.tsx'
import { useRemovalRequest } from '../do-not-call/removal-request.tsx'
import { useLeadAction } from '../leads/lead-queries.ts'

/** Notes have their own card. */
const buttons = leadActionNames.filter(name => leadActions[name].icon !== 'note')

export function Actions({ lead }: { readonly lead: Lead }) {
  const canAct = useHasRole('agent')
  const toast = useToast()
  const action = useLeadAction(lead.id)
  /** With the lead as it was when the dialog opened: the page behind it keeps refreshing. */
  const [confirming, setConfirming] = useState<{ readonly name: LeadActionName; readonly seen: Lead } | null>(null)
  const isMounted = useIsMounted()
  const sending = useSending()
  const { crm } = useSession()
  const apiLink = useApiLink()
  const [done, setDone] = useState(0)
  const container = useRef<HTMLDivElement>(null)
  // An action often removes the button that was clicked, so keep focus nearby. Later changes to the lead don't move it.
  useEffect(() => {
    if (done > 0 && (document.activeElement?.matches('body, main h1, [data-actions] *') ?? true))
      container.current?.focus()
  }, [done])

  async function run(request: LeadActionRequest): Promise<void> {
    const { done: text, undo } = leadActions[request.action]
    try {
      const { notice, requestId } = await action.mutateAsync(request)
      setConfirming(null)
      setDone(count => count + 1)
      const undoRequest = undo && ({ ...request, requestId, action: undo } as LeadActionRequest)
      const told = notice === null ? text(sending) : `Recorded. ${notice}`
      toast({ text: told, undo: undoRequest && (() => action.mutateAsync(undoRequest)) })
    } catch (error) {
      // Shown in the dialog or below the buttons, unless the user navigated away.
      if (!isMounted.current) toast({ text: `That didn’t work. ${messageOf(error)}`, tone: 'bad' })
    }
  }
  function start(name: LeadActionName): void {
    if (action.isPending) return
    action.reset()
    if (leadActions[name].confirm) setConfirming({ name, seen: lead })
    else void run(requestOf(name, lead))
  }
  function close(): void {
    setConfirming(null)
    if (!action.isPending) action.reset()
  }
  // Without a CRM, there's nothing to resend.
  const available = buttons.filter(name => lead.actions.includes(name) && (crm || name !== 'resend'))
  const dangerous = available.filter(name => leadActions[name].destructive)
  const keys = available.flatMap(name => {
    const { key } = leadActions[name]
    return key ? [[key, () => start(name)] as const] : []
  })
  useShortcuts(Object.fromEntries(keys))
  const failed = action.isError ? messageOf(action.error) : null
  return (
    <Card title="Actions" className="print:hidden">
      <div ref={container} data-actions tabIndex={-1} className="flex flex-wrap gap-2.5">
        {(canAct ? available : []).map(name => {
          const { label, urgent, destructive, icon } = leadActions[name]
          if (destructive) return null
          return (
            <Button key={name} kind={urgent?.(lead) ? 'primary' : 'secondary'} icon={icon} onClick={() => start(name)}>
              {label}
            </Button>
          )
        })}
        <ButtonLink href={apiLink(recordPath(lead.id))} target="_blank" rel="noopener" icon="printer">
          Print record
        </ButtonLink>
        <ButtonLink kind="quiet" href={apiLink(recordPath(lead.id), { save: '' })} download icon="download">
          Download record
        </ButtonLink>
        <ButtonLink kind="quiet" href="/check-record">
          Check a record
        </ButtonLink>
        {/* Away from the other buttons, so no one hits them by mistake. */}
        {canAct && dangerous.length > 0 ? (
          <Menu
            label="More"
            items={dangerous.map(name => ({ ...leadActions[name], isDestructive: true, onChoose: () => start(name) }))}
          />
        ) : null}
      </div>
      {failed !== null && confirming === null ? (
        <p role="alert" className="mt-3 font-bold text-error">
          {failed}
        </p>
      ) : null}
      {confirming === null ? null : (
        <Confirm
          name={confirming.name}
          lead={confirming.seen}
          sending={sending}
          dialogProps={{ busy: action.isPending, failed, onClose: close }}
          onConfirm={request => void run(request)}
        />
      )}
    </Card>
  )
}

/** Matches `actionBody` in desk/server/leads/actions.ts. */
function requestOf(
  action: LeadActionName,
  lead: Lead,
  typed: string | RemovalRequest | EnteredStop = '',
): LeadActionRequest {
  const { confirm, details } = leadActions[action]
  const { state, doNotCall, contact } = lead
  // A request not to be called counts even if the lead is erased in the meantime.
  const shown = action === 'do not call' && contact && { shown: { phone: contact.phone, email: contact.email } }
  const asked = confirm?.asks && { [confirm.asks]: typed }
  return { action, seen: { state, doNotCall }, ...asked, ...shown, ...details?.(lead) } as LeadActionRequest
}

/** Asks for a day until today. */
function useDay() {
  const today = useToday()
  const [on, setOn] = useState(today)
  const field = (
    <TextField label="On which day?" type="date" max={today} value={on} onChange={event => setOn(event.target.value)} />
  )
  return { field, check: () => parseDate(on) }
}

interface ConfirmProps {
  readonly name: LeadActionName
  readonly lead: Lead
  readonly sending: Sending
  readonly dialogProps: SharedDialogProps
  readonly onConfirm: (request: LeadActionRequest) => void
}

function Confirm({ name, lead, sending, dialogProps, onConfirm }: ConfirmProps) {
  const { confirm, icon } = leadActions[name]
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const reason = useReason()
  const removal = useRemovalRequest()
  const how = useHowAsked()
  const day = useDay()
  if (!confirm) return null
  const { title, text, asks, enterConfirms = false } = confirm
  const button = confirm.button(sending)
  const body = text(lead, sending)
  if (asks !== 'confirmation') {
    const asked = asks && { reason, request: removal, asked: how, on: day }[asks]
    return (
      <ConfirmDialog
        {...dialogProps}
        title={title}
        button={button}
        enterConfirms={enterConfirms}
        onConfirm={() => {
          const given = asked ? asked.check() : ''
          if (given !== null) onConfirm(requestOf(name, lead, given))
        }}
      >
        <p>{body}</p>
        {asked?.field}
      </ConfirmDialog>
    )
  }
  const lastName = lead.contact?.lastName ?? ''
  // Don't make people type a name that's long or has unusual characters.
  const isEasyToType = lastName.length <= 40 && /^[\p{L}\p{M}’'. -]+$/u.test(lastName)
  const matches = [lastName, lead.id].some(
    expected => expected !== '' && typed.trim().toLowerCase() === expected.trim().toLowerCase(),
  )
  return (
    <ConfirmDialog
      {...dialogProps}
      title={title}
      button={button}
      kind="danger"
      icon={icon}
      onConfirm={() => (matches ? onConfirm(requestOf(name, lead, typed.trim())) : setWrong(true))}
    >
      <p>{body}</p>
      {lead.sentToCrm === 'no' ? null : (
        <p>
          Their data {lead.sentToCrm === 'yes' ? 'was already' : 'may have been'} sent to your CRM. Delete it there,
          too.
        </p>
      )}
      {lead.others.length > 0 ? <p>This erases only this lead. Erase this person’s other leads separately.</p> : null}
      <TextField
        label={isEasyToType ? `Type ${lastName} to erase` : 'Type the lead’s ID to erase'}
        hint={isEasyToType ? undefined : lead.id}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={isWrong && !matches ? `That doesn’t match the ${isEasyToType ? 'last name' : 'ID'}.` : undefined}
        onChange={event => setTyped(event.target.value)}
      />
    </ConfirmDialog>
  )
}
