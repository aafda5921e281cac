/** What each campaign brought in: of the leads received in a period, how many there are, and what has come of them so far. */
import type { CampaignKey } from '../../../domain/campaigns/campaign.ts'
import { firstIdAt } from '../facts/leads/lead-id.ts'
import { cameInBy, isAccepted } from '../facts/leads/states.ts'
import { type SqlPort, valuesOf } from '../sql.ts'

/** Each is as many as the list of leads with the same filter. */
export interface CampaignResults {
  readonly campaign: CampaignKey
  readonly submitted: number
  /** First submissions of the form. */
  readonly received: number
  /** Accepted. */
  readonly leads: number
}

interface Period {
  readonly since: number
  readonly until: number
}

export function createCampaignResults({ read }: SqlPort) {
  return {
    /** How many people who came in with each headline move forward. */
    async goingAheadByVariant({ since, until, campaign }: Period & { readonly campaign?: CampaignKey | undefined }) {
      const rows = await read<{ variant: string; total: number }>(
        `SELECT leads.variant, COUNT(*) AS total FROM standings JOIN leads ON leads.id = standings.lead_id
         WHERE standings.going_ahead = 1 AND lead_id >= $1 AND lead_id < $2 ${campaign === undefined ? '' : 'AND standings.campaign_key = $3'}
         GROUP BY leads.variant`,
        [firstIdAt(since), firstIdAt(until), ...(campaign === undefined ? [] : [campaign])],
      )
      return new Map(rows.map(({ variant, total }) => [variant, total]))
    },

    async campaignResults({ since, until }: Period) {
      return read<CampaignResults>(
        `SELECT campaign_key AS campaign, COUNT(*) AS submitted, COUNT(*) FILTER (WHERE ${cameInBy('form')}) AS received, COUNT(*) FILTER (WHERE ${isAccepted}) AS leads FROM leads
         WHERE campaign_key = ANY($3) AND id >= $1 AND id < $2 GROUP BY campaign_key`,
        [firstIdAt(since), firstIdAt(until), await valuesOf(read, 'campaign_key', 'leads')],
      )
    },

    /** How many move forward, and how many became clients. */
    async clientsByCampaign({ since, until }: Period) {
      const countBy = async (from: string) => {
        const counted = await read<{ campaign: CampaignKey; total: number }>(
          `SELECT campaign_key AS campaign, COUNT(*) AS total FROM ${from} GROUP BY campaign_key`,
          [firstIdAt(since), firstIdAt(until)],
        )
        return new Map(counted.map(({ campaign, total }) => [campaign, total]))
      }
      return {
        goingAhead: await countBy('standings WHERE going_ahead = 1 AND lead_id >= $1 AND lead_id < $2'),
        clients: await countBy('leads WHERE client_on IS NOT NULL AND id >= $1 AND id < $2'),
      }
    },
  }
}
