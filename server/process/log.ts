/**
 * Writes one line per event to standard output, without personal data or query strings: JSON, or plain text in a terminal. Lines
 * that can't be written are dropped and counted, and the process continues.
 */
import { MINUTE } from '../../domain/durations.ts'
export type Detail = Readonly<Record<string, string | number | boolean | null>>

export type Log = (code: LogCode, detail?: Detail) => void

/** Written together at the end of the event loop's turn, because one write per line would cost more than serving the requests. */
let unwritten: string[] = []

/** When the first unwritten line was logged. Formatting the time for every line would make logging 50% slower. */
let at = ''

/** Lines lost because the disk was full, or the reader exited or stopped reading. */
let lost = 0

/** How much to buffer for a reader that stopped reading. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024

export function log(code: LogCode, detail: Detail = {}): void {
  if (unwritten.length === 0) {
    setImmediate(flushLog)
    at = new Date().toISOString()
  }
  unwritten.push(lineOf(code, detail))
}

function lineOf(code: LogCode, detail: Detail): string {
  const event = logEvents[code]
  return process.stdout.isTTY ? textLine(at, event, detail) : `${JSON.stringify({ at, code, event, ...detail })}\n`
}

/** 09:00:00  delivery (lead: 0195f2d1, status: 200) */
export function textLine(time: string, event: string, detail: Detail): string {
  const details = Object.entries(detail).map(([name, value]) => `${name}: ${value}`)
  return `${time.slice(11, 19)}  ${event}${details.length > 0 ? ` (${details.join(', ')})` : ''}\n`
}

/** In a terminal, tells a person where to point their browser. */
export function announceUrl(url: string): void {
  if (!process.stdout.isTTY) return
  flushLog()
  // Browsers can't open the address that means "all interfaces".
  process.stdout.write(`\n  Open ${url.replace(/0\.0\.0\.0|\[::\]/, 'localhost')}\n  To stop, press Ctrl+C.\n\n`)
}

/** Call this before exiting the process. */
export function flushLog(): void {
  const lines = unwritten
  unwritten = []
  if (lines.length === 0) return
  const { stdout } = process
  if (stdout.writableLength > MAX_UNREAD_BYTES) {
    lost += lines.length
    return
  }
  // An unhandled stream error would crash the process, and a lost log line isn't worth a lost lead.
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
  const lostBefore = lost
  lost = 0
  // The line break ends a line that was cut off when the disk filled up.
  const notice = lostBefore === 0 ? '' : `\n${lineOf('log_lines_lost', { lines: lostBefore })}`
  stdout.write(notice + lines.join(''), error => {
    if (error) lost += lostBefore + lines.length
  })
}

/** The write callback handles errors. */
function ignore(): void {}

/**
 * For events that visitors can cause thousands of times a second: logs the first one immediately, and the rest of that
 * minute's events as one line with a count.
 */
export function logOnceAMinute(log: Log): Log {
  const unlogged = new Map<LogCode, number>()
  return (code, detail = {}) => {
    const times = unlogged.get(code)
    unlogged.set(code, (times ?? -1) + 1)
    if (times !== undefined) return
    log(code, { ...detail, times: 1 })
    setTimeout(() => {
      const rest = unlogged.get(code) ?? 0
      unlogged.delete(code)
      if (rest > 0) log(code, { ...detail, times: rest })
    }, MINUTE).unref()
  }
}

/** The type and location of an unexpected error, but not its message, which might quote what a visitor typed. */
export function describeError(error: unknown): Detail {
  const { name, stack } = error instanceof Error ? error : new Error(typeof error)
  return { error: name, place: /^ *(at .*)$/m.exec(stack ?? '')?.[1] ?? null }
}

/** Every log event. Reword the text freely, but never change a code: monitoring depends on it. */
export const logEvents = {
  listening: 'listening',
  store_created: 'created a new store',
  store_unopened: 'can’t open the store; will retry',
  store_open: 'the store is open',
  calls_planned: 'planned calls after an upgrade',
  metrics_served: 'serving metrics',
  metrics_unavailable: 'can’t serve metrics; will retry',
  launch_blockers: 'the site is live with launch blockers',
  launch_blockers_gone: 'no launch blockers left',
  launch_blockers_soon: 'figures expire soon, or legal rules are due for review',
  launch_dates_fine: 'no figures on the site expire soon',
  stop_flood: 'far more requests on /stop than usual',
  stop_flood_over: 'requests on /stop are back to normal',
  stops_by_one_person: 'one person recorded very many requests not to be called',
  stops_by_one_person_over: 'nobody recorded very many requests not to be called within an hour',
  stop_not_recorded: 'a request not to be called couldn’t be recorded',
  client_not_recorded: 'a client that the CRM reported couldn’t be recorded',
  deliveries_off: 'leads are stored but not delivered',
  requests_unlogged: 'can’t log changes in ERASURE_LIST',
  requests_logged: 'logged changes in ERASURE_LIST',
  changes_unapplied: 'can’t apply the changes in ERASURE_LIST; leads aren’t delivered until then',
  changes_applied: 'applied the changes in ERASURE_LIST',
  erased_again: 'restored backup: reapplied the erasures, do-not-call entries, and removals made since',
  leads_expired: 'erased leads past the retention period',
  retention_short:
    'retention period is shorter than the five years the Telemarketing Sales Rule requires (16 CFR 310.5)',
  retention_failed: 'could not erase old leads',
  evidence_changed: 'evidence in the store was changed or deleted',
  evidence_intact: 'no evidence is changed or missing',
  retention_stopped: 'stopped erasing old leads: the clock looks wrong',
  retention_resumed: 'erasing old leads again',
  stopping: 'stopping',
  still_stopping: 'still stopping',
  stopped: 'stopped',
  reviewed_texts_unwritten: 'can’t write down what was reviewed, for the publisher',
  no_site: 'nothing is published from the folder, so only requests not to be called are taken',
  site_switched: 'serving the site that was published',
  site_not_published: 'a change of the site can’t be published',
  site_published: 'every change of the site is published',
  form_off: 'the form is off, because a reviewed text isn’t known',
  form_on: 'the form is on again',
  site_not_fetched: 'the site’s folder can’t be fetched',
  site_fetched: 'the site’s folder is fetched again',
  site_not_switched: 'can’t switch to the site that was published; will retry',
  service_crashed: 'the server crashed',
  service_running_again: 'the server is running again',
  jobs_failing: 'part of the server keeps failing',
  jobs_working: 'every part of the server works again',
  launch_unchecked: 'can’t check for launch blockers; will retry',
  publishing_unchecked: 'can’t check whether the site is published; will retry',
  store_unchecked: 'can’t check the store for problems; will retry',
  certificates_unchecked: 'can’t check the HTTPS certificates; will retry',
  connections_unchecked: 'can’t check for slow connections; will retry',
  leads_unqueued: 'can’t queue the leads that an editor decided to send; will retry',
  log_unemptied: 'can’t empty the store’s write-ahead log; will retry',

  request: 'request',
  request_failed: 'request failed',
  connections_refused: 'connection limit reached; refusing new connections',
  connections_cut_off: 'dropped stalled or idle connections',
  accept_failed: 'can’t accept connections',
  connections_taken: 'accepting connections again',

  search_index_failed: 'new leads can’t be added to the search index; will retry',

  views_kept: 'can’t store page views; will retry',
  leads_uncounted: 'can’t update lead counts; will retry',

  lead_held: 'lead put on hold',
  held_leads_waiting: 'leads on hold need review',
  held_leads_done: 'no leads overdue for review',
  people_waiting: 'people are waiting for a call',
  people_called: 'nobody is overdue for a call',
  lead_flood: 'lead flood; putting leads on hold',
  lead_flood_over: 'the lead flood is over',
  lead_host_unknown: 'leads sent to an unknown hostname; putting them on hold',
  lead_host_quiet: 'no more leads sent to an unknown hostname',
  leads_refused: 'not accepting leads',
  leads_taken_again: 'accepting leads again',

  delivery: 'delivery',
  webhook_event: 'webhook event',
  delivery_dead: 'gave up on a delivery',
  webhook_event_dead: 'gave up on a webhook event',
  letter: 'letter',
  letter_dead: 'gave up on a letter',
  trust_proxy_missing: 'a proxy is missing from TRUST_PROXY',
  trust_proxy_quiet: 'no more leads through an unlisted proxy',
  certificates_missing: 'leads are missing TrustedForm certificates',
  certificates_back: 'leads have TrustedForm certificates again',

  deliveries_paused: 'deliveries are paused',
  deliveries_resumed: 'deliveries resumed',

  deliveries_stuck: 'leads are not reaching the webhook',
  deliveries_flow: 'no late or failed deliveries left',
  crm_not_told: 'the CRM doesn’t know about requests or calls',
  crm_told: 'the CRM has heard of everything',
  mail_not_sent: 'mail isn’t going out',
  mail_sent: 'mail goes out again',
  leads_not_queued: 'leads from before there was a webhook are waiting for a decision',
  leads_decided: 'no leads left from before there was a webhook',
  outbox_unavailable: 'the outbox is unavailable',
  store_unreadable: 'can’t read the store',
  store_readable: 'the store is readable again',
  backups_at_risk: 'backups are overdue, or on the same disk as the store',
  backups_fine: 'backups are in order',
  https_certificate_expiring: 'an HTTPS certificate expires soon, or has expired',
  https_certificate_renewed: 'HTTPS certificates were renewed',
  disk_low: 'a disk is nearly full',
  disk_has_room: 'no disk is nearly full',
  disk_unchecked: 'can’t check how full the disks are; will retry',
  clocks_differ: 'the CRM’s clock and this server’s differ',
  clocks_agree: 'the CRM’s clock and this server’s agree',
  clock_set_back: 'the clock was set back',
  clock_caught_up: 'the clock has caught up',
  deliveries_brought_forward: 'rescheduled deliveries after the clock was set back',

  desk_signed_in: 'signed in to the desk',

  alerts_off: 'alerts go to the log only',
  alerts_untold: 'can’t send alerts to one of their addresses',
  alerts_told_again: 'alerts can be sent to that address again',
  log_lines_lost: 'log lines were lost',
} as const

export type LogCode = keyof typeof logEvents
