/**
 * Everything the server says in its log: a stable code for machines, and the words beside it for people. Words may be
 * improved at any time; a code stays, since somebody's monitoring waits for it.
 */
export const logEvents = {
  listening: 'listening',
  store_created: 'a new store was made',
  store_open: 'the store is open',
  metrics_served: 'metrics are served',
  deliveries_off: 'leads are kept, not delivered',
  stopping: 'stopping',
  still_stopping: 'still stopping',
  stopped: 'stopped',
  service_crashed: 'the lead service crashed',

  request: 'request',
  request_failed: 'request failed',
  connections_refused: 'connections are refused',
  connections_cut_off: 'connections are cut off',
  accept_failed: 'connections cannot be taken',

  lead_held: 'a lead is held for a look',
  lead_flood: 'leads come in a flood and are held',
  lead_host_unknown: 'leads are not believed',
  leads_refused: 'leads are refused',
  leads_taken_again: 'leads are taken again',

  delivery: 'delivery',
  delivery_dead: 'a delivery was given up',
  deliveries_stuck: 'leads do not reach the webhook',
  deliveries_flow: 'no delivery is late or dead any more',
  outbox_unavailable: 'outbox not available',

  log_lines_lost: 'log lines were lost',
} as const

export type LogCode = keyof typeof logEvents
