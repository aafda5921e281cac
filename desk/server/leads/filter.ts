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
import { campaignOf, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { deliveryStates, type LeadFilter, leadStates } from '../../../server/store/lead-records.ts'
import type { LeadsFilter } from '../../api/leads.ts'
import { Refused } from '../refusal.ts'
import { NUL, UNREADABLE } from '../request-body.ts'

const text = (longest: number) => pipe(string(), maxLength(longest))
const instant = pipe(someNumber(), safeInteger(), minValue(0))

export const filterSchema = strictObject({
  search: exactOptional(text(500)),
  state: exactOptional(picklist(leadStates)),
  delivery: exactOptional(picklist([...deliveryStates, 'none'])),
  page: exactOptional(text(500)),
  campaign: exactOptional(text(1000)),
  since: exactOptional(instant),
  until: exactOptional(instant),
})

export const filterBody = object({ filter: filterSchema })

export interface Meant {
  /** What was typed; empty when nothing was. */
  readonly typed: string
  readonly filter: LeadFilter
}

export function meantBy({ search = '', campaign, ...filter }: LeadsFilter): Meant {
  if (campaign === undefined) return { typed: search.trim(), filter }
  return { typed: search.trim(), filter: { ...filter, campaignKey: checkedCampaign(campaign) } }
}

/** No more leads than came before an instant. */
export function frozenAt({ typed, filter }: Meant, instant: number): Meant {
  return { typed, filter: { ...filter, until: Math.min(filter.until ?? instant, instant) } }
}

/** Inside of a key a text may be anything that JSON has a way to write; no store keeps all of it. */
function isKeptText(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes(NUL)
}

function checkedCampaign(key: string): string {
  try {
    const campaign = campaignOf(key)
    if (key === '' || [campaign?.source, campaign?.medium, campaign?.campaign].every(isKeptText)) return key
  } catch {
    // No key that we made.
  }
  if (key === OTHER_CAMPAIGNS) {
    throw new Refused(
      'bad request',
      'All other campaigns together have no list of their own. Choose a single campaign.',
    )
  }
  throw new Refused('bad request', UNREADABLE)
}
