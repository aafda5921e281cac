/** By when the thank-you page promises a call, as data for site/browser/inline/callback-promise.ts, which knows the visitor's clock. */

import { places } from '../../domain/calling/area-codes.ts'
import { createCallingClock, readCallingHours } from '../../domain/calling/hours.ts'
import { formatMinutes, localTime } from '../../domain/calling/local-time.ts'
import { DAY, MINUTE } from '../../domain/durations.ts'
import type { Language } from '../../domain/languages.ts'
import type { Callbacks } from '../../site-folder/types.ts'

/** After this, the page says nothing until the next build. */
const DAYS_AHEAD = 400

export interface CallbackSchedule {
  /** When the office closes: 6:00 PM */
  readonly closes: string
  /**
   * Separated by spaces, all in minutes except the second: the first closing since 1970, its date in days since 1970, how long the
   * office is open, and the time from each closing to the next. Sundays, holidays, and closed days are left out.
   */
  readonly data: string
}

/** `closed`: dates on which nobody calls. */
export function callbackSchedule(
  { hours: text, timeZone, closed = [] }: Callbacks & { readonly closed?: readonly string[] },
  from: number,
): CallbackSchedule {
  const hours = readCallingHours(text)
  if (typeof hours === 'string') throw new Error(`Callback hours ${hours}.`)
  // Any place in the zone will do: the office's own hours are narrower than most states'.
  const office = [...places.values()].find(({ zones: [zone] }) => zone === timeZone)
  if (!office) throw new Error(`No place in ${timeZone} time.`)
  const clock = createCallingClock({ ...hours, closed })
  const closings: number[] = []
  for (let time = from; time < from + DAYS_AHEAD * DAY; ) {
    const opening = clock.nextOpening(office, time)
    if (opening === null) break
    closings.push(opening.until)
    time = opening.until
  }
  const [first = 0] = closings
  const day = Date.parse(localTime(timeZone, first).date) / DAY
  const steps = closings.slice(1).map((closing, index) => (closing - (closings[index] ?? 0)) / MINUTE)
  return {
    closes: formatMinutes(hours.close),
    data: [first / MINUTE, day, hours.close - hours.open, ...steps].join(' '),
  }
}

/** 6:00 PM */
export function closesAt({ hours: text }: Pick<Callbacks, 'hours'>): string {
  const hours = readCallingHours(text)
  return typeof hours === 'string' ? '' : formatMinutes(hours.close)
}

/** “6:00 PM Eastern”, or “las 6:00 p.m., hora del Este”. */
export function closingTime(language: Language, clock: string, zone: string): string {
  if (language === 'en') return `${clock} ${zone}`
  const article = clock.startsWith('1:') ? 'la' : 'las'
  return `${article} ${clock.replace('AM', 'a.m.').replace('PM', 'p.m.')}, ${zone}`
}
