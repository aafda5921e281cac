/**
 * Operator alerts: all kinds, and which ones are open. Raise and clear freely: duplicates are merged here, and neither call
 * waits or fails, so an alert never costs a lead.
 */
import { randomUUID } from 'node:crypto'
import type { Detail, Log, LogCode } from '../log.ts'

export interface AlertKind {
  /** Logged when it is resolved. */
  readonly over: LogCode
  /** `store`: shared by all replicas, and one reports it. `process`: sent from memory, since the store may have failed. */
  readonly seenIn: 'store' | 'process'
  /** Resolves by itself if it isn't raised again for this long. */
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
  // Resolved when the next process has opened the store.
  service_crashed: { over: 'service_running_again', seenIn: 'process' },
  // Also resolved by a restart with the right setting.
  trust_proxy_missing: { over: 'trust_proxy_quiet', seenIn: 'process', endsAfterMs: 24 * HOUR },
  store_unreadable: { over: 'store_readable', seenIn: 'process' },
  deliveries_stuck: { over: 'deliveries_flow', seenIn: 'store' },
  held_leads_waiting: { over: 'held_leads_done', seenIn: 'store' },
  certificates_missing: { over: 'certificates_back', seenIn: 'store' },
  launch_blockers: { over: 'launch_blockers_gone', seenIn: 'store' },
  launch_blockers_soon: { over: 'launch_dates_fine', seenIn: 'store' },
  retention_stopped: { over: 'retention_resumed', seenIn: 'store' },
  // Resolved by a restart after the operator deleted the copy of the log.
  store_log_damaged: { over: 'store_log_fine', seenIn: 'process' },
  clock_set_back: { over: 'clock_caught_up', seenIn: 'store' },
} as const satisfies Partial<Record<LogCode, AlertKind>>

export type AlertCode = keyof typeof alertKinds

export function kindOf(code: AlertCode): AlertKind {
  return alertKinds[code]
}

export interface Alerts {
  /** The text is read on a phone: what is wrong, then what to do. Counts only, never personal data. */
  raise(code: AlertCode, text: string, more?: { readonly detail?: Detail; readonly worse?: boolean }): void
  clear(code: AlertCode, detail?: Detail): void
}

export interface Alert {
  readonly id: string
  readonly code: AlertCode
  readonly text: string
  readonly startedAt: number
  /** Null while it is open. */
  readonly endedAt: number | null
}

export interface AlertListener {
  changed(alert: Alert, worse: boolean): void
  /** Cleared, although this process hadn't raised it. */
  fine(code: AlertCode): void
}

export interface AlertOptions {
  readonly log: Log
  readonly now?: () => number
  /** A monotonic clock. */
  readonly tick?: () => number
  readonly listener?: AlertListener
}

interface OpenAlert extends Alert {
  readonly raisedTick: number
  readonly loggedTick: number
}

/** People read the end of a log, so a long alert is logged again. */
const LOG_AGAIN_MS = 60 * 60_000

export function createAlerts({
  log,
  now = Date.now,
  tick = () => performance.now(),
  listener,
}: AlertOptions): Alerts & { resolveQuiet(): void } {
  const open = new Map<AlertCode, OpenAlert>()

  function clear(code: AlertCode, detail: Detail = {}): void {
    const alert = open.get(code)
    open.delete(code)
    if (alert) {
      log(kindOf(code).over, detail)
      listener?.changed({ ...alert, endedAt: now() }, false)
    } else listener?.fine(code)
  }

  return {
    raise(code, text, { detail = {}, worse = false } = {}) {
      const known = open.get(code)
      const isSaid = known && !worse && tick() - known.loggedTick < LOG_AGAIN_MS
      const alert = { id: known?.id ?? randomUUID(), code, text, startedAt: known?.startedAt ?? now(), endedAt: null }
      open.set(code, { ...alert, raisedTick: tick(), loggedTick: isSaid ? known.loggedTick : tick() })
      if (!isSaid) log(code, { level: 'alert', ...detail })
      listener?.changed(alert, worse && known !== undefined)
    },
    clear,
    resolveQuiet() {
      for (const { code, raisedTick } of open.values()) {
        const { endsAfterMs } = kindOf(code)
        if (endsAfterMs !== undefined && tick() - raisedTick >= endsAfterMs) clear(code)
      }
    },
  }
}
