/** The options by which leads are chosen, the same for every command that has them. */
import { certificateKinds } from '../../domain/certificate.ts'
import { nearest } from '../../server/spelling.ts'
import { type DeliveryState, deliveryStates, type LeadFilter, leadStates } from '../../server/store/lead-records.ts'
import type { Options, Typed } from '../command.ts'
import { Misuse } from '../failure.ts'

export const rangeOptions: Options = {
  since: {
    value: 'WHEN',
    about: 'Received from then on: a date (2030-01-31, in UTC), a time in it, or an age (7d, 12h, 30m).',
  },
  until: { value: 'WHEN', about: 'Received before then, said in the same ways.' },
}

export const personOptions = {
  email: { value: 'ADDRESS', about: 'All leads with this e-mail address, in capitals or not.' },
  phone: { value: 'NUMBER', about: 'All leads with this phone number, however it is written.' },
} as const

export const filterOptions: Options = {
  state: { value: 'STATE', about: `One of ${leadStates.join(', ')}.` },
  delivery: { value: 'STATE', about: `One of ${deliveryStates.join(', ')}, none.` },
  page: { value: 'PATH', about: 'Sent from this page, such as /advertorial.' },
  campaign: {
    value: 'NAME=VALUE',
    about: 'With this campaign parameter; may be given several times.',
    repeatable: true,
  },
  ...personOptions,
  name: { value: 'TEXT', about: 'With this in the first and last name, in capitals or not.' },
  certificate: {
    value: 'KIND',
    about: `The TrustedForm certificate: ${certificateKinds.join(', ')} (something else was sent).`,
  },
  ...rangeOptions,
}

export function readFilter(typed: Typed, now: number): LeadFilter {
  const state = oneOf('state', typed.text('state'), leadStates)
  const delivery = oneOf<DeliveryState | 'none'>('delivery', typed.text('delivery'), [...deliveryStates, 'none'])
  const certificate = oneOf('certificate', typed.text('certificate'), certificateKinds)
  const page = typed.text('page')
  const email = typed.text('email')
  const phone = typed.text('phone')
  const name = typed.text('name')
  return {
    ...(state && { state }),
    ...(delivery && { delivery }),
    ...(page !== undefined && { page }),
    campaign: typed.texts('campaign').map(readCampaignOption),
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone: readPhone(phone) }),
    ...(name !== undefined && { name }),
    ...(certificate && { certificate }),
    ...readRange(typed, now),
  }
}

/** Not repeated when it is wrong: it is a person's. */
export function readPhone(value: string): string {
  if (/^1?\d{10}$/.test(value.replace(/\D/g, ''))) return value
  throw new Misuse('--phone must have 10 digits.')
}

export function readRange(typed: Typed, now: number): Pick<LeadFilter, 'since' | 'until'> {
  const since = readInstant('since', typed.text('since'), now)
  const until = readInstant('until', typed.text('until'), now)
  if (since !== undefined && until !== undefined && since >= until) {
    throw new Misuse('--since must be earlier than --until.')
  }
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) }
}

export function oneOf<T extends string>(option: string, value: string | undefined, known: readonly T[]): T | undefined {
  if (value === undefined) return undefined
  const found = known.find(name => name === value)
  if (found) return found
  const near = nearest(value, known)
  throw new Misuse(
    `--${option} is ${JSON.stringify(value)}, but must be one of ${known.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`,
  )
}

function readCampaignOption(value: string): { name: string; value: string } {
  const at = value.indexOf('=')
  if (at < 1) throw new Misuse(`--campaign is ${JSON.stringify(value)}, but must be NAME=VALUE, as utm_source=news.`)
  return { name: value.slice(0, at), value: value.slice(at + 1) }
}

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function readInstant(option: string, value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const ago = /^(\d{1,6})([mhd])$/.exec(value)
  if (ago) return now - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs]
  // A date alone and a time without a zone are both UTC: the same words mean the same instant on every computer.
  const time = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(value)
  const parsed = time ? Date.parse(time[1] && !time[4] ? `${value}Z` : value) : Number.NaN
  if (!Number.isNaN(parsed)) return parsed
  throw new Misuse(
    `--${option} is ${JSON.stringify(value)}, but must be a date such as 2030-01-31 or 2030-01-31T09:00, or an age such as 7d, 12h or 30m.`,
  )
}
