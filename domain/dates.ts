/** Dates as text (2026-12-31) and dates entered in three boxes: Month, Day, and Year. */

import { plainDigits } from './text/text.ts'

export const dateParts = ['month', 'day', 'year'] as const
export type DatePart = (typeof dateParts)[number]

export const datePartName = (field: string, part: DatePart) => `${field}-${part}`

/** A two-digit year never means an age below this. */
const YOUNGEST = 18

type DateBoxes = Readonly<Record<DatePart, string>>

/** `miércoles, 15 de septiembre de 1965` is shorter. */
const MAX_LENGTH = 60
const UNREADABLE = '?'

/** The text in the three boxes. A whole date in the first one counts, too. */
function boxesIn(input: Readonly<Record<string, unknown>>, field: string): DateBoxes {
  const [month = '', day = '', year = ''] = dateParts.map(part => {
    const typed = input[datePartName(field, part)]
    if (typeof typed !== 'string') return ''
    return typed.length > MAX_LENGTH ? UNREADABLE : plainDigits(typed).trim()
  })
  return (day + year === '' && splitDate(month)) || { month, day, year }
}

/** YYYY-MM-DD from the three boxes, or empty if one of them is empty. The date might not exist. */
export function joinDate(input: Readonly<Record<string, unknown>>, field: string, currentYear: number): string {
  const { month, day, year } = boxesIn(input, field)
  if (month === '' || day === '' || year === '') return ''
  // `3/` and `15.` count. `1/2` doesn't, because it isn't 12.
  const twoDigits = (text: string) => (/\d(?:.*\d)?/s.exec(text)?.[0] ?? '').padStart(2, '0')
  return `${fullYear(year.replace(/\D/g, ''), currentYear)}-${twoDigits(monthNumber(month))}-${twoDigits(day)}`
}

/** The boxes to correct: the empty ones or, in a date that's complete but wrong, the first one that can't be right. */
export function wrongDateParts(
  input: Readonly<Record<string, unknown>>,
  field: string,
  currentYear: number,
): readonly DatePart[] {
  const boxes = boxesIn(input, field)
  const empty = dateParts.filter(part => boxes[part] === '')
  if (empty.length > 0) return empty
  const [year = '', month = '', day = ''] = joinDate(input, field, currentYear).split('-')
  if (!isCalendarDate(`2000-${month}-01`)) return ['month']
  return isCalendarDate(`${year.length === 4 ? year : 2000}-${month}-${day}`) ? ['year'] : ['day']
}

/** English and Spanish names, by their first three letters. */
const months = ['jan ene', 'feb', 'mar', 'apr abr', 'may', 'jun', 'jul', 'aug ago', 'sep set', 'oct', 'nov', 'dec dic']

/** `May` becomes 5. Numbers don't change. */
function monthNumber(text: string): string {
  const name = /^[a-z]{3}/i.exec(text)?.[0].toLowerCase()
  return name ? `${months.findIndex(names => names.includes(name)) + 1}` : text
}

/** 65 becomes 1965. 19 and 20 don't change, because they're probably incomplete years. */
function fullYear(year: string, currentYear: number): string {
  if (year.length !== 2 || year === '19' || year === '20') return year
  return Number(`20${year}`) <= currentYear - YOUNGEST ? `20${year}` : `19${year}`
}

/** Splits a date entered in one box: 03/15/1965, 3-15-65, 1965-03-15, 03151965, 031565, March 15, 1965. Null for anything else. */
export function splitDate(typed: string): DateBoxes | null {
  if (typed.length > MAX_LENGTH) return null
  const text = plainDigits(typed)
  const words = /^\s*(\d\d)(\d\d)(\d{4}|\d\d)\s*$/.exec(text)?.slice(1) ?? text.match(/(?!del)[a-z]{3,}|\d+/gi) ?? []
  const [first = '', second = '', third = ''] = words
  if (words.length !== 3) return null
  if (/^\d{4}$/.test(first)) return dateOf(second, third, first)
  return /^[a-z]/i.test(second) ? dateOf(second, first, third) : dateOf(first, second, third)
}

function dateOf(monthText: string, day: string, year: string): DateBoxes | null {
  const month = monthNumber(monthText)
  return month !== '0' && /^\d{1,2} \d{1,2} (\d\d|\d{4})$/.test(`${month} ${day} ${year}`) ? { month, day, year } : null
}

/** YYYY-MM-DD, and a date that exists: JavaScript parses February 30 as March 2. */
export function isCalendarDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).getUTCDate() === Number(text.slice(8))
}

/** For staff: Jan 31, 2030. */
export const calendarDay = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' })

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
