/**
 * The consent record is a page of its own, not JSON: `GET /api/leads/:id/record`, to be opened in a tab and printed from
 * there. With `?save` the browser saves it, and `leads verify FILE` checks it. The look is written into the lead's history.
 */
export function recordAddress(leadId: string, save = false): string {
  return `/api/leads/${encodeURIComponent(leadId)}/record${save ? '?save' : ''}`
}
