/**
 * Tells a visitor that we have their request, who calls, and how to stop that. Someone may have typed another person's address, so
 * there's no token in it, nothing that they typed (a name can be a sentence, or look like an address), and nothing about why we call.
 */
import { whereabouts } from '../../domain/calling/area-codes.ts'
import { callbackBy, type Office } from '../../domain/calling/callback.ts'
import { localTime } from '../../domain/calling/local-time.ts'
import { STOP_PATH } from '../../domain/do-not-call/stop.ts'
import { pathInLanguage } from '../../domain/languages.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import { fill } from '../../domain/text/fill.ts'
import type { VisitorLetterCopy } from '../http/site-manifest.ts'
import { htmlOf } from './letter-format.ts'
import type { Letter } from './mailer.ts'

interface Request {
  readonly contact: Pick<Contact, 'phone' | 'email'>
  readonly language: string
  readonly receivedAt: number
  readonly now: number
  /** VISITOR_MAIL_NAME */
  readonly sender: string
  readonly siteUrl: string
  readonly copy: VisitorLetterCopy
}

export function visitorLetter({ contact, language, sender, siteUrl, copy, ...times }: Request): Omit<Letter, 'id'> {
  const { words, phone, callback } = copy
  const { subject } = words
  const stop = `${siteUrl}${pathInLanguage(language, STOP_PATH)}`
  const day = callback && callbackDay(callback, contact.phone, language, times)
  const paragraphs = [
    words.greeting,
    fill(words.received, { sender }),
    ...(callback && day ? [fill(callback.text, { day })] : []),
    words.number,
    words.reach,
    { before: words.stop, link: stop },
    sender,
  ]
  return {
    to: contact.email,
    senderName: sender,
    subject,
    ...htmlOf({ language, title: subject, paragraphs, phone }),
    headers: { 'List-Unsubscribe': `<${stop}>` },
  }
}

/** "Tuesday, November 17". A letter may be read a day later, so not "tomorrow". */
function callbackDay(
  office: Office,
  phone: string,
  language: string,
  { receivedAt, now }: Pick<Request, 'receivedAt' | 'now'>,
): string | null {
  const by = callbackBy(office, whereabouts(phone, null).place, receivedAt)
  if (by === null || by <= now) return null
  const { date } = localTime(office.timeZone, by - 1)
  const format = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
  return new Date(`${date}T00:00Z`).toLocaleDateString(language, format)
}
