/** The months that costs can be shown and entered for. */
import { monthsBetween } from '../../../../domain/campaigns/costs.ts'
import { useToday } from '../../times.ts'

const MONTHS_OFFERED = 36

const monthFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', year: 'numeric' })
/** "Jan 2030" */
export const monthName = (month: string) => monthFormat.format(Date.parse(`${month}-01`))

/** Oldest first, up to the current one. */
export function useMonths(): readonly string[] {
  const today = useToday()
  const first = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - MONTHS_OFFERED, 1))
  return monthsBetween(first.toISOString().slice(0, 7), today.slice(0, 7))
}
