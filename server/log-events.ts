/**
 * Everything the server says in its log: a stable code for machines, and the words beside it for people. Words may be
 * improved at any time; a code stays, since somebody's monitoring waits for it.
 */
export const logEvents = {
  listening: 'listening',
  store_created: 'a new store was made',
  store_open: 'the store is open',
  metrics_served: 'metrics are served',
  launch_blockers: 'the site is public, but not ready for it',
  launch_blockers_gone: 'nothing keeps the site from the public any more',
  launch_blockers_soon: 'the site is about to be unfit for the public',
  launch_dates_fine: 'no figure of the site is about to expire',
  deliveries_off: 'leads are kept, not delivered',
  store_log_damaged: 'the store’s log was damaged; the newest leads may be missing',
  store_log_fine: 'no damaged log of the store is left',
  erased_again: 'a restored backup was brought up to date: erasures, do-not-call list, dismissed people',
  leads_expired: 'leads were erased because of their age',
  retention_short: 'leads are erased earlier than the Telemarketing Sales Rule (16 CFR 310.5) asks to keep them',
  retention_failed: 'old leads cannot be erased',
  retention_stopped: 'old leads are not erased, because the clock looks wrong',
  retention_resumed: 'old leads are erased again',
  stopping: 'stopping',
  still_stopping: 'still stopping',
  stopped: 'stopped',
  service_crashed: 'the lead service crashed',

  request: 'request',
  request_failed: 'request failed',
  connections_refused: 'connections are refused',
  connections_cut_off: 'connections are cut off',
  accept_failed: 'connections cannot be taken',
  connections_taken: 'connections are taken again',

  search_index_failed: 'new leads can’t be added to the search index; will retry',

  views_kept: 'page views cannot be stored',
  leads_uncounted: 'leads cannot be counted',

  lead_held: 'a lead is held for a look',
  held_leads_waiting: 'held leads wait for a look',
  held_leads_done: 'no held lead waits any more',
  lead_flood: 'leads come in a flood and are held',
  lead_flood_over: 'the flood of leads is over',
  lead_host_unknown: 'leads come under another name and are held',
  lead_host_quiet: 'no more leads come under another name',
  leads_refused: 'leads are refused',
  leads_taken_again: 'leads are taken again',

  delivery: 'delivery',
  delivery_dead: 'a delivery was given up',
  trust_proxy_missing: 'a proxy is in front that TRUST_PROXY does not name',
  trust_proxy_quiet: 'no more leads come through an unnamed proxy',
  certificates_missing: 'leads come without certificates',
  certificates_back: 'leads come with certificates again',

  deliveries_paused: 'deliveries are paused',
  deliveries_resumed: 'deliveries go on',

  deliveries_stuck: 'leads do not reach the webhook',
  deliveries_flow: 'no delivery is late or dead any more',
  outbox_unavailable: 'outbox not available',
  store_unreadable: 'the store cannot be read',
  store_readable: 'the store can be read again',
  clock_set_back: 'the clock was set back',
  clock_caught_up: 'no lead is ahead of the clock any more',
  deliveries_brought_forward: 'deliveries were brought forward by as much as the clock was set back',

  desk_signed_in: 'somebody signed in to the desk',

  alerts_off: 'alerts go to the log only',
  alerts_untold: 'alerts do not reach the alert address',
  alerts_told_again: 'alerts reach the alert address again',
  log_lines_lost: 'log lines were lost',
} as const

export type LogCode = keyof typeof logEvents
