/** Which campaign a visit or a lead is counted under: a few parameters of the page's address, cut to a length. */

/** Click ids identify a single click, and so a person: we count only whether there was one. */
export const clickIds = ['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid'] as const

/** URL parameters to keep, besides other utm_… parameters and those that the operator named. */
export const campaignParameters: readonly string[] = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...clickIds,
  ...['ref', 'source', 'campaign'],
]

/** From utm_source, utm_medium and utm_campaign; empty if missing. */
export interface Campaign {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly clickId: boolean
}

/** One string per campaign, short enough for a key, and the same for a view and the lead that follows. */
export type CampaignKey = string

/** Came without a campaign. */
export const NO_CAMPAIGN: CampaignKey = ''

/** All campaigns of a day that don't have their own line. */
export const OTHER_CAMPAIGNS: CampaignKey = 'other'

/** Of each part of a key, in characters. */
const LONGEST_PART = 60

export function campaignKey(parameters: Readonly<Record<string, string>>): CampaignKey {
  const source = part(parameters['utm_source'])
  const medium = part(parameters['utm_medium'])
  const campaign = part(parameters['utm_campaign'])
  const clickId = clickIds.some(name => parameters[name] !== undefined)
  if (source + medium + campaign === '' && !clickId) return NO_CAMPAIGN
  return JSON.stringify(clickId ? [source, medium, campaign, 1] : [source, medium, campaign])
}

/** Null if it isn't a single campaign. */
export function campaignOf(key: CampaignKey): Campaign | null {
  if (key === NO_CAMPAIGN || key === OTHER_CAMPAIGNS) return null
  const [source, medium, campaign, click] = JSON.parse(key) as [string, string, string, 1?]
  return { source, medium, campaign, clickId: click === 1 }
}

/** For people. A key may also be typed by hand, as part of an address. */
export function campaignName(key: CampaignKey): string {
  if (key === NO_CAMPAIGN) return 'No campaign'
  if (key === OTHER_CAMPAIGNS) return 'All other campaigns'
  try {
    const { source, medium, campaign, clickId } = campaignOf(key) as Campaign
    const [first, ...rest] = [campaign, source, medium].filter(Boolean)
    if (first === undefined) return 'Ad click'
    return `${first}${rest.length > 0 ? ` · ${rest.join(' / ')}` : ''}${clickId ? ' (ad click)' : ''}`
  } catch {
    return key
  }
}

/** By characters, like the database. */
function part(value = ''): string {
  return [...value.trim()].slice(0, LONGEST_PART).join('').toWellFormed().replaceAll('\0', '\uFFFD')
}
