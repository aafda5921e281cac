/** The kinds of operator alerts, and the messages sent about them. */
import { type Detail, type LogCode, logEvents } from '../log.ts'
import type { LeasedAlert } from '../store/alerts.ts'

export interface AlertKind {
  /** The code to log when the alert is resolved. */
  readonly resolved: LogCode
  /** `store`: shared by all replicas, and one of them sends it. `process`: sent from memory, because the store may be down. */
  readonly scope: 'store' | 'process'
  /** Resolved automatically if it isn't raised again for this long. */
  readonly resolvesAfterMs?: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const alertKinds = {
  leads_refused: { resolved: 'leads_taken_again', scope: 'process' },
  lead_flood: { resolved: 'lead_flood_over', scope: 'process', resolvesAfterMs: 10 * MINUTE },
  lead_host_unknown: { resolved: 'lead_host_quiet', scope: 'process', resolvesAfterMs: HOUR },
  connections_refused: { resolved: 'connections_taken', scope: 'process', resolvesAfterMs: 10 * MINUTE },
  accept_failed: { resolved: 'connections_taken', scope: 'process', resolvesAfterMs: 10 * MINUTE },
  // Resolved once the next process has opened the store.
  service_crashed: { resolved: 'service_running_again', scope: 'process' },
  // Also resolved by a restart with the right setting.
  trust_proxy_missing: { resolved: 'trust_proxy_quiet', scope: 'process', resolvesAfterMs: 24 * HOUR },
  store_unreadable: { resolved: 'store_readable', scope: 'process' },
  deliveries_stuck: { resolved: 'deliveries_flow', scope: 'store' },
  held_leads_waiting: { resolved: 'held_leads_done', scope: 'store' },
  certificates_missing: { resolved: 'certificates_back', scope: 'store' },
  launch_blockers: { resolved: 'launch_blockers_gone', scope: 'store' },
  launch_blockers_soon: { resolved: 'launch_dates_fine', scope: 'store' },
  retention_stopped: { resolved: 'retention_resumed', scope: 'store' },
  clock_set_back: { resolved: 'clock_caught_up', scope: 'store' },
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
  const context = [site, source, code].filter(Boolean).join(', ')
  const since = `since ${minute(startedAt)}`
  if (endedAt === null) return `${timesSent === 0 ? 'ALERT' : 'REMINDER'}: ${text} (${context}; ${since})`
  return `RESOLVED: ${resolvedText(code)} (${context}; ${since}: ${text})`
}

/** The store may contain codes from a newer version. */
function resolvedText(code: string): string {
  const text = Object.hasOwn(alertKinds, code) ? logEvents[alertKinds[code as AlertCode].resolved] : 'the problem ended'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** In UTC, because readers may be in different time zones. */
export function minute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

const POST_TIMEOUT_MS = 10_000

/**
 * Posts one message in the format Slack and Mattermost use. Never throws. Returns null on success, otherwise the reason for
 * the failure. The reason leaves out the URL, because its path is often its only secret.
 */
export async function postAlert(url: string, text: string, timeoutMs = POST_TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // Following a redirect would turn the POST into a GET, and the message would be lost despite the 200.
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
