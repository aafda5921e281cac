/** Changes of many leads at once: counted before, carried out behind the scenes, told of after. */
import type { LeadsFilter } from './leads.ts'

export const jobActions = ['release', 'reject', 'redeliver'] as const
export type JobAction = (typeof jobActions)[number]

/** The selection, or everything that the filter finds. */
export type JobLeads = { readonly ids: readonly string[] } | { readonly filter: LeadsFilter }

export interface JobOrder {
  readonly action: JobAction
  readonly leads: JobLeads
  /** Redelivers those that were delivered, too; they are left out otherwise. */
  readonly again?: boolean
  /** For a rejection. */
  readonly reason?: string
}

/**
 * `POST /api/jobs/count`, for those who act: what the job would do, before it is confirmed. What is counted is what is then
 * changed: leads that come later are not among them.
 */
export interface JobCount {
  /** Of the leads that were chosen, those to which it would happen, and those that would be left alone. */
  readonly would: number
  readonly skipped: number
  /** More than MOST_COUNTED were found: the job would not be begun. */
  readonly tooMany: boolean
  /** To be sent back with the order: the job is about leads of before this instant. */
  readonly frozenAt: number
}

/** `POST /api/jobs`, for those who act. Answers with a JobAnswer; 409 when there are too many leads or none. */
export interface JobRequest extends JobOrder {
  readonly frozenAt: number
}

export const jobStates = ['running', 'done', 'stopped'] as const
/** `stopped`: it could not go on, `message` says why; what is done is done. A restart of the desk only delays it. */
export type JobState = (typeof jobStates)[number]

/** `GET /api/jobs/:id` */
export interface JobAnswer {
  readonly id: string
  readonly action: JobAction
  readonly by: string
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly state: JobState
  readonly total: number
  readonly changed: number
  /** Not any more in a state in which it could happen to them. */
  readonly skipped: number
  readonly failed: number
  readonly message: string | null
}
