/** The options that choose leads, the same for every command that has them. Days are in the operator's time zone. */
import { certificateKinds } from '../../domain/certificate.ts'
import { type DeliveryState, deliveryStates, leadStates } from '../../domain/lead-states.ts'
import type { Calendar } from '../../server/calendar.ts'
import type { LeadFilter } from '../../server/store/lead-records.ts'
import { oneOf } from '../arguments.ts'
import { type Options, type Run, UsageError } from '../command.ts'
import { calendarOf } from '../with-store.ts'
import { personOptions, readPhone } from './who.ts'

export const rangeOptions: Options = {
  since: {
    value: 'WHEN',
    about: 'From this time on: today, yesterday, 2030-01-31, 2030-01-31T09:00, or how long ago: 7d, 12h.',
  },
  until: {
    value: 'WHEN',
    about: 'Before this time, in the same formats. With a date, that day isn’t included.',
  },
}

export const filterOptions: Options = {
  state: { value: 'STATE', about: `One of ${leadStates.join(', ')}. Held means on hold.` },
  delivery: { value: 'STATE', about: `One of ${deliveryStates.join(', ')}, none. Dead means delivery failed.` },
  page: { value: 'PATH', about: 'Submitted on this page, such as /advertorial.' },
  campaign: { value: 'NAME=VALUE', about: 'Has this campaign parameter. Can be repeated.', repeatable: true },
  ...personOptions,
  name: { value: 'TEXT', about: 'Name, email, or phone number contains these words, as in the desk’s search.' },
  certificate: {
    value: 'KIND',
    about: `TrustedForm certificate: ${certificateKinds.join(', ')} (not a certificate).`,
  },
  ...rangeOptions,
}

export function readFilter(run: Run): LeadFilter {
  const { args } = run
  const state = oneOf(args, 'state', leadStates)
  const delivery = oneOf<DeliveryState | 'none'>(args, 'delivery', [...deliveryStates, 'none'])
  const certificate = oneOf(args, 'certificate', certificateKinds)
  const [page, email, phone, name] = ['page', 'email', 'phone', 'name'].map(option => args.text(option))
  return {
    ...(state && { state }),
    ...(delivery && { delivery }),
    ...(page !== undefined && { page }),
    ...(args.isSet('campaign') && { campaign: args.texts('campaign').map(readCampaign) }),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: readPhone(phone) }),
    ...(name !== undefined && { search: name }),
    ...(certificate && { certificate }),
    ...readRange(run),
  }
}

function readCampaign(value: string): { name: string; value: string } {
  const at = value.indexOf('=')
  if (!/^[\w-]{1,60}=/.test(value)) {
    throw new UsageError(`--campaign must be NAME=VALUE, such as utm_source=news, not ${JSON.stringify(value)}.`)
  }
  return { name: value.slice(0, at), value: value.slice(at + 1) }
}

/** From `since` on, and before `until`. */
export function readRange(run: Run): Pick<LeadFilter, 'since' | 'until'> {
  const since = readInstant(run, 'since')
  const until = readInstant(run, 'until')
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError('--since must be earlier than --until.')
  }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

function readInstant(run: Run, option: string): number | undefined {
  const value = run.args.text(option)
  if (value === undefined) return undefined
  const instant = parseInstant(value, run.now(), calendarOf(run))
  if (instant !== null) return instant
  throw new UsageError(
    `--${option} must be today, yesterday, a date such as 2030-01-31 or 2030-01-31T09:00, or how long ago, such as 7d, 12h, or 30m, not ${JSON.stringify(value)}.`,
  )
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/

export function parseInstant(value: string, now: number, calendar: Calendar): number | null {
  if (value === 'today') return calendar.startOf(calendar.dateOf(now))
  if (value === 'yesterday') return calendar.startOf(calendar.daysAfter(calendar.dateOf(now), -1))
  const ago = /^(\d{1,6})([mhd])$/.exec(value)
  if (ago) return now - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs]
  const [, date, time, offset] = DATE_TIME.exec(value) ?? []
  try {
    if (date === undefined) return null
    if (time === undefined) return offset === undefined ? calendar.startOf(date) : null
    return offset === undefined ? calendar.instantOf(date + time) : Temporal.Instant.from(value).epochMilliseconds
  } catch {
    // No such day or hour.
    return null
  }
}
