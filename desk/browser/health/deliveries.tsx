/** Whether deliveries go on, the switch to pause them, and a lead that tries the webhook. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CirclePause, CirclePlay, Send } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { HealthAnswer, TestLeadAnswer } from '../../api/health.ts'
import { LONGEST_REASON } from '../../api/lead.ts'
import { ask, messageOf } from '../client.ts'
import { hrefOfFilter } from '../leads-address.ts'
import { pulseQuery } from '../pulse.ts'
import { queryKeys } from '../query-keys.ts'
import { useMayAct } from '../session.ts'
import { span, useTimes } from '../times.ts'
import { ReasonDialog } from '../ui/ask-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { figure } from '../words/figures.ts'

export function Deliveries({ health: { deliveries } }: { readonly health: HealthAnswer }) {
  const client = useQueryClient()
  const toast = useToast()
  const times = useTimes()
  const mayAct = useMayAct()
  const [asking, setAsking] = useState(false)
  const change = useMutation({
    mutationFn: ({ path, body }: { readonly path: 'pause' | 'resume'; readonly body: object }) =>
      ask<HealthAnswer>(`/api/health/${path}`, { body }),
    onSuccess: health => {
      client.setQueryData(queryKeys.health, health)
      client.invalidateQueries({ queryKey: pulseQuery.queryKey })
    },
  })
  function pause(reason: string): void {
    change.mutate(
      { path: 'pause', body: { reason } },
      {
        onSuccess: () => {
          setAsking(false)
          toast({ text: 'Deliveries are paused. Leads are taken all the same.', undo: takeUp })
        },
      },
    )
  }
  const takeUp = () => change.mutateAsync({ path: 'resume', body: {} })
  function resume(): void {
    takeUp().then(
      () => toast({ text: 'Deliveries go on.' }),
      // Said where the switch is.
      () => {},
    )
  }
  const { pause: paused, waiting, dead, webhook } = deliveries
  return (
    <Card
      title="Deliveries"
      aside={
        paused ? (
          <Badge tone="waiting" icon={CirclePause}>
            Paused
          </Badge>
        ) : (
          <Badge tone="good" icon={CirclePlay}>
            Going on
          </Badge>
        )
      }
    >
      <Facts>
        <Fact name="Webhook">{webhook ?? 'None is set: leads are kept here, and sent nowhere'}</Fact>
        <Fact name="Waiting">
          <Link href={hrefOfFilter({ delivery: 'pending' })} className="underline underline-offset-4">
            {figure(waiting)}
          </Link>
        </Fact>
        <Fact name="Did not arrive">
          <Link href={hrefOfFilter({ delivery: 'dead' })} className="underline underline-offset-4">
            {figure(dead)}
          </Link>
        </Fact>
        {paused ? (
          <Fact name="Paused">
            by {paused.by}, {times.short(paused.since)}
            {paused.ageMs < 60_000 ? '' : ` (${span(paused.ageMs)})`}
            {paused.reason === '' ? '' : `: ${paused.reason}`}
          </Fact>
        ) : null}
      </Facts>
      {change.isError && !asking ? (
        <div className="mt-4">
          <Problem title="That did not work">{messageOf(change.error)}</Problem>
        </div>
      ) : null}
      {mayAct ? (
        <div className="mt-4 flex flex-col gap-3">
          <div className="flex flex-wrap gap-2.5">
            <Button
              kind={paused ? 'primary' : 'secondary'}
              busy={change.isPending}
              icon={paused ? <CirclePlay aria-hidden size={18} /> : <CirclePause aria-hidden size={18} />}
              onClick={paused ? resume : () => setAsking(true)}
            >
              {paused ? 'Resume deliveries' : 'Pause deliveries'}
            </Button>
          </div>
          {webhook === null ? null : <TestLead />}
        </div>
      ) : null}
      {asking ? (
        <ReasonDialog
          title="Pause deliveries"
          button="Pause"
          hint="For whoever wonders later: “the CRM is being moved”."
          longest={LONGEST_REASON}
          busy={change.isPending}
          failed={change.isError ? messageOf(change.error) : null}
          onReason={pause}
          onClose={() => setAsking(false)}
        >
          Nothing is sent to the webhook until somebody resumes. Leads are taken all the same, and wait.
        </ReasonDialog>
      ) : null}
    </Card>
  )
}

function TestLead() {
  const test = useMutation({ mutationFn: () => ask<TestLeadAnswer>('/api/health/test-lead', { body: {} }) })
  return (
    <>
      <Button
        className="self-start"
        busy={test.isPending}
        icon={<Send aria-hidden size={18} />}
        onClick={() => test.mutate()}
      >
        {test.isPending ? 'Sending a test lead …' : 'Send a test lead'}
      </Button>
      <div role="status">
        {test.data ? (
          <p>
            <strong>{test.data.delivered ? 'It arrived.' : 'It did not arrive.'}</strong> {test.data.words} It took{' '}
            {span(test.data.durationMs)}.
          </p>
        ) : null}
      </div>
      {test.isError ? <Problem title="No test lead was sent">{messageOf(test.error)}</Problem> : null}
    </>
  )
}
