/** The kinds of operator alerts, and the messages sent about them. */

import { HOUR, MINUTE } from '../../domain/durations.ts'
import { type Detail, type LogCode, logEvents } from '../process/log.ts'
import { createCalendar } from '../settings/calendar.ts'
import type { AlertRecord } from '../store/tables/alerts.ts'

export interface AlertKind {
  /** The code to log when the alert is resolved. */
  readonly resolved: LogCode
  /** Every process sees the problem, so they share one alert. Otherwise, each process has its own. */
  readonly shared?: true
  /** Resolved if it isn't raised again for this long. */
  readonly lastsMs?: number
  /** Sent from memory while the store can't be reached. All others wait until it's back. */
  readonly storeDown?: true
}

/** Most checks run every minute. */
const DEFAULT_LASTS_MS = 3 * MINUTE

const alertKinds = {
  leads_refused: { resolved: 'leads_taken_again', storeDown: true },
  lead_flood: { resolved: 'lead_flood_over', lastsMs: 10 * MINUTE },
  stops_by_one_person: { resolved: 'stops_by_one_person_over', shared: true },
  stop_flood: { resolved: 'stop_flood_over', lastsMs: 10 * MINUTE },
  lead_host_unknown: { resolved: 'lead_host_quiet', lastsMs: HOUR },
  connections_refused: { resolved: 'connections_taken', lastsMs: 10 * MINUTE },
  accept_failed: { resolved: 'connections_taken', lastsMs: 10 * MINUTE },
  // Resolved by the next process, unless it crashes too.
  service_crashed: { resolved: 'service_running_again', storeDown: true },
  trust_proxy_missing: { resolved: 'trust_proxy_quiet', lastsMs: 24 * HOUR },
  store_unreadable: { resolved: 'store_readable', storeDown: true },
  changes_unapplied: { resolved: 'changes_applied' },
  // Raised again with each attempt, or else resolved at the next start.
  requests_unlogged: { resolved: 'requests_logged' },
  metrics_unavailable: { resolved: 'metrics_served' },
  deliveries_stuck: { resolved: 'deliveries_flow', shared: true },
  crm_not_told: { resolved: 'crm_told', shared: true },
  mail_not_sent: { resolved: 'mail_sent', shared: true },
  leads_not_queued: { resolved: 'leads_decided', shared: true },
  held_leads_waiting: { resolved: 'held_leads_done', shared: true },
  people_waiting: { resolved: 'people_called', shared: true },
  certificates_missing: { resolved: 'certificates_back', shared: true },
  site_not_published: { resolved: 'site_published' },
  form_off: { resolved: 'form_on' },
  site_not_fetched: { resolved: 'site_fetched' },
  launch_blockers: { resolved: 'launch_blockers_gone', shared: true },
  launch_blockers_soon: { resolved: 'launch_dates_fine', shared: true },
  // The slowest job runs every hour.
  jobs_failing: { resolved: 'jobs_working', lastsMs: 70 * MINUTE },
  // Checked every hour.
  evidence_changed: { resolved: 'evidence_intact', shared: true, lastsMs: 70 * MINUTE },
  retention_stopped: { resolved: 'retention_resumed', shared: true, lastsMs: 70 * MINUTE },
  // Checked every ten minutes.
  https_certificate_expiring: { resolved: 'https_certificate_renewed', shared: true, lastsMs: 35 * MINUTE },
  backups_at_risk: { resolved: 'backups_fine', shared: true },
  disk_low: { resolved: 'disk_has_room' },
  clocks_differ: { resolved: 'clocks_agree', shared: true, lastsMs: 60 * MINUTE },
  clock_set_back: { resolved: 'clock_caught_up', shared: true },
} as const satisfies Partial<Record<LogCode, AlertKind>>

export type AlertCode = keyof typeof alertKinds

export function kindOf(code: AlertCode): AlertKind & { readonly lastsMs: number } {
  return { lastsMs: DEFAULT_LASTS_MS, ...alertKinds[code] }
}

export interface Alerts {
  /**
   * Call this as long as the problem lasts. People read the text on a phone: say what's wrong, then what to do. Counts only,
   * never personal data. The alert is sent again when its `size` doubles.
   */
  raise(code: AlertCode, text: string, more?: { readonly detail?: Detail; readonly size?: number }): void
}

export type Notice = Omit<AlertRecord, 'id'>

export function messageOf(notice: Notice, site: string, timeZone: string): string {
  const { code, text, source, startedAt, endedAt, timesSent } = notice
  const context = [site, source, code].filter(Boolean).join(', ')
  const since = `since ${minute(startedAt, timeZone)}`
  if (endedAt === null) return `${timesSent === 0 ? 'ALERT' : 'REMINDER'}: ${text} (${context}; ${since})`
  return `RESOLVED: ${resolvedText(code)} (${context}; ${since}: ${text})`
}

function resolvedText(code: string): string {
  const resolved = resolvedCode(code)
  const text = resolved ? logEvents[resolved] : 'the problem ended'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** Null for a code from a newer version, which the store may contain. */
export function resolvedCode(code: string): LogCode | null {
  return Object.hasOwn(alertKinds, code) ? kindOf(code as AlertCode).resolved : null
}

/** In the operator's time zone, with its name: 2030-01-31 09:00 EST */
export const minute = (time: number, timeZone: string) =>
  createCalendar(timeZone)
    .format(Math.floor(time))
    .replace(/:\d\d (?=\S+$)/, ' ')
