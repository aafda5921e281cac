/** A lead's state, if it needs a decision or an explanation. */
import type { ReactNode } from 'react'
import type { Lead } from '../../client.ts'
import { Link } from '../../router.tsx'
import { useIsEditor } from '../../session.ts'
import { ago, useTimes } from '../../times.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { heldReasonInWords } from '../../words/states.tsx'

export function Status({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const isEditor = useIsEditor()
  const { state, delivery } = lead
  if (state === 'held') {
    return (
      <Callout icon="hand" tone="waiting" title="On hold: needs review">
        {lead.heldReason ? heldReasonInWords(lead.heldReason) : ''}{' '}
        {!isEditor
          ? 'An editor needs to review it.'
          : lead.doNotCall.phone || lead.doNotCall.email
            ? 'Approve it only if they have since asked to be called.'
            : 'Approve it if this is a real person who asked for a call. Otherwise reject it.'}
      </Callout>
    )
  }
  if (state === 'rejected') {
    return (
      <Callout icon="ban" tone="calm" title="Rejected: on file, won’t be sent">
        {lead.rejectedReason ? <>Reason: {lead.rejectedReason}</> : null}
      </Callout>
    )
  }
  if (state === 'repeat') {
    return (
      <Callout icon="repeat" tone="calm" title="Repeat">
        This person had already submitted the form within the previous 30 days.{' '}
        {lead.repeatOf ? (
          <Link href={`/leads/${lead.repeatOf}`} className="underline underline-offset-4">
            Go to the first lead
          </Link>
        ) : null}
      </Callout>
    )
  }
  if (delivery?.state === 'dead') {
    return (
      <Callout icon="alert" tone="bad" title="Delivery failed">
        {delivery.attempts > 1 ? `All ${delivery.attempts} delivery attempts` : 'The delivery attempt'} failed.{' '}
        {isEditor ? 'Resend it' : 'An editor can resend it'} once the webhook is working.
      </Callout>
    )
  }
  if (delivery?.state === 'pending' && delivery.attempts > 0 && delivery.nextAt !== null) {
    return (
      <Callout icon="clock" tone="waiting" title="Not delivered yet">
        {delivery.attempts === 1 ? 'One attempt' : `${delivery.attempts} attempts`} failed. Next attempt:{' '}
        {delivery.nextAt <= Date.now() ? 'now' : times.short(delivery.nextAt)}. Received{' '}
        {ago(lead.receivedAt, Date.now())}.
      </Callout>
    )
  }
  return null
}

const tones = {
  waiting: 'border-amber-edge bg-amber text-amber-ink',
  bad: 'border-error bg-error-soft text-ink',
  calm: 'border-line bg-mist text-ink',
}

interface CalloutProps {
  readonly icon: IconName
  readonly tone: keyof typeof tones
  readonly title: string
  readonly children?: ReactNode
}

function Callout({ icon, tone, title, children }: CalloutProps) {
  return (
    <div className={`@container rounded-2xl border p-[min(1rem,16px)] ${tones[tone]}`}>
      <p className="flex items-start gap-2.5 font-bold">
        <Icon name={icon} size={20} className="mt-0.5" />
        {title}
      </p>
      <p className="pl-[1.875rem] @max-[14rem]:pl-0">{children}</p>
    </div>
  )
}
