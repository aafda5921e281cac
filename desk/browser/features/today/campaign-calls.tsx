/** What came of each campaign's leads, for Today and Campaigns. */
import { useState } from 'react'
import { type CalledSoFar, calledSoFarKeys, calledSoFarNames } from '../../../../domain/calling/outcomes.ts'
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import type { TodayCalls } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { Link, usePath } from '../../router.tsx'
import { Card } from '../../ui/card.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { LARGE_ENOUGH, Share } from './call-figures.tsx'
import { FigureLink } from './figures.tsx'

const MOST_CAMPAIGNS = 50

type CampaignRow = TodayCalls['campaigns'][number]
type CampaignFigure = 'leads' | CalledSoFar

/** Columns by their heading. */
const campaignColumns: Readonly<Record<string, CampaignFigure>> = {
  Leads: 'leads',
  ...Object.fromEntries(calledSoFarKeys.map(key => [calledSoFarNames[key], key])),
}

/** What the share in a column is of. */
const shareOf: { readonly [Name in CampaignFigure]?: CampaignFigure } = { reached: 'called', goingAhead: 'reached' }

/** What a column is sorted by. Shares of nobody come last. */
function sortValue(row: CampaignRow, figure: CampaignFigure): number {
  const whole = shareOf[figure]
  if (whole === undefined) return row[figure].count
  return row[whole].count > 0 ? row[figure].count / row[whole].count : -1
}

export function CampaignCalls({ campaigns }: { readonly campaigns: readonly CampaignRow[] }) {
  const path = usePath()
  const [column, setColumn] = useState('Leads')
  const figure = campaignColumns[column] ?? 'leads'
  const rows = campaigns
    .toSorted(
      (a, b) =>
        sortValue(b, figure) - sortValue(a, figure) ||
        b[figure].count - a[figure].count ||
        b.leads.count - a.leads.count,
    )
    .slice(0, MOST_CAMPAIGNS)
    .map(row => ({
      key: row.key,
      name: <bdi>{truncate(campaignName(row.key), 120)}</bdi>,
      cells: Object.values(campaignColumns).map(each => {
        const whole = shareOf[each]
        return whole === undefined ? (
          <FigureLink key={each} figure={row[each]} className={LARGE_ENOUGH} />
        ) : (
          <Share key={each} figure={row[each]} of={row[whole].count} />
        )
      }),
    }))
  return (
    <Card
      title="Calls by campaign"
      className="md:col-span-2 lg:col-span-6"
      note="All leads of this period, also by phone, corrected numbers, repeats, and leads on hold, and what has come of them to date. Reached: of those called. Moving forward to date: of those reached."
      aside={
        path === '/campaigns' ? null : (
          <Link href="/campaigns" className="text-small underline underline-offset-4 print:hidden">
            Up to a year, with page views
          </Link>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">No leads in this period.</p>
      ) : (
        <FigureTable
          label="Calls by campaign, figures"
          first="Campaign"
          columns={Object.keys(campaignColumns)}
          rows={rows}
          sorting={{ column, onSort: setColumn }}
        />
      )}
    </Card>
  )
}
