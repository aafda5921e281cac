/** The campaign that a visit or lead counts toward, from a few URL parameters. Long values are truncated. */
import { oneLine } from '../text/text.ts'

/** A click ID identifies a single click, and therefore a person, so we record only whether there was one. */
const clickIds = ['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid'] as const

/** URL parameters to keep, in addition to other utm_… parameters and the operator's own. */
export const campaignParameters: readonly string[] = [
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...clickIds,
  ...['ref', 'source', 'campaign'],
]

/** From utm_source, utm_medium, and utm_campaign; empty if missing. */
export interface Campaign {
  readonly source: string
  readonly medium: string
  readonly campaign: string
  readonly clickId: boolean
}

/** One string per campaign, short enough for a key and the same for a page view and the resulting lead. */
export type CampaignKey = string

/** Visits without a campaign. */
export const NO_CAMPAIGN: CampaignKey = ''

/** All campaigns that don't get their own row on a given day. */
export const OTHER_CAMPAIGNS: CampaignKey = 'other'

/** Maximum length of each part of a key, in characters. */
const MAX_PART_LENGTH = 60

export function campaignKey(parameters: Readonly<Record<string, string>>): CampaignKey {
  const source = part(parameters['utm_source'])
  const medium = part(parameters['utm_medium'])
  const campaign = part(parameters['utm_campaign'])
  const clickId = clickIds.some(name => parameters[name] !== undefined)
  if (source + medium + campaign === '' && !clickId) return NO_CAMPAIGN
  return JSON.stringify(clickId ? [source, medium, campaign, 1] : [source, medium, campaign])
}

/** Null for `NO_CAMPAIGN` and `OTHER_CAMPAIGNS`. */
export function campaignOf(key: CampaignKey): Campaign | null {
  if (key === NO_CAMPAIGN || key === OTHER_CAMPAIGNS) return null
  const [source, medium, campaign, click] = JSON.parse(key) as [string, string, string, 1?]
  return { source, medium, campaign, clickId: click === 1 }
}

/** The campaign's display name, without characters that turn its neighbors around. The key may come from a URL that someone typed. */
export function campaignName(key: CampaignKey): string {
  if (key === NO_CAMPAIGN) return 'No campaign'
  if (key === OTHER_CAMPAIGNS) return 'All other campaigns'
  try {
    const { source, medium, campaign, clickId } = campaignOf(key) as Campaign
    const parts = [campaign, source, medium].filter(part => typeof part === 'string')
    const [first, ...rest] = parts.map(oneLine).filter(Boolean)
    if (first === undefined) return 'Ad click'
    return `${first}${rest.length > 0 ? ` · ${rest.join(' / ')}` : ''}${clickId ? ' (ad click)' : ''}`
  } catch {
    return key
  }
}

/** Truncates by character, not by UTF-16 code unit, as the database does. */
function part(value = ''): string {
  return [...value.trim()].slice(0, MAX_PART_LENGTH).join('').toWellFormed().replaceAll('\0', '\uFFFD')
}
