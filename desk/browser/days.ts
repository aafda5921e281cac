/** Days in the operator's time zone, for browsers that have no Temporal yet. */

const DAY = 24 * 60 * 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Which date it is there at an instant: 2030-01-31. */
export function dateAt(time: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  // By its parts: in which order a country writes them is another in each browser.
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** When a date begins there: the first instant at which the calendar on the wall shows it. */
export function startOfDate(date: string, timeZone: string): number {
  // No zone is further from UTC than 14 hours. Offsets change at whole quarters of an hour.
  const QUARTER = 15 * 60_000
  let low = Date.parse(`${date}T00:00Z`) - DAY
  let high = low + 2 * DAY
  while (high - low > QUARTER) {
    const middle = low + Math.floor((high - low) / 2 / QUARTER) * QUARTER
    if (dateAt(middle, timeZone) < date) low = middle
    else high = middle
  }
  return high
}
