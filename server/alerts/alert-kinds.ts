/** What alerts there are, and how each of them ends. Their words stand with those of the log. */
import type { LogCode } from '../log-events.ts'

export interface AlertKind {
  /** What the log says when it is over. */
  readonly over: LogCode
  /**
   * `store`: found in the store, which all replicas share, so that one of them tells for all. `process`: what this process
   * met with, told by it alone and without the store, since the store may be what is gone.
   */
  readonly seenIn: 'store' | 'process'
  /** Over by itself when it was not raised again for so long. Without it somebody has to clear it. */
  readonly endsAfterMs?: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const alertKinds = {
  leads_refused: { over: 'leads_taken_again', seenIn: 'process' },
  lead_flood: { over: 'lead_flood_over', seenIn: 'process', endsAfterMs: 10 * MINUTE },
  lead_host_unknown: { over: 'lead_host_quiet', seenIn: 'process', endsAfterMs: HOUR },
  connections_refused: { over: 'connections_taken', seenIn: 'process', endsAfterMs: 10 * MINUTE },
  accept_failed: { over: 'connections_taken', seenIn: 'process', endsAfterMs: 10 * MINUTE },
  // Over when the next process has opened the store: this one is about to end.
  service_crashed: { over: 'store_open', seenIn: 'process' },
  // A restart with the right setting ends it, too.
  trust_proxy_missing: { over: 'trust_proxy_quiet', seenIn: 'process', endsAfterMs: 24 * HOUR },
  store_unreadable: { over: 'store_readable', seenIn: 'process' },
  deliveries_stuck: { over: 'deliveries_flow', seenIn: 'store' },
  held_leads_waiting: { over: 'held_leads_done', seenIn: 'store' },
  certificates_missing: { over: 'certificates_back', seenIn: 'store' },
  // All replicas serve the same site: one of them tells.
  launch_blockers: { over: 'launch_blockers_gone', seenIn: 'store' },
  launch_blockers_soon: { over: 'launch_dates_fine', seenIn: 'store' },
  retention_stopped: { over: 'retention_resumed', seenIn: 'store' },
  // Over when the operator has removed the copy of the log, and the server was started again.
  store_log_damaged: { over: 'store_log_fine', seenIn: 'process' },
  clock_set_back: { over: 'clock_caught_up', seenIn: 'store' },
} as const satisfies Partial<Record<LogCode, AlertKind>>

export type AlertCode = keyof typeof alertKinds

export function kindOf(code: AlertCode): AlertKind {
  return alertKinds[code]
}
