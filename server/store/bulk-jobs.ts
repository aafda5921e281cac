/** Bulk jobs: changes to many leads that someone at the desk started. Stored, so that they survive a restart. */
import { randomUUID } from 'node:crypto'
import type { BulkActionName } from '../../domain/lead-actions.ts'
import type { SqlPort } from './sql.ts'

export interface BulkJobStore {
  startJob(order: NewJob): Promise<StoredJob>
  job(id: string): Promise<StoredJob | null>
  /** A job with work left; no other desk gets it until the lease ends. */
  leaseJob(order: { readonly leaseMs: number }): Promise<LeasedJob | null>
  /** Records what happened to the leased leads, and ends the lease. */
  settleJobLeads(settlement: {
    readonly jobId: string
    readonly outcomes: readonly { readonly leadId: string; readonly outcome: JobOutcome }[]
  }): Promise<void>
  /** `message`: why it stopped early, in plain words; null if everything is done. */
  finishJob(order: { readonly id: string; readonly message: string | null }): Promise<void>
}

/** `skipped`: the lead had changed, so the action no longer applied. */
export type JobOutcome = 'changed' | 'skipped' | 'failed'

export interface NewJob {
  readonly action: BulkActionName
  readonly by: string
  readonly leadIds: readonly string[]
  /** Selected, but left out from the start. */
  readonly skipped: number
  /** For a rejection: the operator's own words, deleted when the job is over. */
  readonly reason: string | null
  /** Also resend leads that were delivered. */
  readonly again: boolean
}

export interface StoredJob {
  readonly id: string
  readonly action: BulkActionName
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
  /** The person who started it has been dismissed since. */
  readonly isDismissed: boolean
  /** The next ones; empty when all are done. */
  readonly leadIds: readonly string[]
}

/** Leads handed out at a time. */
const BATCH = 50
const KEPT_MS = 90 * 24 * 60 * 60 * 1000

const columns = `id, action, started_by AS "by", started_at AS "startedAt", finished_at AS "finishedAt", message, total,
  changed, skipped, failed`

export function createBulkJobs({ read, transact, now, dialect }: SqlPort): BulkJobStore {
  return {
    async job(id) {
      const [job] = await read<StoredJob>(`SELECT ${columns} FROM desk_jobs WHERE id = $1`, [id])
      return job ?? null
    },
    startJob: ({ action, by, leadIds, skipped, reason, again }) =>
      transact(async (sql, at) => {
        const id = randomUUID()
        const ids = [...new Set(leadIds)]
        await sql('DELETE FROM desk_job_leads WHERE job_id IN (SELECT id FROM desk_jobs WHERE finished_at < $1)', [at])
        await sql('DELETE FROM desk_jobs WHERE finished_at < $1', [at - KEPT_MS])
        const [job] = await sql<StoredJob>(
          `INSERT INTO desk_jobs (id, action, started_by, started_at, total, changed, skipped, failed, reason, again, leased_until)
           VALUES ($1, $2, $3, $4, $5, 0, $6, 0, $7, $8, 0) RETURNING ${columns}`,
          [id, action, by, at, ids.length + skipped, skipped, reason, again ? 1 : 0],
        )
        await sql(
          `INSERT INTO desk_job_leads (job_id, lead_id) SELECT $1, lead_id FROM ${dialect.rowsOf('$2', ['lead_id'])} AS chosen`,
          [id, JSON.stringify(ids.map(leadId => ({ lead_id: leadId })))],
        )
        return job as StoredJob
      }),
    async leaseJob({ leaseMs }) {
      const due = 'finished_at IS NULL AND leased_until <= $1'
      // Desks poll for jobs, nearly always for nothing: read first, so that it costs no write.
      const [waiting] = await read<{ id: string }>(
        `SELECT id FROM desk_jobs WHERE ${due} ORDER BY started_at LIMIT 1`,
        [await now()],
      )
      if (!waiting) return null
      return transact(async (sql, at) => {
        const [job] = await sql<Omit<LeasedJob, 'again' | 'leadIds'> & { again: number; dismissed: number | null }>(
          `UPDATE desk_jobs SET leased_until = $3 WHERE id = $2 AND ${due} RETURNING id, action, started_by AS "by", reason, again,
             (SELECT dismissed_at FROM desk_people WHERE name = started_by) AS dismissed`,
          [at, waiting.id, at + leaseMs],
        )
        // Another desk was faster.
        if (!job) return null
        const leads = await sql<{ id: string }>(
          `SELECT lead_id AS id FROM desk_job_leads WHERE job_id = $1 AND outcome IS NULL ORDER BY lead_id LIMIT ${BATCH}`,
          [job.id],
        )
        const { dismissed, again, ...rest } = job
        return { ...rest, again: again === 1, isDismissed: dismissed !== null, leadIds: leads.map(({ id }) => id) }
      })
    },
    async settleJobLeads({ jobId, outcomes }) {
      await transact(async sql => {
        for (const { leadId, outcome } of outcomes) {
          const settled = await sql(
            'UPDATE desk_job_leads SET outcome = $3 WHERE job_id = $1 AND lead_id = $2 AND outcome IS NULL RETURNING lead_id',
            [jobId, leadId, outcome],
          )
          if (settled.length > 0) await sql(`UPDATE desk_jobs SET ${outcome} = ${outcome} + 1 WHERE id = $1`, [jobId])
        }
        await sql('UPDATE desk_jobs SET leased_until = 0 WHERE id = $1', [jobId])
      })
    },
    async finishJob({ id, message }) {
      await transact((sql, at) =>
        sql(
          'UPDATE desk_jobs SET finished_at = $2, message = $3, reason = NULL WHERE id = $1 AND finished_at IS NULL',
          [id, at, message],
        ),
      )
    },
  }
}
