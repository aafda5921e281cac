/** Reports failures of background jobs: logs them, and raises an alert when a job has failed twice in a row. */
import { describeError, type Log, logEvents, logOnceAMinute } from '../process/log.ts'
import type { ReportFailures } from '../process/timers.ts'
import { reasonOf, StoreUnavailable } from '../store/store-errors.ts'
import type { Alerts } from './alerts.ts'

export function createFailureReports(alerts: Pick<Alerts, 'raise'>, log: Log): ReportFailures {
  const logRarely = logOnceAMinute(log)
  return code => (error, inARow) => {
    logRarely(code, { reason: reasonOf(error), ...describeError(error) })
    // A store that's down has an alert already.
    if (inARow < 2 || error instanceof StoreUnavailable) return
    const text = `Part of the server keeps failing: ${logEvents[code]}. Everything else goes on. Look for ${code} in the log.`
    alerts.raise('jobs_failing', text, { detail: { job: code } })
  }
}
