/** For managers: how many people were called, how soon, by whom, and with what result. */
import { type ReactNode, useState } from 'react'
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { campaignName } from '../../../../domain/campaign.ts'
import type { CallPeriodName } from '../../../limits.ts'
import type { Today, TodayCalls } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { formatNumber, percent, pluralize } from '../../format/numbers.ts'
import { Link, usePath } from '../../router.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Steps } from '../../ui/steps.tsx'
import { Comparison, FigureLink } from './figures.tsx'

const periodNames: Readonly<Record<CallPeriodName, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': '7 days',
  '30d': '30 days',
}
const MOST_CAMPAIGNS = 50

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

export function CallFigures({ calls, today }: { readonly calls: TodayCalls; readonly today: Today }) {
  const { received, people, waiting, firstCalls } = calls
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-5 md:col-span-2 lg:col-span-6 lg:grid-cols-4">
      <BigFigure title="Received" note={calls.period === 'today' ? <Comparison data={today} /> : null}>
        <FigureLink filter={received.filter} className="decoration-2">
          {formatNumber(received.count)}
        </FigureLink>
      </BigFigure>
      <BigFigure title="People called" note={pluralize(calls.calls, 'call')}>
        {formatNumber(people)}
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
          href="/calls"
          className="underline decoration-edge decoration-2 underline-offset-4 hover:decoration-action"
        >
          {formatNumber(waiting.people)}
        </Link>
      </BigFigure>
    </div>
  )
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

export function Callers({ calls: { callers } }: { readonly calls: TodayCalls }) {
  const columns = ['Calls', 'Reached', 'First call after', 'Missed callbacks']
  return (
    <Card
      title="By person"
      className="md:col-span-2 lg:col-span-4"
      note="Missed callbacks: not called within 15 minutes of the promised time, even if someone called later."
    >
      {callers.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <table className="w-full text-right">
          <thead className="align-bottom text-small text-ink-soft">
            <tr>
              <th scope="col" className="py-1 text-left font-normal">
                Person
              </th>
              {columns.map(name => (
                <th key={name} scope="col" className="[overflow-wrap:normal] py-1 pl-2 sm:pl-3 font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {callers.map(({ id, name, calls, reached, firstCalls, missedCallbacks }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="break-words py-2 text-left font-bold">
                  {name}
                </th>
                <td className="whitespace-nowrap pl-2 sm:pl-3">{formatNumber(calls)}</td>
                <td className="pl-2 sm:pl-3">
                  <Share count={reached} of={calls} />
                </td>
                <td className="whitespace-nowrap pl-2 sm:pl-3">{firstCalls ? formatWait(firstCalls.minutes) : '–'}</td>
                <td className={`pl-2 sm:pl-3 ${missedCallbacks > 0 ? 'font-bold text-error' : ''}`}>
                  {formatNumber(missedCallbacks)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** "60% 18": the share comes first, because columns are sorted by it. */
function Share({ count, of }: { readonly count: number; readonly of: number }) {
  return (
    <span className="whitespace-nowrap">
      {of > 0 ? percent(count / of) : '–'}{' '}
      <span className="inline-block min-w-8 text-small text-ink-soft">{formatNumber(count)}</span>
    </span>
  )
}

export function CallResults({ calls: { calls, outcomes } }: { readonly calls: TodayCalls }) {
  const shown = outcomes.filter(({ calls: count }) => count > 0)
  return (
    <Card title="Results" className="md:col-span-2">
      {shown.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <Steps
          steps={shown.map(({ outcome, calls: count }) => ({
            name: outcomeName(outcome),
            count,
            of: calls,
            shown: formatNumber(count),
          }))}
        />
      )}
    </Card>
  )
}

type CampaignRow = TodayCalls['campaigns'][number]
type CampaignColumn = 'leads' | 'called' | 'reached' | 'goingAhead' | 'wrongNumber' | 'neverCall'

const campaignColumns: Readonly<Record<CampaignColumn, string>> = {
  leads: 'Leads',
  called: 'Called',
  reached: 'Reached',
  goingAhead: 'Going ahead',
  wrongNumber: 'Wrong number',
  neverCall: 'Do not call',
}

/** What a column is sorted by. Shares of campaigns that nobody was called for come last. */
function sortValue(row: CampaignRow, column: CampaignColumn): number {
  const isShare = column === 'reached' || column === 'goingAhead'
  return isShare ? (row.called > 0 ? row[column] / row.called : -1) : row[column]
}

export function CampaignCalls({ calls: { campaigns } }: { readonly calls: TodayCalls }) {
  const [column, setColumn] = useState<CampaignColumn>('leads')
  const rows = campaigns
    .toSorted((a, b) => sortValue(b, column) - sortValue(a, column) || b[column] - a[column] || b.leads - a.leads)
    .slice(0, MOST_CAMPAIGNS)
  return (
    <Card
      title="Calls by campaign"
      className="md:col-span-2 lg:col-span-4"
      note="Leads received in this period, and what has come of them so far. Percentages are of the people called."
      aside={
        <Link href="/campaigns" className="text-small underline underline-offset-4 print:hidden">
          Visits and conversion
        </Link>
      }
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">No leads in this period.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse have to be able to scroll it
        <section className="overflow-x-auto" aria-label="Calls by campaign, figures" tabIndex={0}>
          <table className="w-full min-w-lg text-right">
            <thead className="align-bottom text-small text-ink-soft">
              <tr>
                <th scope="col" className="py-1 text-left font-normal">
                  Campaign
                </th>
                {Object.entries(campaignColumns).map(([name, label]) => (
                  <th
                    key={name}
                    scope="col"
                    aria-sort={name === column ? 'descending' : undefined}
                    className="[overflow-wrap:normal] pl-2 font-normal"
                  >
                    <button
                      type="button"
                      onClick={() => setColumn(name as CampaignColumn)}
                      className={`min-h-11 rounded-md pl-1 text-right hover:text-ink ${name === column ? 'font-bold text-ink' : 'underline decoration-edge underline-offset-4'}`}
                    >
                      {label}
                      {name === column ? <Icon name="arrow-down" size={13} className="ml-0.5 inline" /> : null}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(row => (
                <tr key={row.key} className="border-t border-line">
                  <th scope="row" className="min-w-32 max-w-72 break-words py-2 text-left font-normal">
                    <FigureLink filter={row.filter}>{truncate(campaignName(row.key), 120)}</FigureLink>
                  </th>
                  <td className="pl-3 font-bold">{formatNumber(row.leads)}</td>
                  <td className="pl-3">{formatNumber(row.called)}</td>
                  <td className="pl-3">
                    <Share count={row.reached} of={row.called} />
                  </td>
                  <td className="pl-3">
                    <Share count={row.goingAhead} of={row.called} />
                  </td>
                  <td className="pl-3">{formatNumber(row.wrongNumber)}</td>
                  <td className="pl-3">{formatNumber(row.neverCall)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}
