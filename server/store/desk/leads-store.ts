/** What the desk does with leads beyond what servers and commands do. Part of the store's operations. */
import type { LeadFilter, LeadRecord } from '../lead-records.ts'
import type { SearchableLead } from '../search/search-text.ts'

export interface DeskLeadsStore {
  /** Of these leads those that the filter finds, in no order. */
  leadsAmong(request: { readonly ids: readonly string[]; readonly filter: LeadFilter }): Promise<readonly LeadRecord[]>
  /** How many the filter finds, but counted only so far. */
  countUpTo(request: { readonly filter: LeadFilter; readonly most: number }): Promise<number>
  /** What leads are searched by: of those after an id and before another in the order of their ids, or of these. */
  searchableLeads(
    which:
      | { readonly after: string; readonly before?: string; readonly limit: number }
      | { readonly ids: readonly string[] },
  ): Promise<readonly SearchableLead[]>
  /** Ids from one on and before another, in their order. */
  idsBetween(range: {
    readonly from: string
    readonly before: string
    readonly limit: number
  }): Promise<readonly string[]>
  countBetween(range: { readonly from: string; readonly before: string }): Promise<number>
  /** The leads that were erased since a time. */
  erasedSince(time: number): Promise<readonly string[]>
  /** By the store's own clock. */
  storeTime(): Promise<number>
  /** Puts a lead's own contacts on the do-not-call list or takes them off. How many were changed; null without such data. */
  suppressLead(order: LeadSuppression): Promise<number | null>
  unsuppressLead(order: LeadSuppression): Promise<number | null>
  /** Which of the lead's contacts are on the list. */
  listedContacts(leadId: string): Promise<readonly ContactKind[]>

  /**
   * From receipt to the webhook's yes, in milliseconds, of the latest leads since a time that were delivered, without those that
   * were held or sent again. Looked for among the latest ten times `limit`.
   */
  webhookTimes(request: { readonly since: number; readonly limit: number }): Promise<readonly number[]>
}

export type ContactKind = 'email' | 'phone'

export interface LeadSuppression {
  readonly leadId: string
  readonly contacts: readonly ContactKind[]
  readonly by: string
}
