/** What the tab that sent a lead can still say about it: another number, and when to call. */

export const SENT_LEAD_PATH = '/api/sent-lead'

/** For how long. */
export const SENT_LEAD_MS = 30 * 60_000
