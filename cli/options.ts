/** Options that multiple commands share, and their parsers: lead filters, IDs, email and phone, time ranges, and --by. */
import { hostname, userInfo } from 'node:os'
import { readEmail } from '../domain/contact/email.ts'
import { checkPhone } from '../domain/contact/phone.ts'
import { parseDoNotCall } from '../domain/do-not-call/do-not-call.ts'
import { deliveryValues, leadStates } from '../domain/leads/lead-states.ts'
import { MAX_REASON_LENGTH } from '../domain/text/text.ts'
import { plain } from '../server/export/plain-text.ts'
import type { Calendar } from '../server/settings/calendar.ts'
import type { LeadFilter, Person } from '../server/store/facts/leads/lead-records.ts'
import type { Store } from '../server/store/store.ts'
import { suggestion } from './arguments.ts'
import { CommandError, type Options, type ParsedArgs, type Run, UsageError } from './command.ts'
import { ask } from './terminal/ask.ts'

export const byOption = {
  by: { value: 'NAME', about: 'Name to record in the history. Default: the system user.' },
} as const

export function systemUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // In a container, the user may not have a name.
    return hostname()
  }
}

/** The value of an option with a fixed list of choices. */
export function oneOf<T extends string>(args: ParsedArgs, option: string, known: readonly T[]): T | undefined {
  const value = args.text(option)
  const found = known.find(name => name === value)
  if (value === undefined || found) return found
  const choices = `--${option} must be one of ${known.join(', ')}`
  throw new UsageError(`${choices}, not ${JSON.stringify(value)}.${suggestion(value, known)}`)
}

/** Empty if --reason isn't set. */
export function readReason(args: ParsedArgs): string {
  const reason = plain(args.text('reason') ?? '').trim()
  if (reason.length > MAX_REASON_LENGTH)
    throw new UsageError(`--reason can be up to ${MAX_REASON_LENGTH} characters long.`)
  return reason
}

const MIN_ID_LENGTH = 8

/** An ID or the start of one. Checks only the format, so typos are reported before the store is opened. */
export function parseLeadId(typed: string): string {
  const id = typed.trim().toLowerCase()
  if (/^[0-9a-f]{8}[0-9a-f-]{0,28}$/.test(id)) return id
  throw new UsageError(
    `Not a lead ID. Use at least ${MIN_ID_LENGTH} characters of an ID, as the desk’s address bar shows it.`,
  )
}

/** Expands a short ID. */
export async function findLeadId(store: Store, start: string): Promise<string> {
  const [id, another] = await store.idsStartingWith({ prefix: start, limit: 2 })
  if (id === undefined) throw new CommandError(`No lead found with ID ${start}.`)
  if (another === undefined) return id
  throw new CommandError(`Several lead IDs start with ${start}. Use more characters.`)
}

export const personOptions = {
  email: { value: 'ADDRESS', about: 'An email address. Not case-sensitive.' },
  phone: { value: 'NUMBER', about: 'A phone number, in any format.' },
} as const

/** Help text for commands that ask for an email or phone number. */
export const CONTACT_PROMPT_HELP =
  'Without --email or --phone, you’re prompted for one, which keeps it out of your shell history. Use - as the value to read it from standard input.'

export type Contact = Exclude<Person, { readonly id: string }>

export async function readContact(run: Run): Promise<Contact> {
  const { args, stdin } = run
  const [email, phone] = [args.text('email'), args.text('phone')]
  if (email !== undefined && phone !== undefined) throw new UsageError('Use only one of --email and --phone.')
  if (email !== undefined) return parseEmail(email === '-' ? await ask(run, 'Email address: ') : email)
  if (phone !== undefined) return { phone: parsePhone(phone === '-' ? await ask(run, 'Phone number: ') : phone) }
  if (!stdin.isTTY) throw new UsageError('Specify a person: --email ADDRESS or --phone NUMBER.')
  return parseContact(await ask(run, 'Email address or phone number: '))
}

/** Errors don't repeat what was typed, because it's personal data. */
function parseContact(text: string): Contact {
  const contact = parseDoNotCall(text)
  if (contact) return contact
  throw new UsageError(text.includes('@') ? NOT_AN_EMAIL : NOT_A_PHONE)
}

const NOT_AN_EMAIL = 'Not a valid email address.'
const NOT_A_PHONE = 'A phone number must be a US number with 10 digits.'

function parseEmail(value: string): Contact {
  const email = readEmail(value)
  if (email === null) throw new UsageError(NOT_AN_EMAIL)
  return { email }
}

export function parsePhone(value: string): string {
  if (checkPhone(value) === 'valid') return value
  throw new UsageError(NOT_A_PHONE)
}

const WHEN = 'today, yesterday, 2030-01-31, 2030-01-31T09:00, or how long ago (7d, 12h, 30m)'

export const rangeOptions: Options = {
  since: { value: 'WHEN', about: `Start: ${WHEN}.` },
  until: { value: 'WHEN', about: 'End, in the same formats. Exclusive: 2030-02-01 means through January 31.' },
}

export const filterOptions: Options = {
  state: { value: 'STATE', about: `One of ${leadStates.join(', ')}. Held means on hold for review.` },
  delivery: { value: 'STATE', about: `One of ${Object.values(deliveryValues).join(', ')}.` },
  page: { value: 'PATH', about: 'The page the lead came from, such as /advertorial.' },
  campaign: { value: 'NAME=VALUE', about: 'A campaign parameter and its value. Can be repeated.', repeatable: true },
  ...rangeOptions,
}

export function readFilter(run: Run): LeadFilter {
  const { args } = run
  return withoutUndefined({
    state: oneOf(args, 'state', leadStates),
    delivery: readDelivery(args),
    page: args.text('page'),
    campaign: args.isSet('campaign') ? args.texts('campaign').map(parseCampaign) : undefined,
    ...readRange(run),
  })
}

function readDelivery(args: ParsedArgs): LeadFilter['delivery'] {
  const value = oneOf(args, 'delivery', Object.values(deliveryValues))
  return value === 'failed' ? 'dead' : value
}

function withoutUndefined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

function parseCampaign(value: string): { name: string; value: string } {
  const separator = value.indexOf('=')
  if (!/^[\w-]{1,60}=/.test(value)) {
    throw new UsageError(`--campaign must be NAME=VALUE, such as utm_source=news, not ${JSON.stringify(value)}.`)
  }
  return { name: value.slice(0, separator), value: value.slice(separator + 1) }
}

/** `since` is inclusive; `until` is exclusive. */
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
  const instant = parseInstant(value, run.now(), run.calendar())
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
