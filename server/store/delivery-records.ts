/** Deliveries as whoever makes them sees them: what is leased, what it carries, how it ended, and what is waiting. */
import type { Contact, TrustedFormMode } from '../../domain/lead.ts'
import type { KeptCertificate } from './lead-records.ts'

export interface LeaseOrder {
  readonly limit: number
  readonly leaseMs: number
}

/** What a webhook may be told of a lead. */
export interface LeadToSend {
  readonly leadId: string
  readonly receivedAt: number
  /** The lead that it repeats: it is then told of as a repeat. */
  readonly repeatOf: string | null
  readonly contact: Contact
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  readonly clientAddress: string
  readonly userAgent: string
  readonly certificate: KeptCertificate | null
  readonly trustedForm: TrustedFormMode | null
  readonly consentVersion: string
  readonly consentPresented: string
  readonly questionnaireVersion: string | null
  readonly questionnairePresented: string | null
}

/** A delivery that is ours to send until the lease ends; after that it comes due again by itself. */
export interface LeasedDelivery extends LeadToSend {
  /** The same for every attempt, so that the receiver can tell a repetition. */
  readonly webhookId: string
  /** Random, and new with every lease: tells this lease from an earlier or a later one of the same delivery. */
  readonly leaseToken: string
  /** Made before this one. */
  readonly attempts: number
}

/** A reason is in plain words, without personal data. */
export type Settlement = Pick<LeasedDelivery, 'leadId' | 'leaseToken'> & {
  /** How long the attempt took: it ends with this call. */
  readonly durationMs: number
  /** The HTTP status, if there was an answer. */
  readonly status: number | null
} & (
    | { readonly result: 'delivered' }
    | { readonly result: 'retry'; readonly reason: string; readonly retryInMs: number }
    | { readonly result: 'dead'; readonly reason: string }
  )

export interface Backlog {
  readonly pending: number
  readonly oldestPendingAgeMs: number
  readonly dead: number
  readonly held: number
  readonly oldestHeldAgeMs: number
  /** By how much the newest lead is ahead of the clock: not at all, unless the clock was set back. */
  readonly aheadMs: number
}

/** The words are the operator's own, so they are for operators only: never for a log or an alert. */
export interface DeliveryPause {
  readonly since: number
  readonly ageMs: number
  /** Empty when none was given. */
  readonly reason: string
  /** Who paused them: a user of the operator's machine. */
  readonly by: string
}
