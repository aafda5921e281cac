/** The options by which leads are chosen, the same for every command that has them. */
import { certificateKinds } from '../../domain/certificate.ts'
import type { Calendar } from '../../server/calendar.ts'
import { nearest } from '../../server/spelling.ts'
import { type DeliveryState, deliveryStates, type LeadFilter, leadStates } from '../../server/store/lead-records.ts'
import type { Options, Typed } from '../command.ts'
import { Misuse } from '../failure.ts'
import { rangeOptions, readRange } from './when.ts'

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
  name: { value: 'TEXT', about: 'With these words in the name, email, or phone number, like the desk’s search.' },
  certificate: {
    value: 'KIND',
    about: `The TrustedForm certificate: ${certificateKinds.join(', ')} (something else was sent).`,
  },
  ...rangeOptions,
}

export function readFilter(typed: Typed, now: number, calendar: Calendar): LeadFilter {
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
    ...(name !== undefined && { search: name }),
    ...(certificate && { certificate }),
    ...readRange(typed, now, calendar),
  }
}

/** Not repeated when it is wrong: it is a person's. */
export function readPhone(value: string): string {
  if (/^1?\d{10}$/.test(value.replace(/\D/g, ''))) return value
  throw new Misuse('--phone must have 10 digits.')
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
  if (!/^[\w-]{1,60}=/.test(value)) {
    throw new Misuse(`--campaign is ${JSON.stringify(value)}, but must be NAME=VALUE, as utm_source=news.`)
  }
  return { name: value.slice(0, at), value: value.slice(at + 1) }
}
