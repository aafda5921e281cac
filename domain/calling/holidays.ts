/** Federal holidays (5 U.S.C. 6103). State holidays aren't included. */
import { addDays } from '../dates.ts'
import { weekdayOf } from './local-time.ts'

const MONDAY = 1
const THURSDAY = 4

const fixed: readonly (readonly [monthAndDay: string, name: string])[] = [
  ['01-01', 'New Year’s Day'],
  ['06-19', 'Juneteenth'],
  ['07-04', 'Independence Day'],
  ['11-11', 'Veterans Day'],
  ['12-25', 'Christmas Day'],
]

/** `which` counts from the start of the month; -1 is the last one. */
const movable: readonly (readonly [month: string, which: number, weekday: number, name: string])[] = [
  ['01', 3, MONDAY, 'Martin Luther King Jr. Day'],
  ['02', 3, MONDAY, 'Presidents’ Day'],
  ['05', -1, MONDAY, 'Memorial Day'],
  ['09', 1, MONDAY, 'Labor Day'],
  ['10', 2, MONDAY, 'Columbus Day'],
  ['11', 4, THURSDAY, 'Thanksgiving Day'],
]

const byYear = new Map<number, ReadonlyMap<string, string>>()

/** The name of the holiday on a date, or on which it's observed. */
export function holidayOn(date: string): string | null {
  const year = Number(date.slice(0, 4))
  let holidays = byYear.get(year)
  if (!holidays) {
    holidays = holidaysOf(year)
    byYear.set(year, holidays)
  }
  return holidays.get(date) ?? null
}

function holidaysOf(year: number): ReadonlyMap<string, string> {
  const holidays = new Map<string, string>()
  // Next year's too: a New Year's Day on a Saturday is observed on December 31.
  for (const each of [year, year + 1]) {
    for (const [day, name] of fixed) {
      const date = `${each}-${day}`
      holidays.set(observedOn(date), `${name} (observed)`)
      holidays.set(date, name)
    }
  }
  for (const [month, which, weekday, name] of movable) holidays.set(weekdayIn(year, month, which, weekday), name)
  return holidays
}

/** Friday for a Saturday, Monday for a Sunday. */
function observedOn(date: string): string {
  const shift: Readonly<Record<number, number>> = { 6: -1, 0: 1 }
  return addDays(date, shift[weekdayOf(date)] ?? 0)
}

function weekdayIn(year: number, month: string, which: number, weekday: number): string {
  const first = `${year}-${month}-01`
  const firstMatch = addDays(first, (weekday - weekdayOf(first) + 7) % 7)
  if (which > 0) return addDays(firstMatch, 7 * (which - 1))
  const fifth = addDays(firstMatch, 28)
  return fifth.slice(5, 7) === month ? fifth : addDays(firstMatch, 21)
}
