/** Bulk jobs, started from the desk: one action on many leads. Jobs are stored, so they survive a restart. */
import { randomUUID } from 'node:crypto'
import type { BulkActionName } from '../../../domain/lead-actions.ts'
import type { LeadState } from '../../../domain/lead-states.ts'
import { insert, insertAll, type SqlPort } from '../sql.ts'

/** `skipped`: the lead had changed, so the action no longer applied. */
export type JobOutcome = 'changed' | 'skipped' | 'failed'

export interface NewJob {
  readonly action: BulkActionName
  readonly by: string
  /** Each lead with its state when the user selected it. */
  readonly leads: readonly { readonly id: string; readonly state: LeadState }[]
  /** Leads that were selected but left out from the start. */
  readonly skipped: number
  /** For a rejection: free text from the operator, deleted when the job ends. */
  readonly reason: string | null
  /** Also resend delivered leads. */
  readonly again: boolean
}

export interface StoredJob extends Pick<NewJob, 'action' | 'by' | 'skipped'> {
  readonly id: string
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly message: string | null
  readonly total: number
  readonly changed: number
  readonly failed: number
}

export interface LeasedJob extends Omit<NewJob, 'skipped' | 'leads'> {
  readonly id: string
  /** The state is null in jobs from before 0.7.0. */
  readonly leads: readonly { readonly id: string; readonly state: LeadState | null }[]
  /** The person who started it was removed from the desk. */
  readonly starterRemoved: boolean
}

type LeadOutcome = { readonly leadId: string; readonly outcome: JobOutcome }

/** Small, because captures wait for each batch. */
const BATCH = 10
const RETENTION_MS = 90 * 24 * 60 * 60 * 1000

const columns = `id, action, started_by AS "by", started_at AS "startedAt", finished_at AS "finishedAt", message, total,
  changed, skipped, failed`

export function createBulkJobs({ read, transact, now, dialect }: SqlPort) {
  return {
    async job(id: string) {
      const [job] = await read<StoredJob>(`SELECT ${columns} FROM desk_jobs WHERE id = $1`, [id])
      return job ?? null
    },
    startJob: ({ action, by, leads, skipped, reason, again }: NewJob) =>
      transact(async (sql, at) => {
        const id = randomUUID()
        const states = new Map(leads.map(lead => [lead.id, lead.state]))
        await sql('DELETE FROM desk_job_leads WHERE job_id IN (SELECT id FROM desk_jobs WHERE finished_at < $1)', [at])
        await sql('DELETE FROM desk_jobs WHERE finished_at < $1', [at - RETENTION_MS])
        const counts = { total: states.size + skipped, changed: 0, skipped, failed: 0 }
        const order = { id, action, started_by: by, started_at: at, reason, again: again ? 1 : 0, leased_until: 0 }
        const [job] = await insert<StoredJob>(sql, 'desk_jobs', { ...order, ...counts }, `RETURNING ${columns}`)
        const rows = [...states].map(([leadId, state]) => ({ job_id: id, lead_id: leadId, seen_state: state }))
        await insertAll(sql, dialect, 'desk_job_leads', rows)
        return job as StoredJob
      }),
    /** Leases a job that has work left. No other desk gets it until the lease expires. */
    async leaseJob({ leaseMs }: { readonly leaseMs: number }): Promise<LeasedJob | null> {
      const due = 'finished_at IS NULL AND leased_until <= $1'
      // Desks poll, and there's almost never a job, so read first to avoid a write.
      const [waiting] = await read<{ id: string }>(
        `SELECT id FROM desk_jobs WHERE ${due} ORDER BY started_at LIMIT 1`,
        [await now()],
      )
      if (!waiting) return null
      return transact(async (sql, at) => {
        const [job] = await sql<Omit<LeasedJob, 'again' | 'leads'> & { again: number; removed: number | null }>(
          `UPDATE desk_jobs SET leased_until = $3 WHERE id = $2 AND ${due} RETURNING id, action, started_by AS "by", reason, again,
             (SELECT dismissed_at FROM desk_people WHERE name = started_by) AS removed`,
          [at, waiting.id, at + leaseMs],
        )
        // Another desk got there first.
        if (!job) return null
        const leads = await sql<LeasedJob['leads'][number]>(
          `SELECT lead_id AS id, seen_state AS state FROM desk_job_leads WHERE job_id = $1 AND outcome IS NULL ORDER BY lead_id LIMIT ${BATCH}`,
          [job.id],
        )
        const { removed, again, ...rest } = job
        return { ...rest, again: again === 1, starterRemoved: removed !== null, leads }
      })
    },
    /** Records the outcomes for the leased leads and ends the lease. */
    async settleJobLeads({ jobId, outcomes }: { jobId: string; outcomes: readonly LeadOutcome[] }) {
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
    /** `message`: why it stopped early, in plain English; null if it didn't. */
    async finishJob({ id, message }: { readonly id: string; readonly message: string | null }) {
      await transact((sql, at) =>
        sql(
          'UPDATE desk_jobs SET finished_at = $2, message = $3, reason = NULL WHERE id = $1 AND finished_at IS NULL',
          [id, at, message],
        ),
      )
    },
  }
}
