/** Names of people, pages, and campaigns. */
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'

interface Named {
  readonly firstName: string | null
  readonly lastName: string | null
}

export const ERASED_NAME = 'Name erased'

export const fullName = ({ firstName, lastName }: Named) =>
  firstName === null && lastName === null ? ERASED_NAME : `${firstName ?? ''} ${lastName ?? ''}`.trim()

/** Isolated, so that right-to-left names don't reorder their neighbors; very long ones are cut. */
export function PersonName(named: Named) {
  const name = fullName(named)
  return (
    <bdi title={name.length > 40 ? shortened(name, 300) : undefined} className="line-clamp-4">
      {shortened(name, 400)}
    </bdi>
  )
}

/** Ten thousand letters would make every list slow. */
export const shortened = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`

export function campaignName(key: string): string {
  if (key === NO_CAMPAIGN) return 'No campaign'
  if (key === OTHER_CAMPAIGNS) return 'All other campaigns'
  const { source, medium, campaign, clickId } = partsOf(key)
  const named = [campaign || null, source || null, medium || null].filter(part => part !== null)
  const [first = 'Ad click', ...rest] = named
  return rest.length === 0
    ? `${first}${clickId && named.length > 0 ? ' (ad click)' : ''}`
    : `${first} · ${rest.join(' / ')}`
}

function partsOf(key: string) {
  try {
    return campaignOf(key) ?? { source: key, medium: '', campaign: '', clickId: false }
  } catch {
    // Typed by hand.
    return { source: key, medium: '', campaign: '', clickId: false }
  }
}

const pages: Readonly<Record<string, string>> = { '/': 'Landing page', '/advertorial': 'Advertorial' }

export const pageName = (path: string) => pages[path] ?? path
