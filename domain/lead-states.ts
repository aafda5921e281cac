/** Where a lead is: whether it may be delivered, and whether it was. */

export const leadStates = ['accepted', 'held', 'rejected', 'repeat', 'erased'] as const
export type LeadState = (typeof leadStates)[number]

export const stateNames: Readonly<Record<LeadState, string>> = {
  accepted: 'Accepted',
  held: 'On hold',
  rejected: 'Rejected',
  repeat: 'Repeat',
  erased: 'Erased',
}

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryNames: Readonly<Record<DeliveryState | 'none', string>> = {
  pending: 'Queued',
  delivered: 'Delivered',
  dead: 'Delivery failed',
  none: 'Not sent',
}
