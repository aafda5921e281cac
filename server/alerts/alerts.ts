/** The kinds of operator alerts, and the messages sent about them. */
import { type Detail, type LogCode, logEvents } from '../log.ts'
import type { LeasedAlert } from '../store/alerts.ts'

export interface AlertKind {
  /** The code to log when it's resolved. */
  readonly over: LogCode
  /** `store`: shared by all replicas, and one of them sends it. `process`: sent from memory, because the store may be down. */
  readonly seenIn: 'store' | 'process'
  /** Resolved automatically if it isn't raised again for this long. */
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
  // Resolved once the next process has opened the store.
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
  // Resolved by a restart after the operator deletes the copy of the log.
  store_log_damaged: { over: 'store_log_fine', seenIn: 'process' },
  clock_set_back: { over: 'clock_caught_up', seenIn: 'store' },
} as const satisfies Partial<Record<LogCode, AlertKind>>

export type AlertCode = keyof typeof alertKinds

export function kindOf(code: AlertCode): AlertKind {
  return alertKinds[code]
}

export interface Alerts {
  /**
   * People read the text on a phone: say what's wrong, then what to do. Counts only, never personal data. The alert is sent
   * again when one of its `sizes` doubles.
   */
  raise(code: AlertCode, text: string, more?: { readonly detail?: Detail; readonly sizes?: readonly number[] }): void
  clear(code: AlertCode, detail?: Detail): void
}

export type Notice = Omit<LeasedAlert, 'id' | 'leasedUntil'>

export function messageOf({ code, text, source, startedAt, endedAt, timesSent }: Notice, site: string): string {
  const place = [site, source, code].filter(Boolean).join(', ')
  const since = `since ${minute(startedAt)}`
  if (endedAt === null) return `${timesSent === 0 ? 'ALERT' : 'REMINDER'}: ${text} (${place}; ${since})`
  return `RESOLVED: ${resolvedText(code)} (${place}; ${since}: ${text})`
}

/** The store may contain codes from a newer version. */
function resolvedText(code: string): string {
  const text = Object.hasOwn(alertKinds, code) ? logEvents[alertKinds[code as AlertCode].over] : 'the problem is gone'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** In UTC, because readers may be in several time zones. */
export function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const POST_TIMEOUT_MS = 10_000

/**
 * Posts one message in Slack's and Mattermost's format. Never throws. Returns null on success, or the reason for the failure,
 * without the URL, because its path is often its only secret.
 */
export async function postAlert(url: string, text: string, timeoutMs = POST_TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // Following a redirect would turn the POST into a GET, and the message would be lost with status 200.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `it responded with status ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return `it can’t be reached (${code ?? 'no connection'})`
  }
}
