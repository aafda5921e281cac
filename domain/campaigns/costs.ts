/** What one lead, or one client, cost, and how sure that is. */
import { shareInterval } from './proportions.ts'

export interface Cost {
  /** In cents; null if there's none to divide by. */
  readonly each: number | null
  /** With 95% confidence, if there are few. `high` is null if there may be none at all. */
  readonly range: { readonly low: number; readonly high: number | null } | null
}

/** From here on, the range is so narrow that it only takes up room. */
const MANY = 100

/** `of`: leads, some of which became this. What the leads themselves cost is certain. */
export function costOf(cents: number, count: number, of?: number): Cost {
  const each = count > 0 ? cents / count : null
  if (cents === 0 || !of || count >= MANY) return { each, range: null }
  // A client whose data was erased isn't among the leads anymore.
  const { low, high } = shareInterval({ count: Math.min(count, of), of })
  return { each, range: { low: cents / (of * high), high: low > 0 ? cents / (of * low) : null } }
}

/** By then, most people who came in have become clients, or won't. */
export const SETTLING_DAYS = 60

/** The first month whose people still have time, as of `today`; null if none of them do. Days are such as 2030-01-31. */
export function firstUnfinished(months: readonly string[], settledBefore: string): string | null {
  return months.find(month => nextMonth(month) > settledBefore.slice(0, 7)) ?? null
}

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

export function monthsBetween(from: string, to: string): readonly string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = nextMonth(month)) months.push(month)
  return months
}
