/** What the CRM hasn't heard of: requests not to be called, and results of calls. Someone can send them again, or tell the CRM. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crmUpdates } from '../../../../domain/events/crm-updates.ts'
import { api, type Health, messageOf, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { useHasRole } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'

export function CrmEvents({ health: { deliveries } }: { readonly health: Health }) {
  const client = useQueryClient()
  const toast = useToast()
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const { events, sendsEvents } = deliveries
  const change = useMutation({
    mutationFn: ({ action, ids }: { readonly action: 'resend' | 'dismiss'; readonly ids: readonly string[] }) =>
      unwrap(api.health.events[action].$post({ json: { ids: [...ids] } })),
    onSuccess: (health, { action }) => {
      client.setQueryData(queryKeys.health, health)
      toast({ text: action === 'resend' ? 'It’s being sent now.' : 'Recorded: your CRM was told.' })
    },
  })
  // With a webhook that takes JSON, one that waits is sent by itself.
  const open = events.filter(({ state }) => state !== 'pending' || !sendsEvents)
  if (open.length === 0) return null
  return (
    <Card title="Tell your CRM">
      <p className="mb-3">
        {sendsEvents
          ? 'These didn’t reach your CRM, or can’t be sent. Send them again, or tell your CRM yourself and check them off.'
          : 'Your CRM’s connection can’t take these. Tell your CRM yourself, then check them off.'}
      </p>
      <ul className="grid gap-3">
        {open.map(({ id, leadId, type, createdAt, name, state }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              <strong>{crmUpdates[type]}:</strong>{' '}
              <Link href={`/leads/${leadId}`} className="underline underline-offset-4">
                {name ?? `erased lead ${leadId}`}
              </Link>
              <span className="text-ink-soft">, {times.short(createdAt)}</span>
            </span>
            {isEditor ? (
              <span className="flex gap-2 print:hidden">
                {sendsEvents && state === 'dead' ? (
                  <Button icon="send" onClick={() => change.mutate({ action: 'resend', ids: [id] })}>
                    Send again
                  </Button>
                ) : null}
                <Button icon="check" onClick={() => change.mutate({ action: 'dismiss', ids: [id] })}>
                  I told our CRM
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {change.isError ? <Problem title="That didn’t work">{messageOf(change.error)}</Problem> : null}
    </Card>
  )
}
