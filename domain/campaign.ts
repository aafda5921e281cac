/** Which campaign a visit or a lead is counted under: a few parameters of the page's address, cut to a length. */

/** By these an advertiser knows a single click, and so a person: only that there was one is counted. */
export const clickIds = ['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid'] as const

/** What is kept of a page's address besides any other utm_… and what the operator has named. */
export const campaignParameters: readonly string[] = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...clickIds,
  ...['ref', 'source', 'campaign'],
]

/** As the parameters utm_source, utm_medium and utm_campaign name it; empty where they do not. */
export interface Campaign {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly clickId: boolean
}

/** One text for a campaign, short enough to be part of a key, and the same for a view and for the lead that follows. */
export type CampaignKey = string

/** Came without a campaign. */
export const NO_CAMPAIGN: CampaignKey = ''

/** All campaigns of a day that are not counted by name. */
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

/** Null for what is no single campaign. */
export function campaignOf(key: CampaignKey): Campaign | null {
  if (key === NO_CAMPAIGN || key === OTHER_CAMPAIGNS) return null
  const [source, medium, campaign, click] = JSON.parse(key) as [string, string, string, 1?]
  return { source, medium, campaign, clickId: click === 1 }
}

/** By characters, as the database cuts them too. */
function part(value = ''): string {
  return [...value.trim()].slice(0, LONGEST_PART).join('').toWellFormed().replaceAll('\0', '\uFFFD')
}
