/** Which leads are meant, as the browser says it: checked, and put into the store's words. */
import {
  exactOptional,
  maxLength,
  minValue,
  object,
  picklist,
  pipe,
  safeInteger,
  number as someNumber,
  strictObject,
  string,
} from 'valibot'
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { deliveryStates, type LeadFilter, leadStates } from '../../../server/store/lead-records.ts'
import type { LeadsFilter } from '../../api/leads.ts'
import { Refused } from '../refusal.ts'
import { NUL } from '../request-body.ts'

const instant = pipe(someNumber(), safeInteger(), minValue(0))

/** Page and campaign come from addresses, which may be of any length: what no lead has finds none. */
export const filterSchema = strictObject({
  search: exactOptional(pipe(string(), maxLength(500))),
  state: exactOptional(picklist(leadStates)),
  delivery: exactOptional(picklist([...deliveryStates, 'none'])),
  page: exactOptional(string()),
  campaign: exactOptional(string()),
  since: exactOptional(instant),
  until: exactOptional(instant),
})

export const filterBody = object({ filter: filterSchema })

export interface Meant {
  /** What was typed; empty when nothing was. */
  readonly typed: string
  readonly filter: LeadFilter
}

/** Before all leads. */
const NO_LEADS = { until: 0 } as const

export function meantBy({ search = '', campaign, ...filter }: LeadsFilter): Meant {
  const typed = search.trim()
  if (campaign === undefined) return { typed, filter }
  if (campaign === OTHER_CAMPAIGNS) {
    throw new Refused(
      'bad request',
      'All other campaigns together have no list of their own. Choose a single campaign.',
    )
  }
  // From a bookmark, or typed by hand: an empty list shows what is set and lets it be cleared. An error would do neither.
  return { typed, filter: { ...filter, ...(isCampaign(campaign) ? { campaignKey: campaign } : NO_LEADS) } }
}

/** No more leads than came before an instant. */
export function frozenAt({ typed, filter }: Meant, instant: number): Meant {
  return { typed, filter: { ...filter, until: Math.min(filter.until ?? instant, instant) } }
}

function isCampaign(key: string): boolean {
  if (key === NO_CAMPAIGN) return true
  try {
    const campaign = campaignOf(key)
    return [campaign?.source, campaign?.medium, campaign?.campaign].every(isPartOfKey)
  } catch {
    return false
  }
}

/** Inside of a key a text may be anything that JSON has a way to write; no store keeps all of it. */
function isPartOfKey(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes(NUL)
}
