/** Tells the team that someone asked for help. Mail is read in many places, so it has no number, nothing about health, and nothing that a stranger typed. */
import { whereabouts } from '../../domain/calling/area-codes.ts'
import { createCallingClock } from '../../domain/calling/hours.ts'
import { formatLocalTime } from '../../domain/calling/local-time.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import type { Config } from '../settings/config.ts'
import { htmlOf } from './letter-format.ts'
import type { Letter } from './mailer.ts'

interface NewLeads extends Pick<Config, 'desk' | 'callingHours'> {
  readonly leads: number
  /** If it's one. Null if they were erased. */
  readonly contact: Pick<Contact, 'phone'> | null
  readonly now: number
}

export function teamLetter({ leads, contact, now, desk, callingHours }: NewLeads): Omit<Letter, 'id' | 'to'> {
  const one = leads === 1 ? contact : null
  const subject = leads === 1 ? 'Someone asked for help' : `${leads} people asked for help`
  const hours = one ? [hoursAt(one.phone, callingHours, now)] : []
  const paragraphs = [
    `${subject}.`,
    ...hours,
    { before: 'Open the call list:', link: `${desk.url}/calls` },
    'New leads come in one mail every ten minutes at most.',
  ]
  return { subject, ...htmlOf({ language: 'en', title: subject, paragraphs }) }
}

function hoursAt(phone: string, hours: Config['callingHours'], now: number): string {
  const { place } = whereabouts(phone, null)
  const status = createCallingClock(hours).at(place, now)
  if (place === null || (!status.allowed && status.next === null)) return 'We don’t know their time zone.'
  const time = formatLocalTime(place, now)
  return status.allowed ? `You can call now: ${time}.` : `It’s not calling hours there: ${time}.`
}
