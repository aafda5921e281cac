/** For managers: how many people were called, how soon, by whom, and with what result. */
import { Fragment, type ReactNode } from 'react'
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import type { CallPeriodName } from '../../../limits.ts'
import type { Figure, Today, TodayCalls } from '../../client.ts'
import { fullName, PersonName, truncate } from '../../format/names.tsx'
import { percent } from '../../format/numbers.ts'
import { Link, usePath } from '../../router.tsx'
import { formatWait, minutesBetween, useTimes } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Steps } from '../../ui/steps.tsx'
import { ExportCalls } from './export-calls.tsx'
import { AlsoCameIn, Comparison, FigureLink } from './figures.tsx'

const periodNames: Readonly<Record<CallPeriodName, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': '7 days',
  '30d': '30 days',
}
/** A digit alone is too small to press. */
export const LARGE_ENOUGH = 'inline-block min-h-6 min-w-6'

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

export function CallFigures({ calls, today }: { readonly calls: TodayCalls; readonly today: Today }) {
  const { before, firstCalls } = calls
  const large = 'decoration-2'
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3 sm:gap-5 md:col-span-2 lg:col-span-6 md:grid-cols-3 2xl:col-span-12 2xl:grid-cols-6">
      <BigFigure
        title="Received"
        note={
          <>
            {calls.period === 'today' ? <Comparison data={today} /> : <Before calls={calls} of="received" />}
            <AlsoCameIn apart={calls.apart} />
          </>
        }
      >
        <FigureLink figure={calls.received} className={large} />
      </BigFigure>
      <BigFigure
        title="People called"
        note={<Before calls={calls} of="people" then={pluralize(calls.calls, 'call')} />}
      >
        <FigureLink figure={calls.people} className={large} />
      </BigFigure>
      <BigFigure title="Moving forward" note={<Before calls={calls} of="goingAhead" then={shareOfReached(calls)} />}>
        <FigureLink figure={calls.goingAhead} className={large} />
      </BigFigure>
      <BigFigure title="Called us" note={incomingNote(calls)}>
        <FigureLink figure={calls.calledUs} className={large} />
      </BigFigure>
      <BigFigure
        title="Time to first call"
        note={
          <>
            {firstCalls
              ? `Median of ${pluralize(firstCalls.of, 'first call')}, in calling hours; the longest: ${formatWait(firstCalls.longest)}`
              : 'No first calls yet'}
            {before?.firstCalls ? `; ${formatWait(before.firstCalls.minutes)} ${theDaysBefore(calls)}` : ''}
            {calls.waiting.people.count > 0 && calls.period !== 'yesterday'
              ? `. Not counted: ${formatNumber(calls.waiting.people.count)} still waiting.`
              : ''}
          </>
        }
      >
        {firstCalls ? formatWait(firstCalls.minutes) : '–'}
      </BigFigure>
      <BigFigure title="Waiting now" note={<WaitingNote {...calls.waiting} />}>
        <Link
          href={`/calls?only=${calls.waiting.people.only}`}
          className="underline decoration-edge decoration-2 underline-offset-4 hover:decoration-action"
        >
          {formatNumber(calls.waiting.people.count)}
        </Link>
      </BigFigure>
    </div>
  )
}

/** Today isn't over yet, so neither are the days that the period is compared with. */
const theDaysBefore = ({ period }: TodayCalls) =>
  period === '30d' ? 'in the 30 days before, up to this time' : 'on the same weekdays before, up to this time'

/** How a period compares with the one right before it. */
function Before({
  calls,
  of,
  then,
}: {
  readonly calls: TodayCalls
  readonly of: 'received' | 'people' | 'goingAhead'
  readonly then?: string
}) {
  const { before } = calls
  const all = before && of === 'people' ? ` (${pluralize(before.calls, 'call')})` : ''
  const text = before ? `${formatNumber(before[of])}${all} ${theDaysBefore(calls)}` : ''
  return [then, text].filter(Boolean).join('; ')
}

const shareOfReached = ({ goingAhead, reached }: TodayCalls) =>
  reached.count === 0
    ? 'Nobody was reached'
    : `${percent(goingAhead.count / reached.count)} of ${formatNumber(reached.count)} reached`

function incomingNote({ incoming, unknownCallers }: TodayCalls): string {
  const calls = pluralize(incoming, 'call')
  return unknownCallers === 0 ? calls : `${calls}, ${formatNumber(unknownCallers)} from unknown numbers`
}

function WaitingNote({ people, longest, withoutPlace }: TodayCalls['waiting']) {
  if (people.count === 0) return 'Everyone has been called at least once'
  const unknown = withoutPlace > 0 ? `${formatNumber(withoutPlace)} without a known time zone` : ''
  if (withoutPlace === people.count) return unknown
  return (
    <>
      {longest.length === 0 ? 'Outside calling hours' : 'Longest, in calling hours: '}
      {longest.map(({ leadId, ms, ...named }, index) => (
        <Fragment key={leadId}>
          {index > 0 ? ', ' : ''}
          <Link href={`/leads/${leadId}`} className="underline decoration-edge underline-offset-4">
            <bdi>{truncate(fullName(named), 40)}</bdi>
          </Link>{' '}
          {formatWait(ms / 60_000)}
        </Fragment>
      ))}
      {unknown ? `; ${unknown}` : ''}
    </>
  )
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

const agentColumns = [
  'People called',
  'Reached',
  'Moving forward',
  'Calls',
  'Called us',
  'Time to first call',
  'Missed callbacks',
]

export function Agents({ calls }: { readonly calls: TodayCalls }) {
  const { agents, period } = calls
  const rows = agents.map(agent => ({
    key: agent.id,
    name: <strong>{agent.name}</strong>,
    cells: [
      <FigureLink key="people" figure={agent.people} className={LARGE_ENOUGH} />,
      <Share key="reached" figure={agent.reached} of={agent.everyone.count} />,
      <Share key="ahead" figure={agent.goingAhead} of={agent.reached.count} />,
      formatNumber(agent.calls),
      <CalledUs key="taken" agent={agent} />,
      agent.firstCalls ? formatWait(agent.firstCalls.minutes) : '–',
      <FigureLink key="missed" figure={agent.missedCallbacks} className={`font-bold text-error ${LARGE_ENOUGH}`} />,
    ],
  }))
  return (
    <Card
      title="By person"
      className="md:col-span-2 lg:col-span-6"
      note="Numbers with a link are people; each is counted once, however often they were called. Reached and Moving forward count calls in both directions. Reached: of the people on any of these calls. Moving forward: of those reached."
      aside={<ExportCalls period={period} />}
    >
      {rows.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <FigureTable label="Calls by person" first="Person" columns={agentColumns} rows={rows} />
      )}
    </Card>
  )
}

function CalledUs({ agent: { calledUs, unknownCallers } }: { readonly agent: TodayCalls['agents'][number] }) {
  return (
    <span className="whitespace-nowrap">
      <FigureLink figure={calledUs} className={LARGE_ENOUGH} />
      {unknownCallers === 0 ? null : (
        <span className="text-small text-ink-soft"> + {formatNumber(unknownCallers)} unknown</span>
      )}
    </span>
  )
}

/** "60% 18": the share comes first, because columns are sorted by it. */
export function Share({ figure, of }: { readonly figure: Figure; readonly of: number }) {
  return (
    <span className="whitespace-nowrap">
      {of > 0 ? percent(figure.count / of) : '–'}{' '}
      <span className="inline-block min-w-6 text-small text-ink-soft">
        <FigureLink figure={figure} />
      </span>
    </span>
  )
}

/** Promised, but nobody called in time. */
export function MissedCallbacks({ calls: { agents, missed, at } }: { readonly calls: TodayCalls }) {
  const times = useTimes()
  if (missed.length === 0) return null
  const all = agents.reduce((sum, { missedCallbacks }) => sum + missedCallbacks.count, 0)
  // Without the weekday, it's on one line.
  const dated = (time: number) => `${times.date(time)}, ${times.time(time)}`
  return (
    <Card
      title="Missed callbacks"
      className="md:col-span-2 lg:col-span-6"
      note={`Not called within 15 minutes of the promised time, even if someone called later. Each person once, with the latest.${all > missed.length ? ` The latest ${formatNumber(missed.length)} of ${formatNumber(all)}.` : ''}`}
    >
      <FigureTable
        label="Missed callbacks"
        first="Person"
        columns={['Promised by', 'Promised for', 'Called', 'Late']}
        rows={missed.map(({ leadId, by, promisedFor, calledAt, ...named }) => ({
          key: `${leadId} ${promisedFor}`,
          name: (
            <Link href={`/leads/${leadId}`} className="underline underline-offset-4">
              <PersonName {...named} />
            </Link>
          ),
          cells: [
            by,
            dated(promisedFor),
            calledAt === null ? 'Not yet' : dated(calledAt),
            formatWait(minutesBetween(promisedFor, calledAt ?? at)),
          ],
        }))}
      />
    </Card>
  )
}

export function CallResults({ calls }: { readonly calls: TodayCalls }) {
  const shown = calls.outcomes.filter(({ people }) => people.count > 0)
  return (
    <Card
      title="Outcomes"
      className="md:col-span-2 lg:col-span-4 2xl:col-span-3"
      note={
        shown.length === 0
          ? undefined
          : 'Of the people who were called or called us. Someone with two calls may have two outcomes.'
      }
    >
      {shown.length === 0 ? (
        <p className="text-ink-soft">No calls in this period.</p>
      ) : (
        <Steps
          steps={shown.map(({ outcome, people }) => ({
            name: outcomeName(outcome),
            count: people.count,
            of: calls.everyone.count,
            shown: <FigureLink figure={people} />,
          }))}
        />
      )}
    </Card>
  )
}
