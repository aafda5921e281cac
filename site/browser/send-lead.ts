/** Sends a lead as specified: a GET with a query string and Accept: application/json. */
import { delays } from '../../domain/visits/delays.ts'

export interface LeadDestination {
  /** A path on this site (our server) or an absolute URL (direct mode: the operator's webhook). */
  readonly leadEndpoint: string
  readonly consentVersion: string
  readonly questionnaireVersion: string
  /** The page's variant, if it has variants. */
  readonly variant?: string
}

/** With the token, the thank-you page can say more about the lead (site/browser/say-more.ts). */
export interface Receipt {
  readonly token?: string
}

/** `confirmed`: the fields that the visitor was asked about and sent again. Resolves if the lead counts as sent; throws otherwise. */
export async function sendLead(
  destination: LeadDestination,
  query: string,
  confirmed: readonly string[],
): Promise<Receipt> {
  const { leadEndpoint, consentVersion, questionnaireVersion, variant } = destination
  const url = `${leadEndpoint}${leadEndpoint.includes('?') ? '&' : '?'}${query}`
  const common: RequestInit = { keepalive: true, cache: 'no-store', signal: AbortSignal.timeout(delays.leadRequest) }
  if (!leadEndpoint.startsWith('/')) {
    // Direct mode: we read neither the body nor the status, so the webhook doesn't need to support CORS.
    await fetch(url, { ...common, mode: 'no-cors', credentials: 'omit', headers: { Accept: 'application/json' } })
    return {}
  }
  const response = await fetch(url, {
    ...common,
    headers: {
      Accept: 'application/json',
      'X-Consent-Version': consentVersion,
      'X-Questionnaire-Version': questionnaireVersion,
      ...(variant && { 'X-Page-Variant': variant }),
      'X-Confirmed': `${confirmed}`,
    },
  })
  // Without our server's own answer, the lead isn't on disk, so the visitor must see an error. A proxy in front of it may answer, too.
  const receipt = await response.json()
  if (response.status !== 202 || receipt.status !== 'accepted') throw new Error(`Server returned ${response.status}`)
  return receipt
}
