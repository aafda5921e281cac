/** A callout for states that need a decision or an explanation. */
import { calendarDay } from '../../../../domain/dates.ts'
import { stopText } from '../../../../domain/do-not-call/do-not-call.ts'
import type { Lead } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { explainHoldReason } from '../../format/states.tsx'
import { Link } from '../../router.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { ago, useTimes } from '../../times.ts'
import { Callout } from '../../ui/placeholders.tsx'

const crmKnows = {
  told: ', and knows about the stop.',
  'being told': ', and will be told about the stop.',
  'to tell': '. Stop calls there, too.',
} as const

export function Status({ lead }: { readonly lead: Lead }) {
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const { crm } = useSession()
  const { state, delivery, sentToCrm, contact, replacedBy } = lead
  const [stop] = lead.stops
  const needsReview = state === 'held' && !lead.isClosed
  const stops = lead.stops.map(({ entry, contact, at, askedOn, by, source, isOwn }) => (
    <span key={entry} className="block">
      {isOwn
        ? `This ${contact === 'phone' ? 'phone number' : 'email'}`
        : `${entry}, from another lead with this number,`}{' '}
      has been on the do-not-call list since {times.short(at)}
      {source === 'wrong number' ? ', as a wrong number' : ''}
      {by === null ? '' : `, added by ${by}`}.{source && askedOn ? ` ${stopText(source, askedOn)}.` : ''}
    </span>
  ))
  const replacement = lead.others.find(({ id }) => id === replacedBy)
  const newNumber =
    contact && replacement ? (
      <span className="block">
        <bdi>{fullName(contact)}</bdi> has another number now.{' '}
        <Link href={`/leads/${replacement.id}`} className="underline underline-offset-4">
          Go to {replacement.phone}
        </Link>
      </span>
    ) : null
  if (stop && !needsReview && state !== 'erased') {
    return (
      <Callout icon="phone-off" tone="bad" title="Do not call">
        {newNumber}
        {stops}
        {sentToCrm === 'no' || !isEditor
          ? null
          : `Your CRM ${sentToCrm === 'yes' ? 'already has' : 'may have'} this lead${crmKnows[lead.stopInCrm]}`}
      </Callout>
    )
  }
  if (lead.clientOn !== null) {
    return <Callout icon="check" tone="calm" title={`Client since ${calendarDay(lead.clientOn)}`} />
  }
  if (state === 'held') {
    return (
      <Callout icon="hand" tone="waiting" title="On hold: needs review">
        {stops} {lead.heldReason ? explainHoldReason(lead.heldReason) : ''}{' '}
        {!isEditor
          ? 'An editor needs to review it.'
          : stop
            ? 'If this person wants a call, remove them from the do-not-call list, then approve the lead. Otherwise, reject it.'
            : 'Approve it if this is a real person who asked for a call. Otherwise, reject it.'}
      </Callout>
    )
  }
  if (state === 'rejected') {
    return (
      <Callout icon="ban" tone="calm" title="Rejected: on file, won’t be sent or called">
        {lead.rejectedReason ? <>Reason: {lead.rejectedReason}</> : null}
      </Callout>
    )
  }
  if (state === 'repeat' && replacedBy !== null) {
    return (
      <Callout icon="phone" tone="calm" title="Old number">
        {newNumber}
      </Callout>
    )
  }
  if (state === 'repeat') {
    return (
      <Callout icon="repeat" tone="calm" title="Repeat">
        The same person submitted the form less than 30 days earlier.{' '}
        {lead.repeatOf ? (
          <Link href={`/leads/${lead.repeatOf}`} className="underline underline-offset-4">
            Go to the first lead
          </Link>
        ) : null}
      </Callout>
    )
  }
  if (delivery?.state === 'dead' && crm) {
    return (
      <Callout icon="alert" tone="bad" title="Delivery failed">
        {delivery.attempts > 1 ? `All ${delivery.attempts} delivery attempts` : 'The delivery attempt'} failed.{' '}
        {isEditor ? 'Resend the lead once your CRM is accepting leads again.' : 'An editor can resend it.'}
      </Callout>
    )
  }
  if (delivery?.state === 'pending' && crm && delivery.attempts > 0 && delivery.nextAt !== null) {
    return (
      <Callout icon="clock" tone="waiting" title="Not delivered yet">
        {delivery.attempts === 1 ? 'One delivery attempt' : `${delivery.attempts} delivery attempts`} failed. Next
        attempt: {delivery.nextAt <= Date.now() ? 'now' : times.short(delivery.nextAt)}. Received{' '}
        {ago(lead.receivedAt, Date.now())}.
      </Callout>
    )
  }
  return null
}
