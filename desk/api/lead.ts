/** One lead with everything that is known of it, and what may be done with it. */
import type { Contact } from '../../domain/lead.ts'
import type { DeliveryState, LeadState } from '../../server/store/lead-records.ts'
import type { LeadLine } from './leads.ts'

/** `GET /api/leads/:id`. The look is written into the lead's history, once in five minutes for each who looks. */
export interface LeadAnswer {
  readonly id: string
  readonly receivedAt: number
  readonly state: LeadState
  readonly heldReason: string | null
  readonly rejectedReason: string | null
  readonly repeatOf: string | null
  /** Null once erased. */
  readonly contact: LeadContact | null
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly page: string
  /** Every parameter that was kept of the page's address. */
  readonly campaignParameters: Readonly<Record<string, string>>
  /** As in LeadsFilter. */
  readonly campaign: string
  readonly variant: string
  readonly certificate: LeadCertificate | null
  readonly consent: ConsentAsSeen
  /** Null when it is not known which questions were asked. */
  readonly questionnaire: QuestionnaireAsSeen | null
  readonly delivery: LeadDelivery | null
  /** The oldest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly notes: readonly LeadNote[]
  /** Earlier and later leads of the same person, the oldest first. */
  readonly others: readonly LeadLine[]
  /** Which of the person's contacts are on the do-not-call list. */
  readonly doNotCall: { readonly email: boolean; readonly phone: boolean }
  /** What may be done now; an empty list for those who only look. */
  readonly actions: readonly LeadAction[]
  /** Why ERASURE_KEY must be set first, when it is not: erasing is then not among the actions. */
  readonly erasureNeeds: string | null
}

export interface LeadContact extends Contact {
  /** For click-to-call: tel:+15550102030 */
  readonly tel: string
}

export interface LeadCertificate {
  readonly url: string
  /** Whether it has the form that TrustedForm's certificates are known to have. */
  readonly formKnown: boolean
  readonly ageDays: number
  /** TrustedForm keeps one for 90 days unless it is retained; none are left when it is below zero. */
  readonly daysLeft: number
  readonly sandbox: boolean
}

/** The text and the button as the visitor saw them. */
export interface ConsentAsSeen {
  readonly version: string
  /** As presented, in JSON: see domain/consent.ts. */
  readonly presented: string
}

export interface QuestionnaireAsSeen {
  readonly version: string
  /** As presented, in JSON, with the answers that the lead implies: see domain/questions-as-asked.ts. */
  readonly presented: string
}

export interface LeadDelivery {
  readonly state: DeliveryState
  readonly attempts: number
  /** When it is tried next; null when it is not. */
  readonly nextAt: number | null
  readonly finishedAt: number | null
}

/**
 * What happened. `event` is one of the store's: received, released, rejected, replaced, put into the outbox again, delivered,
 * delivery failed, delivery dead, erased, looked, exported, suppressed, unsuppressed, note added, note removed.
 */
export interface TimelineEntry {
  readonly at: number
  readonly event: string
  /** Who did it: a person of the desk, or a user of the operator's machine; null when nobody did. */
  readonly by: string | null
  readonly detail: Readonly<Record<string, string | number | null>>
  /** For deliveries: how the attempt went. */
  readonly attempt: { readonly durationMs: number; readonly status: number | null; readonly outcome: string } | null
}

export interface LeadNote {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

export const leadActions = [
  'release',
  'reject',
  'redeliver',
  'suppress',
  'unsuppress',
  'erase',
  'add note',
  'remove note',
] as const
export type LeadAction = (typeof leadActions)[number]

/**
 * `POST /api/leads/:id/actions`, for those who act. Answers with a LeadAnswer, or with 409 and a message that says how the
 * lead stands now and what to do.
 */
export type LeadActionRequest =
  | { readonly action: 'release' }
  | { readonly action: 'reject'; readonly reason: string }
  /** One that was delivered is sent once more only when `again` says so. */
  | { readonly action: 'redeliver'; readonly again?: boolean }
  | { readonly action: 'suppress' | 'unsuppress'; readonly contacts: readonly ('email' | 'phone')[] }
  /** `confirmation`: the last name or the whole id, as typed. */
  | { readonly action: 'erase'; readonly confirmation: string }
  /** 2,000 characters at most. */
  | { readonly action: 'add note'; readonly text: string }
  | { readonly action: 'remove note'; readonly note: string }

export const LONGEST_NOTE = 2000
export const LONGEST_REASON = 200
