/** What a lead, and a client, cost, by campaign, for any months. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney, isMonth } from '../../../../domain/campaigns/ad-spend.ts'
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import { costOf, SETTLING_DAYS } from '../../../../domain/campaigns/costs.ts'
import { api, type Costs as CostsData, type Figure, unwrap } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { queryKeys } from '../../query-keys.ts'
import { navigate, useQueryString } from '../../router.tsx'
import { useApiLink, useHasRole } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FieldGrid, Select } from '../../ui/field.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
import { LARGE_ENOUGH } from '../today/call-figures.tsx'
import { FigureLink } from '../today/figures.tsx'
import { EnterSpend } from './enter-spend.tsx'
import { monthName, useMonths } from './months.ts'

const DEFAULT_MONTHS = 6

interface Months {
  readonly from: string
  readonly to: string
}

/** In the URL, like the days. */
function useChosenMonths(offered: readonly string[]): readonly [Months, (chosen: Months) => void] {
  const search = new URLSearchParams(useQueryString())
  const read = (name: string, otherwise: string | undefined) => {
    const value = search.get(name)
    return value !== null && isMonth(value) ? value : (otherwise ?? '')
  }
  const months = { from: read('fromMonth', offered.at(-DEFAULT_MONTHS)), to: read('toMonth', offered.at(-1)) }
  const choose = (chosen: Months) => {
    const [from = '', to = ''] = [chosen.from, chosen.to].toSorted()
    search.set('fromMonth', from)
    search.set('toMonth', to)
    navigate(`/campaigns?${search}`, { replace: true })
  }
  return [months, choose]
}

export function Costs() {
  const apiLink = useApiLink()
  const isEditor = useHasRole('editor')
  const offered = useMonths()
  const [months, choose] = useChosenMonths(offered)
  const [isEntering, setEntering] = useState(false)
  const query = useQuery({
    queryKey: queryKeys.costs(months),
    queryFn: ({ signal }) => unwrap(api.costs.$get({ query: { ...months } }, { init: { signal } })),
    placeholderData: keepPreviousData,
  })
  const choices = [...new Set([months.from, months.to, ...offered])]
    .toSorted()
    .reverse()
    .map(month => [month, monthName(month)] as const)
  return (
    <Card
      title="What a client costs"
      note="People who came in during these months, and what has come of them so far. Numbers open their lists."
      aside={
        <span className="flex flex-wrap gap-2 print:hidden">
          {isEditor ? (
            <Button kind="secondary" onClick={() => setEntering(true)}>
              Enter ad spend…
            </Button>
          ) : null}
          <ButtonLink kind="quiet" icon="download" href={apiLink('/api/costs/export', { ...months })} download>
            Download ad spend
          </ButtonLink>
        </span>
      }
    >
      <FieldGrid className="mb-4 print:hidden">
        <Select
          label="First month"
          value={months.from}
          choices={choices}
          onChoose={from => choose({ ...months, from })}
        />
        <Select label="Last month" value={months.to} choices={choices} onChoose={to => choose({ ...months, to })} />
      </FieldGrid>
      <Loaded query={query} what="the costs">
        {data => <CostTable data={data} />}
      </Loaded>
      {isEntering && query.data ? (
        <EnterSpend campaigns={query.data.rows.map(({ campaign }) => campaign)} onClose={() => setEntering(false)} />
      ) : null}
    </Card>
  )
}

type Row = CostsData['total']

function CostTable({ data }: { readonly data: CostsData }) {
  const { rows, others, total, months, unfinishedFrom, to } = data
  if (rows.length === 0) return <p className="text-ink-soft">No leads and no ad spend in these months.</p>
  const shown = [
    ...rows.map(row => ({ key: row.campaign, name: <bdi>{truncate(campaignName(row.campaign), 120)}</bdi>, row })),
    ...(others ? [{ key: 'others', name: 'All other campaigns', row: others }] : []),
    { key: 'total', name: <strong>All campaigns</strong>, row: total },
  ]
  return (
    <>
      {unfinishedFrom === null ? null : (
        <p className="mb-3">
          <strong>
            Not finished: {unfinishedFrom === to ? monthName(to) : `${monthName(unfinishedFrom)} and later`}.
          </strong>{' '}
          People who came in during the last {SETTLING_DAYS} days may still become clients, so a client costs less than
          it seems.
        </p>
      )}
      {/* On phones, one figure per line: each has up to three lines of its own. */}
      <div className="@max-[42rem]:[&_tr]:grid-cols-1">
        <FigureTable
          label="Costs by campaign"
          first="Campaign"
          columns={['Ad spend', 'Accepted leads', 'Moving forward to date', 'Clients']}
          rows={shown.map(({ key, name, row }) => ({ key, name, cells: cellsOf(row, months) }))}
        />
      </div>
      <p className="mt-4 text-small text-ink-soft">
        “each”: ad spend divided by the number; for all campaigns, by people who came from one with ad spend. “likely”:
        the range that the true cost is in, with 95% confidence, while there are fewer than 100. The wider it is, the
        less a comparison says.
      </p>
    </>
  )
}

const cellsOf = ({ cents, enteredMonths, leads, goingAhead, clients, paid }: Omit<Row, 'campaign'>, months: number) => [
  <>
    {cents === 0 ? '–' : formatMoney(cents)}
    {cents === 0 || enteredMonths === months ? null : (
      <span className="block text-small text-ink-soft">
        entered for {enteredMonths} of {months} months
      </span>
    )}
  </>,
  <CostCell key="leads" figure={leads} cents={cents} paid={paid.leads} />,
  <CostCell key="goingAhead" figure={goingAhead} cents={cents} paid={paid.goingAhead} of={paid.leads} />,
  <CostCell key="clients" figure={clients} cents={cents} paid={paid.clients} of={paid.leads} />,
]

interface CostCellProps {
  readonly figure: Figure
  readonly cents: number
  /** As many of the figure as the ads brought. */
  readonly paid: number
  readonly of?: number
}

function CostCell({ figure, cents, paid, of }: CostCellProps) {
  const { each, range } = costOf(cents, paid, of)
  return (
    <>
      <span className="block">
        <FigureLink figure={figure} className={LARGE_ENOUGH} />
      </span>
      {each === null ? null : <strong className="block">{formatMoney(Math.round(each))} each</strong>}
      {range === null ? null : (
        <span className="block text-small text-ink-soft">
          likely {range.high === null ? 'over ' : ''}
          {formatMoney(Math.round(range.low))}
          {range.high === null ? '' : ` to ${formatMoney(Math.round(range.high))}`}
        </span>
      )}
    </>
  )
}
