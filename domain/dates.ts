/** Dates as text (2026-12-31) and dates entered in three boxes: Month, Day, and Year. */

export const dateParts = ['month', 'day', 'year'] as const
export type DatePart = (typeof dateParts)[number]

export const datePartName = (field: string, part: DatePart) => `${field}-${part}`

/** A two-digit year never means an age below this. */
const YOUNGEST = 18

/** YYYY-MM-DD from the three boxes, or empty if all are empty. The date might not exist. */
export function joinDate(input: Readonly<Record<string, unknown>>, field: string, currentYear: number): string {
  const [month = '', day = '', year = ''] = dateParts.map(part => {
    const typed = input[datePartName(field, part)]
    return typeof typed === 'string' ? typed.replace(/\D/g, '') : ''
  })
  return month + day + year && `${fullYear(year, currentYear)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** 65 becomes 1965. 19 and 20 don't change, because they're probably incomplete years. */
function fullYear(year: string, currentYear: number): string {
  if (year.length !== 2 || year === '19' || year === '20') return year
  return Number(`20${year}`) <= currentYear - YOUNGEST ? `20${year}` : `19${year}`
}

/** Splits a date pasted into one box: 03/15/1965, 3-15-65, 1965-03-15, 03151965. Null for anything else. */
export function splitDate(text: string): Readonly<Record<DatePart, string>> | null {
  const american =
    /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d\d)$/.exec(text.trim()) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(text.trim())
  if (american) return { month: american[1] ?? '', day: american[2] ?? '', year: american[3] ?? '' }
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text.trim())
  return iso && { month: iso[2] ?? '', day: iso[3] ?? '', year: iso[1] ?? '' }
}

/** YYYY-MM-DD, and a date that exists: JavaScript parses February 30 as March 2. */
export function isCalendarDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).getUTCDate() === Number(text.slice(8))
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}
