/** What each campaign brought in: of the leads received in a period, how many there are, and what has come of them so far. */
import type { CampaignKey } from '../../../domain/campaign.ts'
import type { SqlPort } from '../sql.ts'
import { firstIdAt } from './lead-id.ts'
import { isAccepted } from './states.ts'

/** Each is as many as the list of leads with the same filter. */
export interface CampaignResults {
  readonly campaign: CampaignKey
  /** Everyone, repeats and leads on hold included. */
  readonly submitted: number
  /** Accepted. */
  readonly leads: number
  readonly goingAhead: number
  readonly clients: number
}

type Counted = Pick<CampaignResults, 'campaign'> & { readonly total: number }

interface Period {
  readonly since: number
  readonly until: number
}

export function createCampaignResults({ read }: SqlPort) {
  return {
    /** How many of those who came in with each headline move forward. */
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
      const range = [firstIdAt(since), firstIdAt(until)]
      const among = 'FROM leads WHERE campaign_key = campaigns.campaign AND id >= $1 AND id < $2'
      // A look at the index for each campaign: databases would sort the leads to group them.
      const found = await read<Pick<CampaignResults, 'campaign' | 'submitted' | 'leads'>>(
        `WITH RECURSIVE campaigns (campaign) AS (
           SELECT MIN(campaign_key) FROM leads
           UNION ALL SELECT (SELECT MIN(campaign_key) FROM leads WHERE campaign_key > campaigns.campaign)
             FROM campaigns WHERE campaign IS NOT NULL)
         SELECT campaign, (SELECT COUNT(*) ${among}) AS submitted, (SELECT COUNT(*) ${among} AND ${isAccepted}) AS leads
         FROM campaigns WHERE campaign IS NOT NULL`,
        range,
      )
      const countBy = async (from: string) => {
        const counted = await read<Counted>(
          `SELECT campaign_key AS campaign, COUNT(*) AS total FROM ${from} GROUP BY campaign_key`,
          range,
        )
        return new Map(counted.map(({ campaign, total }) => [campaign, total]))
      }
      const goingAhead = await countBy('standings WHERE going_ahead = 1 AND lead_id >= $1 AND lead_id < $2')
      const clients = await countBy('leads WHERE client_on IS NOT NULL AND id >= $1 AND id < $2')
      return found
        .filter(({ submitted }) => submitted > 0)
        .map(
          (row): CampaignResults => ({
            ...row,
            goingAhead: goingAhead.get(row.campaign) ?? 0,
            clients: clients.get(row.campaign) ?? 0,
          }),
        )
    },
  }
}
