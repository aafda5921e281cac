/** Where a lead is: whether it may be delivered, and whether it was. */

export const leadStates = ['accepted', 'held', 'rejected', 'repeat', 'erased'] as const
export type LeadState = (typeof leadStates)[number]

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]
