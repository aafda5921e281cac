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
  /** Writes into the lead's history who looked at it, unless they did so within this time. False when nothing was written. */
  recordLook(look: { readonly id: string; readonly by: string; readonly restMs: number }): Promise<boolean>
  recordExport(order: { readonly ids: readonly string[]; readonly by: string }): Promise<void>

  // Notes are about people, so they go with the lead's other data when it is erased; that there was one stays in history.
  /** Null when there is no such lead, or it was erased. */
  addNote(note: { readonly leadId: string; readonly by: string; readonly text: string }): Promise<StoredNote | null>
  /** False when it is not there any more. */
  removeNote(order: { readonly leadId: string; readonly noteId: string; readonly by: string }): Promise<boolean>
  /** The oldest first. */
  notesOf(leadId: string): Promise<readonly StoredNote[]>

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
  /** Changes whenever anybody has changed anything in the store, and now and then without that. */
  changeMark(): Promise<string>

  // Jobs: changes of many leads, one after the other, by whichever desk is running.
  startJob(order: NewJob): Promise<StoredJob>
  job(id: string): Promise<StoredJob | null>
  /** The newest first. */
  jobs(limit: number): Promise<readonly StoredJob[]>
  /** One that is to go on: for as long as the lease lasts no other desk gets it. */
  leaseJob(order: { readonly leaseMs: number }): Promise<LeasedJob | null>
  /** What became of the leads that came with the lease, which ends by this. */
  settleJobLeads(settlement: {
    readonly jobId: string
    readonly outcomes: readonly { readonly leadId: string; readonly outcome: JobOutcome }[]
  }): Promise<void>
  /** `message`: why it stopped before its end, in plain words; null when all is done. */
  finishJob(order: { readonly id: string; readonly message: string | null }): Promise<void>
}

export interface StoredNote {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly text: string
}

export type ContactKind = 'email' | 'phone'

export interface LeadSuppression {
  readonly leadId: string
  readonly contacts: readonly ContactKind[]
  readonly by: string
}

export const jobActions = ['release', 'reject', 'redeliver'] as const
export type JobAction = (typeof jobActions)[number]

/** `skipped`: it was no longer in a state in which it could happen. */
export const jobOutcomes = ['changed', 'skipped', 'failed'] as const
export type JobOutcome = (typeof jobOutcomes)[number]

export interface NewJob {
  readonly action: JobAction
  readonly by: string
  readonly leadIds: readonly string[]
  /** Chosen, but left out from the start. */
  readonly skipped: number
  /** For a rejection: the operator's own words, which are forgotten when the job is over. */
  readonly reason: string | null
  /** Redelivers those that were delivered, too. */
  readonly again: boolean
}

export interface StoredJob {
  readonly id: string
  readonly action: JobAction
  readonly by: string
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly message: string | null
  readonly total: number
  readonly changed: number
  readonly skipped: number
  readonly failed: number
}

export interface LeasedJob extends Pick<NewJob, 'action' | 'by' | 'reason' | 'again'> {
  readonly id: string
  /** Whoever ordered it may not do so any more. */
  readonly isDismissed: boolean
  /** The next ones; none when all are done. */
  readonly leadIds: readonly string[]
}
