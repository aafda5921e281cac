/** For managers: how many people were called, how soon, by whom, and with what result. */
import { type ComponentProps, type ReactNode, useState } from 'react'
import {
  type CalledSoFar,
  calledSoFarKeys,
  calledSoFarNames,
  type filterOutcomes,
  outcomeName,
} from '../../../../domain/calling/outcomes.ts'
import { campaignName } from '../../../../domain/campaign.ts'
import type { CallPeriodName } from '../../../limits.ts'
import type { Today, TodayCalls } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { formatNumber, percent, pluralize } from '../../format/numbers.ts'
import { Link, usePath } from '../../router.tsx'
import { Card } from '../../ui/card.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Steps } from '../../ui/steps.tsx'
import { ExportCalls } from './export-calls.tsx'
import { Comparison, FigureLink } from './figures.tsx'

const periodNames: Readonly<Record<CallPeriodName, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': '7 days',
  '30d': '30 days',
}
const MOST_CAMPAIGNS = 50
/** A digit alone is too small to press. */
const LARGE_ENOUGH = 'inline-block min-h-6 min-w-6'
type FilterOutcome = (typeof filterOutcomes)[number]

export const periodOf = (text: string | null): CallPeriodName =>
  text !== null && Object.hasOwn(periodNames, text) ? (text as CallPeriodName) : 'today'

/** In the URL, so a manager can bookmark a period. */
export function Periods({ current }: { readonly current: CallPeriodName }) {
  const path = usePath()
  return (
    <nav aria-label="Period" className="mb-4 flex flex-wrap gap-1.5 max-sm:text-small print:hidden">
      {Object.entries(periodNames).map(([period, name]) => (
        <Link
          key={period}
          href={period === 'today' ? path : `${path}?period=${period}`}
          aria-current={period === current ? 'true' : undefined}
          className={`flex min-h-11 items-center grow justify-center rounded-lg border px-2.5 font-bold sm:grow-0 sm:px-3.5 ${period === current ? 'border-action bg-action text-on-action' : 'border-edge bg-card hover:bg-mist'}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** "<1 min", "4 min", "1 h 20 min": of calling hours, so there are no days. */
export function formatWait(minutes: number): string {
  if (minutes < 1) return '<1 min'
  const [hours, rest] = [Math.floor(minutes / 60), Math.floor(minutes % 60)]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${formatNumber(hours)} h` : `${formatNumber(hours)} h ${rest} min`
}

/** The leads behind a period's calls. */
const calledIn = ({ received: { filter } }: TodayCalls) => ({ calledFrom: filter.from, calledTo: filter.to })

export function CallFigures({ calls, today }: { readonly calls: TodayCalls; readonly today: Today }) {
  const { received, people, waiting, firstCalls } = calls
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3 sm:gap-5 md:col-span-2 lg:col-span-6 lg:grid-cols-5 2xl:col-span-12">
      <BigFigure title="Received" note={calls.period === 'today' ? <Comparison data={today} /> : null}>
        <FigureLink filter={received.filter} className="decoration-2">
          {formatNumber(received.count)}
        </FigureLink>
      </BigFigure>
      <BigFigure title="People called" note={pluralize(calls.calls, 'call')}>
        <FigureLink filter={calledIn(calls)} className="decoration-2">
          {formatNumber(people)}
        </FigureLink>
      </BigFigure>
      <BigFigure title="Called us" note={incomingNote(calls)}>
        <FigureLink filter={{ ...calledIn(calls), called: 'us' }} className="decoration-2">
          {formatNumber(calls.peopleWhoCalled)}
        </FigureLink>
      </BigFigure>
      <BigFigure
        title="Time to first call"
        note={
          firstCalls ? `Median of ${pluralize(firstCalls.of, 'first call')}, in calling hours` : 'No first calls yet'
        }
      >
        {firstCalls ? formatWait(firstCalls.minutes) : '–'}
      </BigFigure>
      <BigFigure title="Waiting now" note={waitingNote(waiting)}>
        <Link
          href="/calls?only=new"
          className="underline decoration-edge decoration-2 underline-offset-4 hover:decoration-action"
        >
          {formatNumber(waiting.people)}
        </Link>
      </BigFigure>
    </div>
  )
}

function incomingNote({ incoming, unknownCallers }: TodayCalls): string {
  const calls = pluralize(incoming, 'call')
  return unknownCallers === 0 ? calls : `${calls}, ${formatNumber(unknownCallers)} from unknown numbers`
}

function waitingNote({ people, longestMs, withoutPlace }: TodayCalls['waiting']): string {
  if (people === 0) return 'Everyone has been called at least once'
  const unknown = withoutPlace > 0 ? `${formatNumber(withoutPlace)} without a known time zone` : ''
  if (withoutPlace === people) return unknown
  const longest =
    longestMs === 0
      ? 'Outside calling hours'
      : `Not called yet. Longest: ${formatWait(longestMs / 60_000)}, in calling hours`
  return unknown ? `${longest}; ${unknown}` : longest
}

function BigFigure({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Card title={title}>
      <p className="font-heading text-[clamp(1.75rem,5vw,2.75rem)] font-[650] leading-none">{children}</p>
      <div className="mt-2.5 text-small text-ink-soft">{note}</div>
    </Card>
  )
}

const agentColumns = ['Calls', 'Called us', 'Calls that reached someone', 'Time to first call', 'Missed callbacks']

export function Agents({ calls }: { readonly calls: TodayCalls }) {
  const { agents, period } = calls
  const { from, to } = calls.received.filter
  const rows = agents.map(({ id, name, calls: made, reached, firstCalls, missedCallbacks, ...calledUs }) => ({
    key: id,
    name: (
      <FigureLink filter={{ ...calledIn(calls), caller: id }} className="font-bold">
        {name}
      </FigureLink>
    ),
    cells: [
      <FigureLink key="made" filter={{ ...calledIn(calls), caller: id }} className={LARGE_ENOUGH}>
        {formatNumber(made)}
      </FigureLink>,
      <CalledUs key="taken" {...calledUs} filter={{ ...calledIn(calls), caller: id, called: 'us' }} />,
      <Share key="reached" count={reached} of={made} filter={{ ...calledIn(calls), caller: id, outcome: 'reached' }} />,
      firstCalls ? formatWait(firstCalls.minutes) : '–',
      missedCallbacks === 0 ? (
        '0'
      ) : (
        <FigureLink
          key="missed"
          filter={{ caller: id, callbackFrom: from, callbackTo: to, callback: 'missed' }}
          className={`font-bold text-error ${LARGE_ENOUGH}`}
        >
          {formatNumber(missedCallbacks)}
        </FigureLink>
      ),
    ],
  }))
  return (
    <Card
      title="By person"
      className="md:col-span-2 lg:col-span-4 2xl:col-span-6"
      note="Numbers open the people behind them; someone called twice is listed once. Missed callbacks: not called within 15 minutes of the promised time, even if someone called later."
      aside={<ExportCalls period={period} agents={agents} />}
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <FigureTable label="Calls by person" first="Person" columns={agentColumns} rows={rows} />
      )}
    </Card>
  )
}

interface CalledUsProps extends Pick<TodayCalls['agents'][number], 'peopleWhoCalled' | 'unknownCallers'> {
  readonly filter: ComponentProps<typeof FigureLink>['filter']
}

function CalledUs({ peopleWhoCalled, unknownCallers, filter }: CalledUsProps) {
  return (
    <span className="whitespace-nowrap">
      {peopleWhoCalled === 0 ? (
        '0'
      ) : (
        <FigureLink filter={filter} className={LARGE_ENOUGH}>
          {formatNumber(peopleWhoCalled)}
        </FigureLink>
      )}
      {unknownCallers === 0 ? null : (
        <span className="text-small text-ink-soft"> + {formatNumber(unknownCallers)} unknown</span>
      )}
    </span>
  )
}

/** "60% 18": the share comes first, because columns are sorted by it. */
function Share({
  count,
  of,
  filter,
}: {
  readonly count: number
  readonly of: number
  readonly filter?: ComponentProps<typeof FigureLink>['filter']
}) {
  const shown = formatNumber(count)
  return (
    <span className="whitespace-nowrap">
      {of > 0 ? percent(count / of) : '–'}{' '}
      <span className="inline-block min-w-8 text-small text-ink-soft">
        {filter && count > 0 ? <FigureLink filter={filter}>{shown}</FigureLink> : shown}
      </span>
    </span>
  )
}

export function CallResults({ calls }: { readonly calls: TodayCalls }) {
  const shown = calls.outcomes.filter(({ calls: count }) => count > 0)
  return (
    <Card title="Outcomes" className="md:col-span-2 2xl:col-span-3">
      {shown.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <Steps
          steps={shown.map(({ outcome, calls: count }) => ({
            name: outcomeName(outcome),
            count,
            of: calls.calls,
            shown: (
              <FigureLink filter={{ ...calledIn(calls), outcome: outcome as FilterOutcome }}>
                {formatNumber(count)}
              </FigureLink>
            ),
          }))}
        />
      )}
    </Card>
  )
}

type CampaignRow = TodayCalls['campaigns'][number]
type CampaignFigure = 'leads' | CalledSoFar

/** Columns by their heading. */
const campaignColumns: Readonly<Record<string, CampaignFigure>> = {
  Leads: 'leads',
  ...Object.fromEntries(calledSoFarKeys.map(key => [calledSoFarNames[key], key])),
}

const isShare = (figure: CampaignFigure) => figure === 'reached' || figure === 'goingAhead'

/** What a column is sorted by. Shares of campaigns that nobody was called for come last. */
function sortValue(row: CampaignRow, figure: CampaignFigure): number {
  if (!isShare(figure)) return row[figure]
  return row.called > 0 ? row[figure] / row.called : -1
}

const figureOf = (row: CampaignRow, figure: CampaignFigure) =>
  isShare(figure) ? <Share count={row[figure]} of={row.called} /> : formatNumber(row[figure])

export function CampaignCalls({ campaigns }: { readonly campaigns: readonly CampaignRow[] }) {
  const path = usePath()
  const [column, setColumn] = useState('Leads')
  const figure = campaignColumns[column] ?? 'leads'
  const rows = campaigns
    .toSorted((a, b) => sortValue(b, figure) - sortValue(a, figure) || b[figure] - a[figure] || b.leads - a.leads)
    .slice(0, MOST_CAMPAIGNS)
    .map(row => ({
      key: row.key,
      name: (
        <FigureLink filter={row.filter}>
          <bdi>{truncate(campaignName(row.key), 120)}</bdi>
        </FigureLink>
      ),
      cells: Object.values(campaignColumns).map(each =>
        row[each] === 0 ? (
          figureOf(row, each)
        ) : (
          <FigureLink
            key={each}
            filter={each === 'leads' ? row.filter : { ...row.filter, soFar: each }}
            className={LARGE_ENOUGH}
          >
            {figureOf(row, each)}
          </FigureLink>
        ),
      ),
    }))
  return (
    <Card
      title="Calls by campaign"
      className="md:col-span-2 lg:col-span-4 2xl:col-span-5"
      note="Leads received in this period, and what has come of them so far. Percentages are of the people called."
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
