/** What happens to entries on the do-not-call list, with their words for the timeline and the contact record. */
import { type RemovalRequest, removalText, type StopSource, stopText } from '../do-not-call/do-not-call.ts'

const texts = {
  added: 'added to the do-not-call list',
  confirmed: 'already on the do-not-call list; asked again',
  undone: 'removed from the do-not-call list (Undo)',
  removed: 'removed from the do-not-call list',
  restored: 'put back on the do-not-call list',
} as const

const STAYS = 'stays on the do-not-call list; one of its requests was taken back (Undo)'

export type ListChange = keyof typeof texts
export const listChanges = Object.keys(texts) as readonly ListChange[]

/** `stays`: something else keeps it on the list. */
export const listChangeText = (change: ListChange, contact: 'phone' | 'email', stays = false) =>
  `${contact === 'phone' ? 'Phone number' : 'Email'} ${stays ? STAYS : texts[change]}`

/** Of an addition, `source` is how it came in, and `askedOn` the date of a letter or an email. */
export interface ListChangeRequest {
  readonly askedBy?: RemovalRequest['askedBy'] | null | undefined
  readonly askedOn?: string | null | undefined
  readonly source?: StopSource | null | undefined
  /** Undone, but another request keeps it on the list. */
  readonly stays?: boolean | undefined
}

/** What the change goes back to: how someone asked, or who wanted to be called again. Null if that's not known. */
export function listChangeReason(change: ListChange, { askedBy, askedOn, source }: ListChangeRequest): string | null {
  if (askedBy && askedOn) return removalText({ askedBy, askedOn })
  const isAddition = change === 'added' || change === 'confirmed'
  return isAddition && source ? stopText(source, askedOn) : null
}

/** Each change's kind in a lead's history. */
export const leadEventOf = {
  added: 'suppressed',
  removed: 'unsuppressed',
  confirmed: 'confirmed do not call',
  undone: 'undid do not call',
  restored: 'put back on do-not-call list',
} as const
