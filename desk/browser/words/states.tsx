/** A lead's state in the words of a call center, explained on hover. */
import { describeHoldReason } from '../../../domain/hold-reasons.ts'
import { type DeliveryState, deliveryNames, type LeadState, stateNames } from '../../../domain/lead-states.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'

interface Word {
  readonly meaning: string
  readonly tone: Tone
  readonly icon: IconName
}

const stateWords: Readonly<Record<LeadState, Word>> = {
  accepted: { meaning: 'A new lead.', tone: 'good', icon: 'phone' },
  held: {
    meaning: 'It might be fake, or the person is on the do-not-call list. It won’t be sent unless someone approves it.',
    tone: 'waiting',
    icon: 'hand',
  },
  rejected: {
    meaning: 'Reviewed and rejected. It stays on file but won’t be sent unless approved later.',
    tone: 'calm',
    icon: 'ban',
  },
  repeat: { meaning: 'Same person submitted again within 30 days. Not counted as new.', tone: 'calm', icon: 'repeat' },
  erased: { meaning: 'This person’s data was erased.', tone: 'calm', icon: 'eraser' },
}

const deliveryWords: Readonly<Record<DeliveryState, Word>> = {
  delivered: { meaning: 'Delivered to your CRM.', tone: 'good', icon: 'phone' },
  pending: { meaning: 'Waiting to be sent, or waiting for the next retry.', tone: 'waiting', icon: 'clock' },
  dead: { meaning: 'All attempts failed. Resend it.', tone: 'bad', icon: 'alert' },
}

interface LeadBadgeProps {
  readonly state: LeadState
  readonly delivery: DeliveryState | null
  readonly doNotCall: boolean
}

/** For agents: a delivered lead can be called, unless the person asked not to be. */
export function LeadBadge({ state, delivery, doNotCall }: LeadBadgeProps) {
  const sent = state === 'accepted' && delivery
  if (sent === 'delivered' && doNotCall) {
    return (
      <Badge tone="bad" icon="phone-off" title="This person is on the do-not-call list.">
        Do not call
      </Badge>
    )
  }
  const { meaning, tone, icon } = sent ? deliveryWords[sent] : stateWords[state]
  return (
    <Badge tone={tone} icon={icon} title={meaning}>
      {sent === 'delivered' ? 'Ready to call' : sent ? deliveryNames[sent] : stateNames[state]}
    </Badge>
  )
}

export const heldReasonInWords = (reason: string) => describeHoldReason(reason).explanation
