/** Sends a lead with the one request of the contract: a GET with the query string and Accept: application/json. */
import { delays } from '../../domain/delays.ts'

export interface LeadDestination {
  /** A path on this site (our own receiver) or an absolute URL (the operator's webhook, directly). */
  readonly leadEndpoint: string
  readonly consentVersion: string
  readonly questionnaireVersion: string
  /** The page's variant, if it has any. */
  readonly variant?: string
}

/** Resolves when the lead counts as sent, and throws when it does not. */
export async function sendLead(destination: LeadDestination, query: string): Promise<void> {
  const { leadEndpoint, consentVersion, questionnaireVersion, variant } = destination
  const url = `${leadEndpoint}${leadEndpoint.includes('?') ? '&' : '?'}${query}`
  const common: RequestInit = { keepalive: true, cache: 'no-store', signal: AbortSignal.timeout(delays.leadRequest) }
  if (!leadEndpoint.startsWith('/')) {
    // Straight to the webhook: we read neither body nor status, so it needs no CORS.
    await fetch(url, { ...common, mode: 'no-cors', credentials: 'omit', headers: { Accept: 'application/json' } })
    return
  }
  const response = await fetch(url, {
    ...common,
    headers: {
      Accept: 'application/json',
      'X-Consent-Version': consentVersion,
      'X-Questionnaire-Version': questionnaireVersion,
      ...(variant && { 'X-Page-Variant': variant }),
    },
  })
  // Anything but 2xx from our own server means the lead isn't on disk. Tell the visitor.
  if (!response.ok) throw new Error(`The receiver answered ${response.status}.`)
}
