/** Starts what erases old leads, and says in the log what it did. */
import { Worker } from 'node:worker_threads'
import { CONSENT_RECORD_DAYS, type Config } from '../config.ts'
import { describeError, type Log } from '../log.ts'
import type { RetentionOrder, RetentionReport } from './retention-thread.ts'

/** Answers with the way to stop it: a batch that is under way is erased as a whole or not at all. */
export function startRetention(config: Config, log: Log): () => Promise<void> {
  const { retentionDays: days, erasureKey: key, dataDir, databaseUrl } = config
  if (days === null || key === null) return async () => {}
  if (days < CONSENT_RECORD_DAYS) log('retention_short', { days, lawDays: CONSENT_RECORD_DAYS })
  const workerData: RetentionOrder = { days, key, dataDir, databaseUrl }
  const thread = new Worker(new URL('./retention-thread.ts', import.meta.url), { workerData })
  thread.on('message', (report: RetentionReport) => {
    if ('reason' in report) log('retention_failed', { level: 'alert', reason: report.reason })
    else if (report.leads > 0) log('leads_expired', { leads: report.leads, days })
  })
  // Leads are taken and delivered without it.
  thread.on('error', error => log('retention_failed', { level: 'alert', ...describeError(error) }))
  return async () => {
    await thread.terminate()
  }
}
