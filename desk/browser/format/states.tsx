/** A lead's state as a badge in call-center terms, explained on hover. */
import { describeHoldReason } from '../../../domain/hold-reasons.ts'
import { type DeliveryState, deliveryNames, type LeadState, stateNames } from '../../../domain/lead-states.ts'
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
      'It might be fake, or the person submitted it after asking not to be called. It won’t be sent unless someone approves it.',
    tone: 'waiting',
    icon: 'hand',
  },
  rejected: {
    title: 'Reviewed and rejected. It stays on file but won’t be sent unless approved later.',
    tone: 'calm',
    icon: 'ban',
  },
  repeat: { title: 'Same person submitted again within 30 days. Not counted as new.', tone: 'calm', icon: 'repeat' },
  erased: { title: 'This person’s data was erased.', tone: 'calm', icon: 'eraser' },
}

const deliveryBadges: Readonly<Record<DeliveryState, BadgeContent>> = {
  delivered: { title: 'Delivered to your CRM.', tone: 'good', icon: 'phone' },
  pending: { title: 'Waiting to be sent, or waiting for the next retry.', tone: 'waiting', icon: 'clock' },
  dead: { title: 'All delivery attempts failed. Resend it.', tone: 'bad', icon: 'alert' },
}

interface LeadBadgeProps {
  readonly state: LeadState
  readonly delivery: DeliveryState | null
  readonly doNotCall: boolean
  readonly isClosed: boolean
}

/** What the state means for agents: they can call a delivered lead, and no one who asked not to be called. */
export function LeadBadge({ state, delivery, doNotCall, isClosed }: LeadBadgeProps) {
  const sent = state === 'accepted' && delivery
  if (isClosed || (doNotCall && state !== 'held' && state !== 'erased')) {
    return (
      <Badge tone="bad" icon="phone-off" title="This person is on the do-not-call list.">
        Do not call
      </Badge>
    )
  }
  const { title, tone, icon } = sent ? deliveryBadges[sent] : stateBadges[state]
  return (
    <Badge tone={tone} icon={icon} title={title}>
      {sent === 'delivered' ? 'Ready to call' : sent ? deliveryNames[sent] : stateNames[state]}
    </Badge>
  )
}

export const explainHoldReason = (reason: string) => describeHoldReason(reason).explanation
