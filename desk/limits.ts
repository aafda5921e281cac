/** What the desk's pages and its server agree on. */

export const leadSorts = ['newest', 'oldest'] as const
export type LeadSort = (typeof leadSorts)[number]

/** The most leads that one bulk job changes, and up to which leads are counted exactly. */
export const MAX_COUNTED = 10_000

export const MAX_NOTE_LENGTH = 2000
export const MAX_REASON_LENGTH = 200

/** The consent record is a page of its own, to print or to save. */
export function recordAddress(leadId: string, save = false): string {
  return `/api/leads/${encodeURIComponent(leadId)}/record${save ? '?save' : ''}`
}
