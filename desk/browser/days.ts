/** Days in the operator's time zone, for browsers without Temporal. */

const DAY = 24 * 60 * 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** 2030-01-31 */
export function dateAt(time: number, timeZone: string): string {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  // By its parts: browsers order them differently.
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
}

export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** The first instant of a date. */
export function startOfDate(date: string, timeZone: string): number {
  // Zones are at most 14 hours from UTC. Offsets are whole quarters of an hour.
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
