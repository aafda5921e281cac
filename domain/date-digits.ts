/** A date typed as digits alone, in the order that Americans write it: 03151965. */

/** The date as a date field holds it, or null when these are not the eight digits of a day that exists. */
export function dateFromDigits(digits: string): string | null {
  const [, month, day, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(digits) ?? []
  const date = `${year}-${month}-${day}`
  return new Date(`${date}T00:00Z`).getUTCDate() === Number(day) ? date : null
}
