/** Constants shared by the desk's pages and its server. */

export const leadSorts = ['newest', 'oldest'] as const
export type LeadSort = (typeof leadSorts)[number]

/** The maximum number of leads in a bulk job, and the limit for exact counts. */
export const MAX_COUNTED = 10_000

/** Whom a page was loaded for: a header of its requests, and a parameter of its links to the API. */
export const PAGE_OF = 'page-of'

export const MAX_NOTE_LENGTH = 2000

/** The contact record is a separate page that can be printed or saved. */
export const recordPath = (leadId: string) => `/api/leads/${encodeURIComponent(leadId)}/record`

/** The periods for which Today shows calls. */
export const callPeriods = ['today', 'yesterday', '7d', '30d'] as const
export type CallPeriodName = (typeof callPeriods)[number]
