/** Leads by day, as bars with a moving average or as a table. */
import { useState } from 'react'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import type { Today } from '../../client.ts'
import { hrefOfFilter } from '../../leads-url.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FigureLink } from './figures.tsx'

type Days = Today['days']

// Plain dates have no time zone, so format them in UTC.
const label = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const title = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' })

const AVERAGE_DAYS = 7

export function DaysChart({ days }: { readonly days: Days }) {
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      className="md:col-span-2 lg:col-span-4"
      title="Received by day"
      note={
        asTable ? undefined : (
          <>
            <span
              aria-hidden
              className="mr-1.5 inline-block h-0.5 w-5 bg-amber-edge align-middle forced-color-adjust-none"
            />
            7-day average. Dashed bar: today so far.
          </>
        )
      }
      aside={
        <Button kind="quiet" className="-my-2 -mr-[min(1rem,16px)] text-small" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show chart' : 'Show table'}
        </Button>
      }
    >
      {asTable ? <DaysTable days={days} /> : <Bars days={days} />}
    </Card>
  )
}

/** Screen readers get a one-sentence summary; the table has the same links as the bars. */
function Bars({ days }: { readonly days: Days }) {
  const ticks = ticksUpTo(Math.max(4, ...days.map(({ received }) => received.count)))
  const top = ticks.at(-1) ?? 1
  const height = (value: number) => `${(value / top) * 100}%`
  const average = movingAverage(days).map(([index, mean], at) => `${at === 0 ? 'M' : 'L'}${index + 0.5},${top - mean}`)
  return (
    <>
      <p className="sr-only">{summary(days)}</p>
      <div aria-hidden className="h-56 pb-[2em] lg:h-72 pl-[2.5em] pt-[1em] text-tiny text-ink-soft">
        <div className="relative flex h-full">
          {ticks.map(tick => (
            <span key={tick} className="absolute inset-x-0 border-t border-line" style={{ bottom: height(tick) }}>
              <span className="absolute right-full -translate-y-1/2 whitespace-nowrap pr-2">{formatNumber(tick)}</span>
            </span>
          ))}
          {days.map(({ day, received, unfinished }, index) => {
            const date = Date.parse(day)
            const fromEnd = days.length - 1 - index
            return (
              // The chart's full height is clickable, even if the bar is short.
              <Link
                key={day}
                href={hrefOfFilter(received.filter)}
                tabIndex={-1}
                className="group relative flex min-w-0 flex-1 flex-col justify-end"
              >
                <span
                  // With forced colors, only the border is visible.
                  className={`mx-[12.5%] rounded-t-[3px] border-bar ${received.count > 0 ? 'min-h-0.5' : ''} ${unfinished ? 'border-2 border-b-0 border-dashed bg-bar-soft' : 'bg-bar group-hover:bg-action-strong forced-colors:border print:[print-color-adjust:exact]'}`}
                  style={{ height: height(received.count) }}
                />
                {fromEnd % 5 === 0 ? (
                  <span
                    className={`absolute right-0 top-full whitespace-nowrap pt-1 ${fromEnd % 10 === 0 ? '' : '@max-[36rem]:hidden'}`}
                  >
                    {unfinished ? 'Today' : label.format(date)}
                  </span>
                ) : null}
                <span
                  className={`pointer-events-none absolute top-0 z-10 hidden whitespace-nowrap rounded-lg border border-line bg-raised px-2.5 py-1 text-small font-bold text-ink shadow-raised group-hover:block ${fromEnd * 2 < days.length ? 'right-full' : 'left-full'}`}
                >
                  {title.format(date)}: {pluralize(received.count, 'lead')}
                  {unfinished ? ' so far' : ''}
                </span>
              </Link>
            )
          })}
          <svg
            aria-hidden
            className="pointer-events-none absolute inset-0 size-full overflow-visible fill-none stroke-amber-edge"
            preserveAspectRatio="none"
            viewBox={`0 0 ${days.length} ${top}`}
          >
            <path d={average.join('')} strokeWidth={2.5} vectorEffect="non-scaling-stroke" />
          </svg>
        </div>
      </div>
    </>
  )
}

/** Four to six round numbers, from zero to at least the highest value. */
function ticksUpTo(highest: number): readonly number[] {
  const magnitude = 10 ** Math.floor(Math.log10(highest / 4))
  const step = [1, 2, 5, 10].map(each => each * magnitude).find(each => each * 5 >= highest) ?? highest
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step)
}

/** Each moving average, paired with the index of its last day. Leaves out today, which isn't over yet. */
function movingAverage(days: Days): (readonly [index: number, mean: number])[] {
  const counts = days.filter(({ unfinished }) => !unfinished).map(({ received }) => received.count)
  return counts.slice(AVERAGE_DAYS - 1).map((_, index) => {
    const sum = counts.slice(index, index + AVERAGE_DAYS).reduce((total, count) => total + count, 0)
    return [index + AVERAGE_DAYS - 1, sum / AVERAGE_DAYS]
  })
}

function summary(days: Days): string {
  const all = days.reduce((sum, { received }) => sum + received.count, 0)
  const best = days.reduce<Days[number] | null>((a, b) => (a && a.received.count >= b.received.count ? a : b), null)
  if (!best) return 'No leads.'
  return `${pluralize(all, 'lead')} in ${pluralize(days.length, 'day')}, peak: ${formatNumber(best.received.count)} on ${title.format(Date.parse(best.day))}. See the table for daily numbers.`
}

/** Phones don't have room for these columns. */
const wideOnly = 'max-sm:hidden'

function DaysTable({ days }: { readonly days: Days }) {
  const { crm } = useSession()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: lets the arrow keys scroll it.
    <div role="region" aria-label="Leads by day" tabIndex={0} className="relative max-h-80 overflow-auto">
      <table className="w-full">
        <thead className="sticky top-0 bg-card">
          <tr className="text-left align-bottom text-small text-ink-soft">
            <th scope="col" className="py-1 font-normal">
              Day
            </th>
            {['Views', 'Received', 'Accepted leads', ...(crm ? ['Delivered'] : [])].map(name => (
              <th
                key={name}
                scope="col"
                className={`[overflow-wrap:normal] py-1 pl-3 text-right font-normal ${name === 'Received' || name === 'Delivered' ? '' : wideOnly}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, views, received, leads, delivered, unfinished }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="whitespace-nowrap py-1.5 text-left font-normal">
                {title.format(Date.parse(day))}
                {unfinished ? ' (so far)' : ''}
              </th>
              <td className={`whitespace-nowrap pl-3 text-right ${wideOnly}`}>{formatNumber(views)}</td>
              <td className="whitespace-nowrap pl-3 text-right font-bold">
                <FigureLink figure={received} />
              </td>
              <td className={`whitespace-nowrap pl-3 text-right ${wideOnly}`}>{formatNumber(leads)}</td>
              {crm ? <td className="whitespace-nowrap pl-3 text-right">{formatNumber(delivered)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
