/** The options that choose leads, the same for every command that has them. Days are in the operator's time zone. */
import { certificateKinds } from '../../domain/certificate.ts'
import { type DeliveryState, deliveryStates, leadStates } from '../../domain/lead-states.ts'
import type { Calendar } from '../../server/calendar.ts'
import type { LeadFilter } from '../../server/store/lead-records.ts'
import { oneOf } from '../arguments.ts'
import { type Options, type Run, UsageError } from '../command.ts'
import { calendarOf } from '../with-store.ts'
import { personOptions, readPhone } from './who.ts'

const WHEN = 'today, yesterday, 2030-01-31, 2030-01-31T09:00, or how long ago (7d, 12h, 30m)'

export const rangeOptions: Options = {
  since: { value: 'WHEN', about: `From ${WHEN}.` },
  until: { value: 'WHEN', about: 'Before this time, in the same formats. A date itself isn’t included.' },
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
  const phone = args.text('phone')
  return withoutUndefined({
    state: oneOf(args, 'state', leadStates),
    delivery: oneOf<DeliveryState | 'none'>(args, 'delivery', [...deliveryStates, 'none']),
    page: args.text('page'),
    campaign: args.isSet('campaign') ? args.texts('campaign').map(readCampaign) : undefined,
    email: args.text('email'),
    phone: phone === undefined ? undefined : readPhone(phone),
    search: args.text('name'),
    certificate: oneOf(args, 'certificate', certificateKinds),
    ...readRange(run),
  })
}

function withoutUndefined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
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
  return withoutUndefined({ since, until })
}

function readInstant(run: Run, option: string): number | undefined {
  const value = run.args.text(option)
  if (value === undefined) return undefined
  const instant = parseInstant(value, run.now(), calendarOf(run))
  if (instant !== null) return instant
  throw new UsageError(`--${option} must be ${WHEN}, not ${JSON.stringify(value)}.`)
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export function parseInstant(value: string, now: number, calendar: Calendar): number | null {
  if (value === 'today') return calendar.startOf(calendar.dateOf(now))
  if (value === 'yesterday') return calendar.startOf(calendar.daysAfter(calendar.dateOf(now), -1))
  const ago = /^(\d{1,6})([mhd])$/.exec(value)
  if (ago) return now - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs]
  try {
    if (/^[\d-]{10}$/.test(value)) return calendar.startOf(value)
    if (!/^[\d-]{10}[T ]/.test(value)) return null
    const hasOffset = /(Z|[+-]\d{2}:\d{2})$/.test(value)
    return hasOffset ? Temporal.Instant.from(value).epochMilliseconds : calendar.instantOf(value)
  } catch {
    // No such day or hour.
    return null
  }
}
