/** What became of a lead, in the words of people who call others back; each is explained where it is pointed at. */
import { Ban, Check, CircleSlash, Clock, Eraser, Hand, type LucideIcon, Repeat2, TriangleAlert } from 'lucide-react'
import { holdReasonWords } from '../../../domain/hold-reasons.ts'
import type { DeliveryState, LeadState } from '../../../server/store/lead-records.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

interface Word {
  readonly name: string
  readonly meaning: string
  readonly tone: Tone
  readonly icon: LucideIcon
}

export const stateWords: Readonly<Record<LeadState, Word>> = {
  accepted: { name: 'Accepted', meaning: 'A new person, taken and delivered.', tone: 'good', icon: Check },
  held: {
    name: 'Held',
    meaning: 'Something looked odd: a person decides before it is delivered.',
    tone: 'waiting',
    icon: Hand,
  },
  rejected: { name: 'Rejected', meaning: 'Looked at and refused: kept, and never delivered.', tone: 'calm', icon: Ban },
  repeat: {
    name: 'Repeat',
    meaning: 'The same person again within 30 days: not a new lead.',
    tone: 'calm',
    icon: Repeat2,
  },
  erased: { name: 'Erased', meaning: 'The person’s data is gone for good.', tone: 'calm', icon: Eraser },
}

export const deliveryWords: Readonly<Record<DeliveryState | 'none', Word>> = {
  delivered: { name: 'Delivered', meaning: 'The webhook has taken it.', tone: 'good', icon: Check },
  pending: { name: 'Waiting', meaning: 'It is sent soon, or tried again.', tone: 'waiting', icon: Clock },
  dead: {
    name: 'Did not arrive',
    meaning: 'Every attempt failed: send it again by hand.',
    tone: 'bad',
    icon: TriangleAlert,
  },
  none: {
    name: 'Not to be sent',
    meaning: 'A repeat, held, rejected or erased lead.',
    tone: 'calm',
    icon: CircleSlash,
  },
}

/** One word for both: what became of it so far. */
export function LeadBadge({ state, delivery }: { readonly state: LeadState; readonly delivery: DeliveryState | null }) {
  const { name, meaning, tone, icon } = state === 'accepted' && delivery ? deliveryWords[delivery] : stateWords[state]
  return (
    <Badge tone={tone} icon={icon} title={meaning}>
      {name}
    </Badge>
  )
}

export const heldReasonInWords = (reason: string) => holdReasonWords(reason).explanation
