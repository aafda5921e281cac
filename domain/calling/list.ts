/** Terms of the call list that the store, the desk's server, and its pages share. */

export type CallKind = 'new' | 'retry' | 'callback'

/** Why someone on the list can't be called right now, completing "2 …". */
export const waitReasons = {
  hours: 'outside calling hours',
  limit: 'called too recently',
  claimed: 'claimed by a colleague',
  mine: 'claimed by you',
  callback: 'held for a colleague’s callback',
  promised: 'with a callback scheduled',
  language: 'for a colleague who speaks their language',
  skipped: 'skipped by you',
  place: 'without a known time zone',
  later: 'scheduled for later',
  spoken: 'whose spoken yes is too long ago',
} as const
export type WaitReason = keyof typeof waitReasons

/** Parts of the list with a page of their own, for the figures that count them. */
export const callGroups = {
  callbacks: 'Callbacks due today',
  mine: 'My callbacks',
  missed: 'Missed callbacks',
  waiting: 'Waiting over 30 minutes',
  new: 'Not called yet',
  left: 'Callbacks of colleagues who were removed',
} as const
export type CallGroup = keyof typeof callGroups
export const callGroupNames = Object.keys(callGroups) as readonly CallGroup[]

/** Languages that leads and agents speak. */
export const callLanguages = ['en', 'es'] as const
export type CallLanguage = (typeof callLanguages)[number]
