/** Leads as the store's callers see them, and the filters used to select them. Plain data, independent of the tables. */
import type { CampaignKey } from '../../../../domain/campaigns/campaign.ts'
import type { ContactField } from '../../../../domain/contact/contact-fields.ts'
import type { Contact, TrustedFormMode } from '../../../../domain/leads/lead.ts'
import type { OwnFilters } from '../../../../domain/leads/lead-filters.ts'
import type { DeliveryState, LeadState } from '../../../../domain/leads/lead-states.ts'
import type { Correction } from './corrections.ts'
import type { MessageState, SentToCrm } from './states.ts'

/** The person's data is null once erased. Times are in milliseconds since the epoch. */
export interface LeadFacts {
  readonly id: string
  readonly receivedAt: number
  readonly state: LeadState
  readonly heldReason: string | null
  readonly rejectedReason: string | null
  readonly repeatOf: string | null
  /** The lead that took its place, because the person has another number. */
  readonly replacedBy: string | null
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  /** Which variant of the page the visitor saw; empty if there was only one. */
  readonly variant: string
  readonly certificate: StoredCertificate | null
  /** Whether the form requested a certificate; null for leads from before we recorded this. */
  readonly trustedForm: TrustedFormMode | null
  readonly consentVersion: string
  /** For spoken consent: who took the call. Null if it was given on the form. */
  readonly consentTakenBy: string | null
  readonly questionnaireVersion: string | null
  /** Of the page the visitor used, such as `en` or `es`. */
  readonly language: string
  /** The day on which the person became a client. */
  readonly clientOn: string | null
}

/** As the store's operations read it: lead-rows.ts. */
export interface StoredLead extends LeadFacts {
  readonly contact: Contact | null
  /** Ten digits and a lowercase address, or an empty one: as on the do-not-call list. */
  readonly phone: string | null
  readonly email: string | null
  readonly personKey: string | null
}

/** One that isn't erased. */
export type KnownLead = StoredLead & {
  readonly [Name in 'contact' | 'phone' | 'email' | 'personKey']: NonNullable<StoredLead[Name]>
}

/** As the store's callers see it. */
export interface LeadRecord extends LeadFacts, Readonly<Record<ContactField, string | null>> {
  readonly delivery: DeliveryRecord | null
}

export interface StoredCertificate {
  readonly url: string
  /** Whether the URL has TrustedForm's known certificate format. */
  readonly formKnown: boolean
}

export interface DeliveryRecord {
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: number
  readonly finishedAt: number | null
  /** What the last attempt came to; null unless delivery failed. */
  readonly error: string | null
}

export interface LeadDetails extends LeadRecord {
  /** An outcome of a call was that they move forward. */
  readonly wasReached: boolean
  readonly sentToCrm: SentToCrm
  /** The message that tells the CRM of a stop: `told` if it heard, or said so itself. Null: there's none. */
  readonly stopForCrm: MessageState | null
  readonly consentPresented: string
  /** Whether a review compared it with the English text in it. */
  readonly isReviewedWithEnglish: boolean
  readonly questionnairePresented: string | null
  /** Oldest first. */
  readonly corrections: readonly Correction[]
  readonly history: readonly HistoryLine[]
  readonly deliveryAttempts: readonly DeliveryAttempt[]
  readonly otherLeadsBySamePerson: readonly string[]
}

export interface HistoryLine {
  readonly at: number
  readonly event: string
  /** A JSON object without personal data. */
  readonly detail: string
}

export interface DeliveryAttempt {
  readonly at: number
  readonly durationMs: number
  /** `delivered`, or why not, in plain English. */
  readonly outcome: string
  readonly status: number | null
}

/** A lead must meet every condition that is set. */
export interface LeadFilter extends OwnFilters {
  readonly campaign?: readonly { readonly name: string; readonly value: string }[]
  /** The key a campaign's leads are counted under; see domain/campaigns/campaign.ts. */
  readonly campaignKey?: CampaignKey
  /** The whole address, case-insensitive. */
  readonly email?: string
  /** The whole number, in any format. */
  readonly phone?: string
  /** What someone typed: parts of a name, an email, or a phone number, or the start of an ID. */
  readonly search?: string
  /** The ID of a lead. Matches that lead and all others from the same person. */
  readonly samePersonAs?: string
  readonly since?: number
  readonly until?: number
  readonly call?: CallFilter
}

/** Leads whose number had such a call. All conditions are about the same call. */
export interface CallFilter {
  readonly outcomes?: readonly string[]
  readonly personId?: string
  /** Whether they called us. */
  readonly incoming?: boolean
  /** Of several leads that look like one person, only the first. */
  readonly eachPersonOnce?: boolean
  readonly since?: number
  readonly until?: number
  /** For when it promised a callback. */
  readonly callbackSince?: number
  readonly callbackUntil?: number
  /** The callback that it promised wasn't made in time: for those still open, as of this time. */
  readonly missedAt?: number
}

export type Person = { readonly id: string } | { readonly email: string } | { readonly phone: string }
