/**
 * When a person may be called: Monday to Saturday, 9 a.m. to 8 p.m. where they are, except on federal holidays, with stricter hours
 * for two states. That satisfies the federal rule (47 CFR 64.1200(c)(1)) and every state's; docs/compliance.md has the table. With two
 * possible time zones, only when it's allowed in both.
 */
import { addDays, calendarDay } from '../dates.ts'
import { DAY } from '../durations.ts'
import { type Place, type State, states, type Zone } from './area-codes.ts'
import { holidayOn } from './holidays.ts'
import { formatMinutes, instantOf, localTime, weekdayOf } from './local-time.ts'

/** Minutes after midnight, local time. */
interface Hours {
  readonly open: number
  readonly close: number
}

/** The operator's hours. 0 is Sunday. */
export interface CallingHours extends Hours {
  readonly days: readonly number[]
  /** Dates on which nobody works, such as 2026-11-27. */
  readonly closed?: readonly string[]
  /** Only for the demo, in which no one exists. No setting can turn it on. */
  readonly anytime?: true
}

const clock = (hour: number) => hour * 60

export const DEFAULT_CALLING_HOURS: CallingHours = { days: [1, 2, 3, 4, 5, 6], open: clock(9), close: clock(20) }

/** At night and on Sundays, the demo would have no one to call. */
export const DEMO_CALLING_HOURS: CallingHours = {
  days: [0, 1, 2, 3, 4, 5, 6],
  open: 0,
  close: clock(24),
  anytime: true,
}

const SATURDAY = 6

/** Stricter than the default. KRS 367.46955; R.I. Gen. Laws 5-61-3.6. */
const stricter: Readonly<Partial<Record<State, (weekday: number) => Hours>>> = {
  KY: () => ({ open: clock(10), close: clock(21) }),
  RI: weekday => (weekday === SATURDAY ? { open: clock(10), close: clock(17) } : { open: clock(9), close: clock(18) }),
}

export type CallingStatus =
  | { readonly allowed: true; readonly until: number }
  | {
      readonly allowed: false
      readonly why: 'unknown place' | 'too early' | 'too late' | 'day off'
      /** For the agent: "Too early in Hawaii: calls start at 9:00 AM." */
      readonly message: string
      /** When it's next allowed. Null: never, until someone sets the place. */
      readonly next: number | null
    }

export interface CallingClock {
  readonly at: (place: Place | null, instant: number) => CallingStatus
  /** The first stretch of allowed time that ends after an instant, without the part before the instant. */
  readonly nextOpening: (place: Place, instant: number) => Opening | null
  /** "Monday to Saturday, 9:00 AM to 8:00 PM their time, except on federal holidays" */
  readonly describe: (place: Place) => string
}

interface Opening {
  readonly from: number
  readonly until: number
}

/** Longer than any run of Sundays, holidays, and closed days, even if the operator calls on one day a week. */
const DAYS_AHEAD = 30

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const unknownPlace: CallingStatus = {
  allowed: false,
  why: 'unknown place',
  message: 'We don’t know this person’s time zone. Press Change next to “Time zone unknown”, and choose their state.',
  next: null,
}

const demoClock: CallingClock = {
  at: (place, instant) => (place === null ? unknownPlace : { allowed: true, until: instant + DAY }),
  nextOpening: (_, instant) => ({ from: instant, until: instant + DAY }),
  describe: () => 'at any time in this demo',
}

export function createCallingClock(operator: CallingHours = DEFAULT_CALLING_HOURS): CallingClock {
  if (operator.anytime) return demoClock
  // Thousands of calls share a few dozen places. A status holds until its first zone opens, closes, or reaches midnight.
  const statuses = new WeakMap<
    Place,
    { readonly from: number; readonly until: number; readonly status: CallingStatus }
  >()

  function hoursOn(state: State, weekday: number): Hours | null {
    if (!operator.days.includes(weekday)) return null
    const limits = stricter[state]?.(weekday) ?? DEFAULT_CALLING_HOURS
    const hours = { open: Math.max(operator.open, limits.open), close: Math.min(operator.close, limits.close) }
    return hours.open < hours.close ? hours : null
  }

  /** “Labor Day”, “Nov 27, 2026, when we’re closed” */
  function dayOff(date: string): string | null {
    return holidayOn(date) ?? (operator.closed?.includes(date) ? `${calendarDay(date)}, when we’re closed` : null)
  }

  function openingIn(zone: Zone, state: State, instant: number): Opening | null {
    let { date } = localTime(zone, instant)
    for (let day = 0; day < DAYS_AHEAD; day++, date = addDays(date, 1)) {
      const hours = dayOff(date) === null ? hoursOn(state, weekdayOf(date)) : null
      const until = hours && instantOf(zone, date, hours.close)
      if (hours && until !== null && instant < until) {
        return { from: Math.max(instant, instantOf(zone, date, hours.open)), until }
      }
    }
    return null
  }

  function nextOpening(place: Place, instant: number): Opening | null {
    const possible = zonesOf(place)
    let from = instant
    for (let attempt = 0; attempt < 2 * DAYS_AHEAD; attempt++) {
      const openings = possible.map(({ state, zone }) => openingIn(zone, state, from))
      if (openings.includes(null)) return null
      const both = openings as readonly Opening[]
      const until = Math.min(...both.map(opening => opening.until))
      from = Math.max(...both.map(opening => opening.from))
      if (from < until) return { from, until }
    }
    return null
  }

  function closedMessage({ state, zones }: Place, zone: Zone, instant: number) {
    const { date, minutes } = localTime(zone, instant)
    const weekday = weekdayOf(date)
    const hours = hoursOn(state, weekday)
    const off = dayOff(date)
    if (off !== null || hours === null) {
      const message = `No calls to ${states[state]} on ${off ?? `${dayNames[weekday]}s`}.`
      return { why: 'day off', message } as const
    }
    const isCertain = zones.every(other => openingIn(other, state, instant)?.from !== instant)
    const start = isCertain ? 'Too' : 'Possibly too'
    return minutes < hours.open
      ? ({
          why: 'too early',
          message: `${start} early in ${states[state]}: calls start at ${formatMinutes(hours.open)}.`,
        } as const)
      : ({
          why: 'too late',
          message: `${start} late in ${states[state]}: calls end at ${formatMinutes(hours.close)}.`,
        } as const)
  }

  function statusAt(place: Place, instant: number): CallingStatus {
    const opening = nextOpening(place, instant)
    if (opening?.from === instant) return { allowed: true, until: opening.until }
    const possible = zonesOf(place)
    const isClosed = ({ state, zone }: (typeof possible)[number]) => openingIn(zone, state, instant)?.from !== instant
    const { zone, of } = possible.find(isClosed) ?? { zone: place.zones[0], of: place }
    return { allowed: false, ...closedMessage(of, zone, instant), next: opening?.from ?? null }
  }

  function changesAt(place: Place, instant: number): number {
    const changes = zonesOf(place).flatMap(({ state, zone }) => {
      const opening = openingIn(zone, state, instant)
      const midnight = instantOf(zone, addDays(localTime(zone, instant).date, 1), 0)
      return [midnight, ...(opening ? [opening.from > instant ? opening.from : opening.until] : [])]
    })
    return Math.min(...changes)
  }

  return {
    nextOpening,
    at: (place, instant) => {
      if (place === null) return unknownPlace
      const known = statuses.get(place)
      if (known && known.from <= instant && instant < known.until) return known.status
      const status = statusAt(place, instant)
      statuses.set(place, { from: instant, until: changesAt(place, instant), status })
      return status
    },
    describe: ({ state, also }) => {
      const inState = (each: State) => `${describeWeek(weekday => hoursOn(each, weekday))} their time`
      const both =
        also && also.state !== state ? ` in ${states[state]}, and ${inState(also.state)} in ${states[also.state]}` : ''
      return `${inState(state)}${both}, except on federal holidays`
    },
  }
}

/** Everywhere the person may be. */
const zonesOf = (place: Place) =>
  [place, ...(place.also ? [place.also] : [])].flatMap(of => of.zones.map(zone => ({ state: of.state, zone, of })))

/** "Monday to Friday, 9:00 AM to 5:00 PM" */
export function describeCallingHours(hours: CallingHours): string {
  return describeWeek(weekday => (hours.days.includes(weekday) ? hours : null))
}

export const covers = (hours: CallingHours, others: CallingHours): boolean =>
  others.days.every(day => hours.days.includes(day)) && others.open >= hours.open && others.close <= hours.close

/** Days in a row with the same hours are named together. */
function describeWeek(hoursOn: (weekday: number) => Hours | null): string {
  const groups: { days: number[]; hours: string }[] = []
  for (const weekday of dayNames.keys()) {
    const allowed = hoursOn(weekday)
    if (!allowed) continue
    const hours = `${formatMinutes(allowed.open)} to ${formatMinutes(allowed.close)}`
    const last = groups.at(-1)
    if (last?.hours === hours && last.days.at(-1) === weekday - 1) last.days.push(weekday)
    else groups.push({ days: [weekday], hours })
  }
  return groups.map(({ days, hours }) => `${nameDays(days)}, ${hours}`).join('; ')
}

function nameDays(days: readonly number[]): string {
  const [first, last] = [dayNames[days[0] ?? 0], dayNames[days.at(-1) ?? 0]]
  return first === last ? `${first}` : `${first} to ${last}`
}

/** Reads the operator's setting, such as `Mon-Fri 9:00-17:30` or `10-18`, or says what's wrong with it. */
export function readCallingHours(text: string): CallingHours | string {
  const [, dayText, from = '', to = ''] =
    /^(?:([a-z][a-z, -]*[a-z])\s+)?(\d{1,2}(?::\d\d)?)\s*-\s*(\d{1,2}(?::\d\d)?)$/i.exec(text.trim()) ?? []
  const days = dayText === undefined ? DEFAULT_CALLING_HOURS.days : readDays(dayText)
  const [open, close] = [readClock(from), readClock(to)]
  if (days === null || open === null || close === null) return 'must be days and hours such as Mon-Fri 9:00-17:30'
  if (open >= close) return 'must end later than it starts. Write 17 for 5 p.m'
  const hours = { days, open, close }
  return covers(DEFAULT_CALLING_HOURS, hours)
    ? hours
    : 'can only narrow the hours allowed everywhere, Mon-Sat 9:00-20:00'
}

/** `Mon-Wed, Fri` */
function readDays(text: string): readonly number[] | null {
  const days = text.split(',').flatMap(part => {
    const [first = -1, last = first, ...rest] = part.split('-').map(name => dayNumber(name.trim()))
    if (first < 0 || last < first || rest.length > 0) return [-1]
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return days.includes(-1) ? null : [...new Set(days)].toSorted()
}

function dayNumber(text: string): number {
  const typed = text.toLowerCase()
  return typed.length < 3 ? -1 : dayNames.findIndex(name => name.toLowerCase().startsWith(typed))
}

/** Minutes after midnight. */
function readClock(text: string): number | null {
  const [hour, minute = 0] = text.split(':').map(Number)
  return text === '' || hour === undefined || hour > 24 || minute > 59 ? null : clock(hour) + minute
}
