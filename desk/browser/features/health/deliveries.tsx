/** Delivery status, pausing and resuming, and sending a test lead. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import { api, type Health, messageOf, unwrap } from '../../client.ts'
import { pulseQuery } from '../../pulse.ts'
import { queryKeys } from '../../query-keys.ts'
import { useHasRole, useSession } from '../../session.ts'
import { formatDuration, useTimes } from '../../times.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { ConfirmDialog, progressOf, useReason } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { FigureLink } from '../today/figures.tsx'

export function Deliveries({ health: { deliveries } }: { readonly health: Health }) {
  const client = useQueryClient()
  const toast = useToast()
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const { callList } = useSession()
  const [isConfirming, setConfirming] = useState(false)
  const reason = useReason({ required: false, hint: 'Colleagues will see this. For example: CRM maintenance' })
  const change = useMutation({
    mutationFn: (pause: { readonly reason: string } | null) =>
      unwrap(pause ? api.health.pause.$post({ json: pause }) : api.health.resume.$post()),
    onSuccess: health => {
      client.setQueryData(queryKeys.health, health)
      client.invalidateQueries({ queryKey: pulseQuery.queryKey })
    },
  })
  function pause(given: string): void {
    const onSuccess = () => {
      setConfirming(false)
      toast({
        text: 'Deliveries are paused. Leads are still accepted.',
        undo: () => change.mutateAsync(null).then(() => undefined),
      })
    }
    change.mutate({ reason: given }, { onSuccess })
  }
  const resume = () => change.mutate(null, { onSuccess: () => toast({ text: 'Deliveries resumed.' }) })
  const { pause: paused, waiting, oldestWaitingMs, dead, retried, timeToWebhook, webhook } = deliveries
  const [status, tone, icon] = paused
    ? (['Paused', 'waiting', 'pause'] as const)
    : webhook === null
      ? (['Not set up', 'calm', 'alert'] as const)
      : dead.count > 0
        ? (['Some failed', 'bad', 'alert'] as const)
        : retried
          ? (['Retrying', 'waiting', 'alert'] as const)
          : (['Active', 'good', 'play'] as const)
  return (
    <Card
      title="Deliveries"
      aside={
        <Badge tone={tone} icon={icon}>
          {status}
        </Badge>
      }
    >
      <Facts>
        <Fact name="CRM webhook">
          {webhook ??
            (callList
              ? 'Not set up. Your team calls leads from the desk.'
              : 'Not set up. Leads are saved here but not sent anywhere.')}
        </Fact>
        {webhook === null ? null : (
          <Fact name="Queued">
            <FigureLink figure={waiting} />
            {waiting.count > 0 && oldestWaitingMs > 60_000 ? `, longest wait: ${formatDuration(oldestWaitingMs)}` : ''}
          </Fact>
        )}
        {retried ? (
          <Fact name="Failed, being sent again">
            {formatNumber(retried.leads)}, the latest {times.short(retried.at)}: {retried.outcome}
          </Fact>
        ) : null}
        {webhook === null && dead.count === 0 ? null : (
          <Fact name="Delivery failed">
            <FigureLink figure={dead} />
          </Fact>
        )}
        {webhook === null ? null : (
          <Fact name="Time to reach your CRM">
            {timeToWebhook ? (
              <>
                Median {formatDuration(timeToWebhook.p50Ms)}, 95th percentile {formatDuration(timeToWebhook.p95Ms)}{' '}
                <span className="text-small text-ink-soft">
                  (last 24 hours, {pluralize(timeToWebhook.of, 'lead')}, excludes leads that were on hold or resent)
                </span>
              </>
            ) : (
              'No delivery times for the last 24 hours (excludes leads that were on hold or resent).'
            )}
          </Fact>
        )}
        {paused ? (
          <Fact name="Paused">
            by {paused.by}, {times.short(paused.since)}
            {paused.ageMs < 60_000 ? '' : ` (${formatDuration(paused.ageMs)})`}
            {paused.reason === '' ? '' : `: ${paused.reason}`}
          </Fact>
        ) : null}
      </Facts>
      {change.isError && !isConfirming ? (
        <div className="mt-4">
          <Problem title="That didn’t work">{messageOf(change.error)}</Problem>
        </div>
      ) : null}
      {isEditor && (webhook !== null || paused) ? (
        <div className="mt-4 flex flex-wrap gap-2.5 print:hidden">
          <Button
            kind={paused ? 'primary' : 'secondary'}
            busy={change.isPending}
            icon={paused ? 'play' : 'pause'}
            onClick={paused ? resume : () => setConfirming(true)}
          >
            {paused ? 'Resume deliveries' : 'Pause deliveries'}
          </Button>
          {webhook === null ? null : <TestLead />}
        </div>
      ) : null}
      {isConfirming ? (
        <ConfirmDialog
          title="Pause deliveries"
          button="Pause"
          {...progressOf(change)}
          onConfirm={() => pause(reason.check() ?? '')}
          onClose={() => setConfirming(false)}
        >
          <p>
            Nothing will be sent to your CRM until someone resumes deliveries. New leads are still accepted and will be
            sent when deliveries resume.
          </p>
          {reason.field}
        </ConfirmDialog>
      ) : null}
    </Card>
  )
}

function TestLead() {
  const test = useMutation({ mutationFn: () => unwrap(api.health['test-lead'].$post()) })
  return (
    <>
      <Button busy={test.isPending} icon="send" onClick={() => test.mutate()}>
        {test.isPending ? 'Sending…' : 'Send a test lead'}
      </Button>
      <div role="status" className="w-full">
        {test.data ? (
          <p>
            <strong>{test.data.delivered ? 'Delivered.' : 'Not delivered.'}</strong> {test.data.words}
          </p>
        ) : null}
        {test.isError ? <Problem title="The test lead wasn’t sent">{messageOf(test.error)}</Problem> : null}
      </div>
    </>
  )
}
