/** A lead's state as a badge in call-center terms, explained on hover. */
import { outcomeName } from '../../../domain/calling/outcomes.ts'
import { calendarDay } from '../../../domain/dates.ts'
import { describeHoldReason } from '../../../domain/leads/hold-reasons.ts'
import {
  type DeliveryState,
  deliveryNames,
  describeOutcome,
  type LeadState,
  stateNames,
} from '../../../domain/leads/lead-states.ts'
import type { LeadSummary } from '../client.ts'
import { useSession } from '../session.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'

interface BadgeContent {
  readonly title: string
  readonly tone: Tone
  readonly icon: IconName
}

const stateBadges: Readonly<Record<LeadState, BadgeContent>> = {
  accepted: { title: 'A new lead.', tone: 'good', icon: 'phone' },
  held: {
    title:
      'It might be fake, or its number or email was on the do-not-call list. It won’t be sent or called unless someone approves it.',
    tone: 'waiting',
    icon: 'hand',
  },
  rejected: {
    title: 'Reviewed and rejected. It stays on file but won’t be sent or called unless approved later.',
    tone: 'calm',
    icon: 'ban',
  },
  repeat: { title: 'Same person submitted again within 30 days. Not counted as new.', tone: 'calm', icon: 'repeat' },
  erased: { title: 'This person’s data was erased.', tone: 'calm', icon: 'eraser' },
}

const deliveryBadges: Readonly<Record<DeliveryState, BadgeContent>> = {
  delivered: { title: 'Your CRM has this lead.', tone: 'good', icon: 'check' },
  pending: { title: 'Waiting to be sent, or waiting for the next retry.', tone: 'waiting', icon: 'clock' },
  dead: { title: 'All delivery attempts failed. Resend it.', tone: 'bad', icon: 'alert' },
  stopped: { title: 'Not sent: on the do-not-call list.', tone: 'calm', icon: 'phone-off' },
}

interface LeadBadgeProps {
  readonly state: LeadState
  readonly replacedBy: string | null
  readonly delivery: DeliveryState | null
  readonly doNotCall: boolean
  readonly isClosed: boolean
  /** What's planned on the call list; null if it's off or never had this lead. */
  readonly call: LeadSummary['call']
  /** The day on which the person became a client. */
  readonly clientOn: string | null
}

const callBadges = {
  new: { text: 'New', title: 'Not called yet.', tone: 'waiting', icon: 'phone' },
  retry: { text: 'Called', title: 'Not reached yet. It will be tried again.', tone: 'calm', icon: 'phone' },
  callback: { text: 'Callback', title: 'We promised to call back.', tone: 'waiting', icon: 'clock' },
} as const

function CallBadge({ call: { kind, ended } }: { readonly call: NonNullable<LeadBadgeProps['call']> }) {
  if (ended !== null) {
    return (
      <Badge tone={ended === 'going ahead' ? 'good' : 'calm'} icon="check" title="No more calls are planned.">
        {outcomeName(ended)}
      </Badge>
    )
  }
  const { text, ...badge } = callBadges[kind]
  return <Badge {...badge}>{text}</Badge>
}

/** In calling words if leads are called from here, unless someone has to resend them; otherwise, what became of the delivery. */
export function LeadBadge({ state, replacedBy, delivery, doNotCall, isClosed, call, clientOn }: LeadBadgeProps) {
  const { crm } = useSession()
  // Without a CRM, a lead would wait to be sent forever, and nobody could resend a failed one.
  const sent = state === 'accepted' && crm && delivery
  if (isClosed || (doNotCall && state !== 'held' && state !== 'erased')) {
    return (
      <Badge tone="bad" icon="phone-off" title="This person is on the do-not-call list.">
        Do not call
      </Badge>
    )
  }
  if (clientOn !== null && state !== 'erased') {
    return (
      <Badge tone="good" icon="check" title={`Since ${calendarDay(clientOn)}.`}>
        Client
      </Badge>
    )
  }
  if (state === 'repeat' && replacedBy !== null) {
    return (
      <Badge tone="calm" icon="phone" title="This person has another number now.">
        Old number
      </Badge>
    )
  }
  if (state === 'accepted' && call && sent !== 'dead') return <CallBadge call={call} />
  const { title, tone, icon } = sent ? deliveryBadges[sent] : stateBadges[state]
  return (
    <Badge tone={tone} icon={icon} title={title}>
      {sent === 'delivered' ? 'Sent to your CRM' : sent ? deliveryNames[sent] : stateNames[state]}
    </Badge>
  )
}

/** Why a delivery failed. */
export function explainFailure(outcome: string): string {
  const status = /answered (\d{3})$/.exec(outcome)?.[1]
  const what = status?.startsWith('5') ? 'wasn’t working' : 'refused the lead'
  const text = status ? `Your CRM ${what} (error ${status})` : describeOutcome(outcome)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const explainHoldReason = (reason: string) => describeHoldReason(reason).explanation
