/**
 * Every log event: a stable code for machines and words for people. Change words freely, never a code: monitoring depends
 * on it.
 */
export const logEvents = {
  listening: 'listening',
  store_created: 'created a new store',
  store_open: 'the store is open',
  metrics_served: 'serving metrics',
  launch_blockers: 'the site is live with launch blockers',
  launch_blockers_gone: 'no launch blockers left',
  launch_blockers_soon: 'a figure on the site expires soon',
  launch_dates_fine: 'no figure on the site expires soon',
  deliveries_off: 'leads are stored but not delivered',
  store_log_damaged: 'the store’s log was damaged; the newest leads may be missing',
  store_log_fine: 'no damaged store log left',
  erased_again: 'restored backup: repeated the erasures, do-not-call entries, and removals made since',
  leads_expired: 'erased leads past the retention period',
  retention_short: 'retention is shorter than the five years of the Telemarketing Sales Rule (16 CFR 310.5)',
  retention_failed: 'could not erase old leads',
  retention_stopped: 'stopped erasing old leads: the clock looks wrong',
  retention_resumed: 'erasing old leads again',
  stopping: 'stopping',
  still_stopping: 'still stopping',
  stopped: 'stopped',
  service_crashed: 'the lead service crashed',

  request: 'request',
  request_failed: 'request failed',
  connections_refused: 'connection limit reached; refusing new ones',
  connections_cut_off: 'dropping clients that do not read',
  accept_failed: 'cannot accept connections',
  connections_taken: 'accepting connections again',

  search_index_failed: 'new leads can’t be added to the search index; will retry',

  views_kept: 'cannot store page views',
  leads_uncounted: 'cannot count leads',

  lead_held: 'lead put on hold',
  held_leads_waiting: 'leads on hold need review',
  held_leads_done: 'no leads waiting for review',
  lead_flood: 'lead flood; putting leads on hold',
  lead_flood_over: 'the lead flood is over',
  lead_host_unknown: 'leads for another hostname; putting them on hold',
  lead_host_quiet: 'no more leads for another hostname',
  leads_refused: 'leads are refused',
  leads_taken_again: 'accepting leads again',

  delivery: 'delivery',
  delivery_dead: 'gave up on a delivery',
  trust_proxy_missing: 'a proxy is missing from TRUST_PROXY',
  trust_proxy_quiet: 'no more leads through an unlisted proxy',
  certificates_missing: 'leads arrive without TrustedForm certificates',
  certificates_back: 'leads have TrustedForm certificates again',

  deliveries_paused: 'deliveries are paused',
  deliveries_resumed: 'deliveries resumed',

  deliveries_stuck: 'leads are not reaching the webhook',
  deliveries_flow: 'no late or failed deliveries left',
  outbox_unavailable: 'the outbox is unavailable',
  store_unreadable: 'cannot read the store',
  store_readable: 'the store is readable again',
  clock_set_back: 'the clock was set back',
  clock_caught_up: 'the clock has caught up',
  deliveries_brought_forward: 'rescheduled deliveries after the clock was set back',

  desk_signed_in: 'signed in to the desk',

  alerts_off: 'alerts go to the log only',
  alerts_untold: 'cannot reach the alert address',
  alerts_told_again: 'the alert address is reachable again',
  log_lines_lost: 'log lines were lost',
} as const

export type LogCode = keyof typeof logEvents
