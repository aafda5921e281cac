/** What the CRM hasn't heard of: requests not to be called, and results of calls. Someone can send them again, or tell the CRM. */
import { crmUpdates } from '../../../../domain/events/crm-updates.ts'
import type { Health } from '../../client.ts'
import { Link } from '../../router.tsx'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Undelivered } from './undelivered.tsx'

export function CrmEvents({ health: { deliveries } }: { readonly health: Health }) {
  const toast = useToast()
  const { events, sendsEvents } = deliveries
  // With a webhook that takes JSON, one that waits is sent by itself. One that failed before stays until it arrives.
  const open = events.filter(({ state, failedWith }) => state !== 'pending' || !sendsEvents || failedWith !== null)
  if (open.length === 0) return null
  const messages = open.map(({ leadId, type, name, state, failedWith, ...event }) => ({
    ...event,
    canResend: sendsEvents && state === 'dead',
    about: (
      <>
        <strong>{crmUpdates[type]}:</strong>{' '}
        <Link href={`/leads/${leadId}`} className="underline underline-offset-4">
          {name ?? `erased lead ${leadId}`}
        </Link>
        {failedWith === null ? null : (
          <span className="text-ink-soft">
            {' '}
            ({state === 'pending' ? `being sent again; failed before: ${failedWith}` : failedWith})
          </span>
        )}
      </>
    ),
  }))
  return (
    <Card title="Tell your CRM">
      <p>
        {sendsEvents
          ? 'These didn’t reach your CRM, or can’t be sent. Send them again, or tell your CRM yourself and check them off.'
          : 'Your CRM’s connection can’t take these. Tell your CRM yourself, then check them off.'}
      </p>
      <Undelivered
        messages={messages}
        dismiss="I told our CRM"
        onDone={action =>
          toast({ text: action === 'resend' ? 'It’s being sent now.' : 'Recorded: your CRM was told.' })
        }
      />
    </Card>
  )
}
