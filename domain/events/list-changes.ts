/** What happens to entries on the do-not-call list, with their words for the timeline and the contact record. */
const texts = {
  added: 'added to the do-not-call list',
  confirmed: 'already on the do-not-call list; asked again',
  undone: 'removed from the do-not-call list (Undo)',
  removed: 'removed from the do-not-call list',
} as const

export type ListChange = keyof typeof texts
export const listChanges = Object.keys(texts) as readonly ListChange[]

export const listChangeText = (change: ListChange, contact: 'phone' | 'email') =>
  `${contact === 'phone' ? 'Phone number' : 'Email'} ${texts[change]}`

/** Its kind in a lead's history. */
export const leadEventOf = {
  added: 'suppressed',
  removed: 'unsuppressed',
  confirmed: 'confirmed do not call',
  undone: 'undid do not call',
} as const
