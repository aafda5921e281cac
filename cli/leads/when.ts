/** How the operator says when, with days as they are in the operator's time zone. */
import { type Calendar, createCalendar } from '../../server/calendar.ts'
import type { Options, Typed } from '../command.ts'
import { Misuse } from '../failure.ts'
import type { Surroundings } from '../terminal/surroundings.ts'

export const rangeOptions: Options = {
  since: {
    value: 'WHEN',
    about: 'Received from then on: today, yesterday, 2030-01-31, 2030-01-31T09:00, or an age: 7d, 12h, 30m.',
  },
  until: { value: 'WHEN', about: 'Received before then, said in the same ways. A date counts from its beginning.' },
}

/** By the setting TIME_ZONE. */
export function calendarOf({ readConfig }: Pick<Surroundings, 'readConfig'>): Calendar {
  return createCalendar(readConfig().timeZone)
}

export interface Range {
  readonly since?: number
  /** Without this instant itself. */
  readonly until?: number
}

export function readRange(typed: Typed, now: number, calendar: Calendar): Range {
  const since = readInstant('since', typed.text('since'), now, calendar)
  const until = readInstant('until', typed.text('until'), now, calendar)
  if (since !== undefined && until !== undefined && since >= until) {
    throw new Misuse('--since must be earlier than --until.')
  }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function readInstant(option: string, value: string | undefined, now: number, calendar: Calendar): number | undefined {
  if (value === undefined) return undefined
  if (value === 'today') return calendar.startOf(calendar.dateOf(now))
  if (value === 'yesterday') return calendar.startOf(calendar.daysAfter(calendar.dateOf(now), -1))
  const ago = /^(\d{1,6})([mhd])$/.exec(value)
  if (ago) return now - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs]
  const instant = readDateOrTime(value, calendar)
  if (instant !== null) return instant
  throw new Misuse(
    `--${option} is ${JSON.stringify(value)}, but must be today, yesterday, a date such as 2030-01-31 or 2030-01-31T09:00, or an age such as 7d, 12h or 30m.`,
  )
}

function readDateOrTime(value: string, calendar: Calendar): number | null {
  const written = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(value)
  if (!written) return null
  const [, date = '', time, offset] = written
  try {
    if (time === undefined) return offset === undefined ? calendar.startOf(date) : null
    return offset === undefined ? calendar.instantOf(date + time) : Temporal.Instant.from(value).epochMilliseconds
  } catch {
    // There is no such day, or no such hour.
    return null
  }
}
