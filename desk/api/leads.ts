/** The list of leads: what the browser asks for, and what it gets. */
import type { DeliveryState, LeadState } from '../../server/store/lead-records.ts'

/**
 * Which leads are meant: one type for the list, its count, a job and an export. All that is given must hold. Everything
 * but `search` may stand in an address; `search` is personal data, and travels in bodies alone.
 */
export interface LeadsFilter {
  /** As typed: parts of a name, an email, or a phone number, or the start of an id. */
  readonly search?: string
  readonly state?: LeadState
  readonly delivery?: DeliveryState | 'none'
  /** The path of the page. */
  readonly page?: string
  /** The key of a campaign, as Today has it; empty for leads without one. */
  readonly campaign?: string
  /** From this instant on, in milliseconds since the epoch as all times. */
  readonly since?: number
  /** Up to this instant, without it. */
  readonly until?: number
}

export const leadSorts = ['newest', 'oldest', 'name'] as const
/** `name`: last name, then first name; only while the filter finds at most MOST_COUNTED leads. */
export type LeadSort = (typeof leadSorts)[number]

/** What is sorted by name, what one job changes, and up to where leads are counted exactly. */
export const MOST_COUNTED = 10_000

/** `POST /api/leads/search` */
export interface LeadsRequest {
  readonly filter: LeadsFilter
  /** `newest` unless said. */
  readonly sort?: LeadSort
  /** `next` of the page before; null for the first. */
  readonly after?: string | null
  /** 50 unless said, 200 at most. */
  readonly limit?: number
}

export interface LeadsAnswer {
  readonly leads: readonly LeadLine[]
  /** For the next page; null when this is the last. */
  readonly next: string | null
  /** With the first page, where it is known without counting; else null: `POST /api/leads/count` has it. */
  readonly count: LeadsCount | null
}

export interface LeadLine {
  readonly id: string
  readonly receivedAt: number
  readonly state: LeadState
  readonly heldReason: string | null
  /** Null once erased, as is the phone. */
  readonly firstName: string | null
  readonly lastName: string | null
  readonly phone: string | null
  readonly page: string
  /** As in LeadsFilter. */
  readonly campaign: string
  /** Null for a lead that is not in the outbox. */
  readonly delivery: DeliveryState | null
}

/** `POST /api/leads/count` with a LeadsFilter as `filter`: apart from the page, which need not wait where counting takes time. */
export interface LeadsCountRequest {
  readonly filter: LeadsFilter
}

export interface LeadsCount {
  readonly total: number
  /** False when there are more than `total`, which is then MOST_COUNTED. */
  readonly exact: boolean
}

/** `GET /api/leads/choices`: what the filters offer, from the last 90 days, the most frequent first. */
export interface LeadsChoices {
  readonly pages: readonly string[]
  /** Keys, as in LeadsFilter. */
  readonly campaigns: readonly string[]
}

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

/**
 * `POST /api/leads/export`: the file, streamed; for those who act. `X-Leads-Total` has how many it will be about (the count
 * of before), for the progress; a stream that ends early ends with an error. Each lead's history says who exported it.
 */
export interface ExportRequest {
  readonly filter: LeadsFilter
  readonly format: ExportFormat
}
