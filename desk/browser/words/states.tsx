/** The state of a lead in the words of people who make calls, explained when pointed at. */
import { Ban, CircleSlash, Clock, Eraser, Hand, type LucideIcon, PhoneCall, Repeat2, TriangleAlert } from 'lucide-react'
import { holdReasonWords } from '../../../domain/hold-reasons.ts'
import type { DeliveryState, LeadState } from '../../../domain/lead-states.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

interface Word {
  readonly name: string
  readonly meaning: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

export const stateWords: Readonly<Record<LeadState, Word>> = {
  accepted: { name: 'Accepted', meaning: 'A new lead.', tone: 'good', icon: PhoneCall },
  held: { name: 'On hold', meaning: 'Something looked odd. Review it before it is sent.', tone: 'waiting', icon: Hand },
  rejected: { name: 'Rejected', meaning: 'Reviewed and rejected. Kept, and never sent.', tone: 'calm', icon: Ban },
  repeat: { name: 'Repeat', meaning: 'Same person within 30 days: not a new lead.', tone: 'calm', icon: Repeat2 },
  erased: { name: 'Erased', meaning: 'This person’s data was erased.', tone: 'calm', icon: Eraser },
}

export const deliveryWords: Readonly<Record<DeliveryState | 'none', Word>> = {
  delivered: { name: 'Delivered', meaning: 'Delivered to your webhook.', tone: 'good', icon: PhoneCall },
  pending: { name: 'Sending', meaning: 'Being sent to your webhook, or retried.', tone: 'waiting', icon: Clock },
  dead: { name: 'Delivery failed', meaning: 'All attempts failed. Resend it.', tone: 'bad', icon: TriangleAlert },
  none: { name: 'Not sent', meaning: 'A repeat, on hold, rejected, or erased.', tone: 'calm', icon: CircleSlash },
}

export function LeadBadge({ state, delivery }: { readonly state: LeadState; readonly delivery: DeliveryState | null }) {
  const { name, meaning, tone, icon } = state === 'accepted' && delivery ? deliveryWords[delivery] : stateWords[state]
  return (
    <Badge tone={tone} icon={icon} title={meaning}>
      {state === 'accepted' && delivery === 'delivered' ? 'Ready to call' : name}
    </Badge>
  )
}

export const heldReasonInWords = (reason: string) => holdReasonWords(reason).explanation
