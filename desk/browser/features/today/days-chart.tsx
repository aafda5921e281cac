/** Leads by day, as bars or as a table. */
import type { Today } from '../../client.ts'
import { hrefOfFilter } from '../../leads-address.ts'
import { type Bar, BarChart, ChartWithTable } from '../../ui/charts.tsx'
import { counted, figure } from '../../words/figures.ts'
import { FigureLink } from './figures.tsx'

// A date without a time is the same day everywhere.
const label = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const title = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' })

export function DaysChart({ days }: { readonly days: Today['days'] }) {
  const bars = days.map(({ day, submitted, unfinished }): Bar => {
    const date = Date.parse(`${day}T00:00Z`)
    return {
      key: day,
      label: unfinished ? 'Today' : label.format(date),
      title: `${title.format(date)}: ${counted(submitted.count, 'lead')}${unfinished ? ' so far' : ''}`,
      value: submitted.count,
      href: hrefOfFilter(submitted.filter),
      unfinished,
    }
  })
  return (
    <ChartWithTable
      title="Received by day"
      note={
        <>
          <span
            aria-hidden
            className="mr-1.5 inline-block h-0.5 w-5 bg-amber-edge align-middle forced-color-adjust-none"
          />
          7-day average. Dashed bar: today so far.
        </>
      }
      chart={<BarChart bars={bars} summary={summary(days)} />}
      table={<DaysTable days={days} />}
    />
  )
}

function summary(days: Today['days']): string {
  const all = days.reduce((sum, { submitted }) => sum + submitted.count, 0)
  const best = days.reduce<Today['days'][number] | null>(
    (a, b) => (a && a.submitted.count >= b.submitted.count ? a : b),
    null,
  )
  if (!best) return 'No leads.'
  return `${counted(all, 'lead')} in ${counted(days.length, 'day')}, peak: ${figure(best.submitted.count)} on ${title.format(Date.parse(`${best.day}T00:00Z`))}. See the table for daily numbers.`
}

/** No room on a phone. */
const wide = 'max-sm:hidden'

function DaysTable({ days }: { readonly days: Today['days'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it.
    <div role="region" aria-label="Leads by day" tabIndex={0} className="relative max-h-80 overflow-auto">
      <table className="w-full">
        <thead className="sticky top-0 bg-card">
          <tr className="text-left align-bottom text-small text-ink-soft">
            <th scope="col" className="py-1 font-normal">
              Day
            </th>
            {['Views', 'Received', 'New leads', 'Delivered'].map(name => (
              <th
                key={name}
                scope="col"
                className={`[overflow-wrap:normal] py-1 pl-3 text-right font-normal ${name === 'Received' || name === 'Delivered' ? '' : wide}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, views, submitted, leads, delivered, unfinished }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="whitespace-nowrap py-1.5 text-left font-normal">
                {title.format(Date.parse(`${day}T00:00Z`))}
                {unfinished ? ' (so far)' : ''}
              </th>
              <td className={`whitespace-nowrap pl-3 text-right ${wide}`}>{figure(views)}</td>
              <td className="whitespace-nowrap pl-3 text-right font-bold">
                <FigureLink filter={submitted.filter}>{figure(submitted.count)}</FigureLink>
              </td>
              <td className={`whitespace-nowrap pl-3 text-right ${wide}`}>{figure(leads)}</td>
              <td className="whitespace-nowrap pl-3 text-right">{figure(delivered)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
