/** Where a lead came from: the page, and the campaign parameters of its address, taken from the Referer header. */
import { campaignParameters } from '../../domain/campaign.ts'
import { PREVIEW, VARIANT_NAME, VARIANT_PARAMETER } from '../../domain/variants.ts'

export interface LeadSource {
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
}

export const UNKNOWN_PAGE = 'unknown'

const VALUE_LIMIT = 200
const MOST_PARAMETERS = 20
/** As JSON, which is how it is stored: whoever makes addresses up must not fill the disk with them. */
const MOST_CAMPAIGN_BYTES = 1024
const UTM_PARAMETER = /^utm_\w{1,50}$/

/**
 * As the page itself names it, which stays right past midnight and when the visitor's address changes. On a preview, whose
 * address names the variant too, it is recorded as such.
 */
export function readVariant(named = '', referer = ''): string {
  const name = named.replace(PREVIEW, '')
  if (!VARIANT_NAME.test(name)) return ''
  const isPreview = named !== name || URL.parse(referer)?.searchParams.get(VARIANT_PARAMETER) === name
  return isPreview ? `${PREVIEW}${name}` : name
}

/** Only an address of our own host counts: a foreign page is not where the form was. */
export function leadSource(
  referer: string | undefined,
  isOwnHost: (host: string) => boolean,
  named: readonly string[] = [],
): LeadSource {
  const url = referer ? URL.parse(referer) : null
  if (!url || !isOwnHost(url.host)) return { page: UNKNOWN_PAGE, campaign: {} }
  return { page: url.pathname.slice(0, VALUE_LIMIT), campaign: readCampaign(url.searchParams, named) }
}

/** `named`: parameters that the operator wants to be kept as well. */
export function readCampaign(query: URLSearchParams, named: readonly string[] = []): LeadSource['campaign'] {
  const campaign = new Map<string, string>()
  let bytes = '{}'.length
  for (const [name, value] of query) {
    if (campaign.size === MOST_PARAMETERS) break
    const clean = value
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, VALUE_LIMIT)
      .toWellFormed()
    // Of several with one name the first counts.
    const isKept = UTM_PARAMETER.test(name) || campaignParameters.includes(name) || named.includes(name)
    if (!isKept || clean === '' || campaign.has(name)) continue
    const added = Buffer.byteLength(JSON.stringify({ [name]: clean })) - '{}'.length + ','.length
    if (bytes + added > MOST_CAMPAIGN_BYTES) continue
    bytes += added
    campaign.set(name, clean)
  }
  return Object.fromEntries(campaign)
}
