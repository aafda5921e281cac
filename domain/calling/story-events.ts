/**
 * What can happen to a phone number. Events are only ever added, each with the next count under the number's lock. Their times are data:
 * servers' clocks differ and are set back.
 */
import type { CallOutcomeName } from './outcomes.ts'

/** A desk user. */
export interface Agent {
  readonly id: string
  readonly name: string
}

interface Happened {
  /** The event's place in the story. */
  readonly n: number
  readonly at: number
}

interface AboutLead extends Happened {
  readonly leadId: string
}

/** An accepted lead, or a repeat of one. `desk`: whether the desk calls it, and not only a CRM. */
export interface Submitted extends AboutLead {
  readonly kind: 'submitted'
  readonly desk: boolean
  readonly language: string
  /** When the person asked, if someone approved the lead later. */
  readonly askedAt?: number
  /** Said yes on the phone, and signed nothing. */
  readonly spoken?: boolean
}

export interface Dialed extends AboutLead {
  readonly kind: 'dialed'
  readonly id: string
  readonly by: Agent
  /** Where we thought the person was: `FL Central or Eastern`. */
  readonly place: string | null
  /** Why an editor called against the rules. */
  readonly reason: string | null
}

/** The person called us, and someone took the call: no dial of ours, so no limits, no hours, and not a try. */
export interface Incoming extends AboutLead {
  readonly kind: 'incoming'
  readonly id: string
  readonly by: Agent
  readonly place: string | null
}

/** What came of a call, for some of the people on the number. One call can have several. */
export interface Said extends AboutLead {
  readonly kind: 'said'
  readonly id: string
  readonly by: Agent
  /** Where in the story it was dialed or came in; null for a call on another phone. */
  readonly dial: number | null
  /** The ID of the first outcome that was saved with this one. */
  readonly with: string | null
  /** When it was made on another phone; null if that's unknown. */
  readonly calledAt: number | null
  readonly place: string | null
  readonly outcome: CallOutcomeName
  readonly callbackAt: number | null
  /** The leads it was about. */
  readonly leads: readonly string[]
  readonly noteId: string | null
}

/** What was said on a call to another number of the same person. */
export interface Answered extends Happened {
  readonly kind: 'answered'
  readonly id: string
  readonly by: Agent
  readonly outcome: CallOutcomeName
  readonly leads: readonly string[]
  /** For a lead that was replaced during the call in which it was promised. */
  readonly callbackAt: number | null
  readonly place: string | null
}

/** Undoes an outcome, or takes a dial back. */
export interface Corrected extends Happened {
  readonly kind: 'corrected'
  readonly id: string
  readonly by: Agent
  readonly corrects: number
  /** For a replacement: what it takes over without an outcome that was undone. */
  readonly takenOver?: TakenOver
}

/** Only in stores from before 0.9.0: when the next try was due. */
interface Planned extends AboutLead {
  readonly kind: 'planned'
  readonly dueAt: number
}

/** The person has another number, so another lead takes this one's place, in that number's story. */
export interface Replaced extends AboutLead {
  readonly kind: 'replaced'
  readonly by: Agent
  /** The lead that replaces it. */
  readonly replacedBy: string
}

/** Goes on here, with what it takes over. */
export interface Replaces extends AboutLead {
  readonly kind: 'replaces'
  readonly by: Agent
  /** The leads whose place it took. */
  readonly from: readonly string[]
  readonly takenOver: TakenOver
}

/** What a lead takes over from those that it replaces. */
export interface TakenOver {
  readonly desk: boolean
  /** Said yes to this number on the phone. */
  readonly spoken?: boolean
  readonly language: string
  /** When the person asked. */
  readonly askedAt: number
  /** Nobody has spoken with them. */
  readonly isNew: boolean
  readonly promise: (PromisedCall & { readonly by: Agent }) | null
  /** When the person would like the first call. */
  readonly preferred: PreferredTime | null
  readonly answer: string | null
  /** What came of its calls so far. */
  readonly outcomes: readonly string[]
  readonly last: { readonly at: number; readonly outcome: string; readonly by: Agent } | null
  /** When the other number was called within the last 24 hours. They count toward three, but leave no gap: nobody picked up here. */
  readonly dials: readonly number[]
  /** Set by an agent. Until one sets it here, calls must be allowed there, too. */
  readonly place: { readonly id: string; readonly by: string } | null
}

export interface PromisedCall {
  readonly at: number
  /** In whose time. */
  readonly place: string | null
}

/** When the person would like the first call. A preference: nobody promised it. */
interface Preferred extends AboutLead {
  readonly kind: 'preferred'
  readonly time: PreferredTime
}

export interface PreferredTime {
  readonly from: number
  readonly until: number
}

export type StoryEvent =
  | Submitted
  | Dialed
  | Incoming
  | Said
  | Answered
  | Corrected
  | Planned
  | Replaced
  | Replaces
  | Preferred
  /** `leaves`: for someone who speaks their language. */
  | (AboutLead & { readonly kind: 'skipped'; readonly by: Agent; readonly leaves?: boolean })
  /** Callbacks are a colleague's now. `promises`: where in the story they were made. Those made later aren't given. */
  | (AboutLead & {
      readonly kind: 'given'
      readonly by: Agent
      readonly promises: readonly number[]
      readonly to: Agent
    })
  | (AboutLead & { readonly kind: 'taken over'; readonly by: Agent; readonly from: string })
  | (AboutLead & { readonly kind: 'place'; readonly by: Pick<Agent, 'name'>; readonly place: string | null })
  | (AboutLead & { readonly kind: 'language'; readonly by: Pick<Agent, 'name'>; readonly language: string })
  | (AboutLead & { readonly kind: 'erased' })
  /** Only in stores from before 0.9.0: called once, then put on hold, rejected, or replaced. */
  | (AboutLead & { readonly kind: 'set aside' })

type Without<Event, Keys extends string> = Event extends unknown ? Omit<Event, Keys> : never
/** An event before it has a place in the story. */
export type NewEvent = Without<StoryEvent, 'n'>

/** A call begins: we dial, or someone calls us. */
export const isStart = (event: StoryEvent): event is Dialed | Incoming =>
  event.kind === 'dialed' || event.kind === 'incoming'
