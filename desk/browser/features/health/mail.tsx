/** Letters to the team and to visitors: the mail server, and those that failed. */

import { formatNumber } from '../../../../domain/text/numbers.ts'
import type { Health } from '../../client.ts'
import { Link } from '../../router.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { Undelivered } from './undelivered.tsx'

export function Mail({ health: { mail } }: { readonly health: Health }) {
  if (mail.server === null && mail.failed === 0) return null
  const messages = mail.letters.map(({ type, leadId, isAddressRefused, ...letter }) => ({
    ...letter,
    canResend: true,
    about:
      type === 'mail.team' ? (
        'To your team, about new leads'
      ) : (
        <>
          <Link href={`/leads/${leadId}`} className="underline underline-offset-4">
            To a visitor
          </Link>
          {isAddressRefused && ' (their address was refused)'}
        </>
      ),
  }))
  return (
    <Card title="Mail">
      <Facts>
        <Fact name="Mail server">{mail.server ?? 'Not set up'}</Fact>
        <Fact name="Queued">{formatNumber(mail.waiting)}</Fact>
        <Fact name="Failed">{formatNumber(mail.failed)}</Fact>
      </Facts>
      <Undelivered messages={messages} dismiss="Dismiss" />
    </Card>
  )
}
