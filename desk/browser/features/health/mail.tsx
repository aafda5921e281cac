/** Letters to the team and to visitors: the mail server, and those that failed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Health, messageOf, unwrap } from '../../client.ts'
import { formatNumber } from '../../format/numbers.ts'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { useHasRole } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { Problem } from '../../ui/placeholders.tsx'

export function Mail({ health: { mail } }: { readonly health: Health }) {
  const client = useQueryClient()
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const change = useMutation({
    mutationFn: ({ action, id }: { readonly action: 'resend' | 'dismiss'; readonly id: string }) =>
      unwrap(api.health.events[action].$post({ json: { ids: [id] } })),
    onSuccess: health => client.setQueryData(queryKeys.health, health),
  })
  if (mail.server === null && mail.failed.length === 0) return null
  return (
    <Card title="Mail">
      <Facts>
        <Fact name="Mail server">{mail.server ?? 'Not set up'}</Fact>
        <Fact name="Queued">{formatNumber(mail.waiting)}</Fact>
        <Fact name="Failed">{formatNumber(mail.failed.length)}</Fact>
      </Facts>
      <ul className="mt-3 grid gap-3 empty:hidden">
        {mail.failed.map(({ id, leadId, type, createdAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2">
            <span>
              {type === 'mail.team' ? (
                'To your team, about new leads'
              ) : (
                <Link href={`/leads/${leadId}`} className="underline underline-offset-4">
                  To a visitor
                </Link>
              )}
              <span className="text-ink-soft">, {times.short(createdAt)}</span>
            </span>
            {isEditor ? (
              <span className="flex gap-2 print:hidden">
                <Button icon="send" onClick={() => change.mutate({ action: 'resend', id })}>
                  Send again
                </Button>
                <Button icon="check" onClick={() => change.mutate({ action: 'dismiss', id })}>
                  Dismiss
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
