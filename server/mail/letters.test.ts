/** Letters, from the form to a real mail server. The store and the worker have a fake clock. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts'
import { createServerCopy } from '../../site/static/server-copy.ts'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { contactOf, type LeadStore, openLeadStore, submissionOf } from '../../tests/support/lead-store.ts'
import { MailReceiver } from '../../tests/support/smtp.ts'
import { createDeliveryWorker, type DeliveryWorker } from '../delivery/worker.ts'
import { readConfig } from '../settings/config.ts'
import type { Submission } from '../store/operations/leads/capture.ts'
import { letterSender } from './letters.ts'
import { visitorLetter } from './visitor-letter.ts'

const copy = createServerCopy([])
let clock: FakeClock
let leads: LeadStore
let receiver: MailReceiver
let worker: DeliveryWorker
let consent: string
let log: { readonly code: string; readonly reason?: unknown }[]

beforeEach(async () => {
  // A Tuesday, 10 a.m. in New York.
  clock = new FakeClock(Date.parse('2026-11-17T15:00:00Z'))
  leads = openLeadStore(clock.now)
  consent = await leads.store.saveConsentText('I agree')
  receiver = new MailReceiver()
  log = []
  const config = readConfig({
    SMTP_URL: await receiver.open(),
    MAIL_FROM: 'team@harborlight.test',
    MAIL_TO: 'maria@harborlight.test, bob@harborlight.test',
    VISITOR_MAIL: 'on',
    VISITOR_MAIL_NAME: 'Harbor Light',
    SITE_URL: 'https://www.harborlight.test',
    DESK_URL: 'https://desk.harborlight.test',
  })
  const send = letterSender(config, () => ({ copy }))
  if (!send) throw new Error('Mail is set up.')
  worker = createDeliveryWorker({
    store: leads.store,
    send,
    slots: { mail: 4 },
    now: clock.now,
    setTimer: clock.setTimer,
    random: () => 0.5,
    log: (code, detail) => log.push({ code, ...detail }),
  })
  worker.start()
})
afterEach(async () => {
  const stopped = worker.stop(0)
  clock.advance(0)
  await stopped
  await receiver.close()
  await leads.remove()
})

let people = 0
function capture(name: string, more: Partial<Submission> = {}) {
  const contact = { ...contactOf(name), phone: `(212) 555-${String(++people).padStart(4, '0')}`, ...more.contact }
  return leads.store.capture({ ...submissionOf(name, consent), announce: true, writeToVisitor: true, ...more, contact })
}
const mails = () =>
  receiver.mails.map(({ to, source }) => ({ to, subject: headerOf(source, 'Subject'), source: decoded(source) }))
const headerOf = (source: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(source)?.[1]?.trim()
const decoded = (source: string) =>
  Buffer.from(
    source
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
const toTeam = (person = 'maria') => mails().filter(({ to }) => to[0] === `${person}@harborlight.test`)
const toVisitors = () => mails().filter(({ to }) => to[0]?.endsWith('@example.org'))

/** Nothing is leased, not even a letter whose result is being recorded, and the worker sleeps. */
const isIdle = async () =>
  clock.nextIn !== undefined && (await leads.rows('SELECT 1 FROM outbox WHERE lease_token IS NOT NULL')).length === 0

/** Moves the clock in steps until this is so, but not while a letter is on its way: its lease would end. */
async function passUntil(isSo: () => boolean, step: number, most = 500): Promise<void> {
  for (let count = 0; count < most && !isSo(); count++) {
    await expect.poll(async () => isSo() || (await isIdle()), { interval: 5 }).toBe(true)
    if (!isSo()) clock.advance(step)
  }
  await expect.poll(isSo).toBe(true)
}

test('a thousand leads in a minute: the team gets the first and one summary, and an address one letter', async () => {
  await capture('ada')
  await passUntil(() => receiver.mails.length === 3, 1000)
  const [first] = toTeam()
  expect(first).toMatchObject({ to: ['maria@harborlight.test'], subject: 'Someone asked for help' })
  expect(toTeam('bob')).toHaveLength(1)
  expect(first?.source).not.toContain('ada')
  expect(first?.source).toContain('You can call now: 10:00 AM, New York.')
  expect(first?.source).toContain('https://desk.harborlight.test/calls')
  expect(first?.source).not.toMatch(/555-|disab|SSDI|benefi/i)
  // The leads share 200 addresses.
  const address = (index: number) => ({ ...contactOf(`p${index}`), email: `p${index % 200}@example.org` })
  await Promise.all(
    Array.from({ length: 999 }, (_, index) =>
      capture(`p${index}`, {
        contact: { ...address(index), phone: `(212) 556-${String(index).padStart(4, '0')}` },
      }),
    ),
  )
  await passUntil(() => receiver.mails.length === 205, MINUTE)
  expect(toTeam()[1]?.subject).toBe('999 people asked for help')
  expect(new Set(toVisitors().map(({ to }) => to[0])).size).toBe(201)
})

test('a mail server that’s down for a day: the leads are fine, and every letter arrives once', async () => {
  receiver.refuses = { sender: 451 }
  await capture('ada')
  await passUntil(() => clock.now() > Date.parse('2026-11-18T15:00:00Z'), 30 * MINUTE)
  await capture('bob')
  receiver.refuses = {}
  await passUntil(() => receiver.mails.length === 6, 10 * MINUTE)
  await passUntil(() => clock.now() > Date.parse('2026-11-20T15:00:00Z'), HOUR)
  expect(mails()).toHaveLength(6)
  expect(toTeam().map(({ subject }) => subject)).toEqual(['Someone asked for help', 'Someone asked for help'])
})

test('a mail server that hangs up once it has the letter gets it again, with the same ID', async () => {
  receiver.dies = true
  await capture('ada', { announce: false })
  await passUntil(() => receiver.mails.length === 1, 1000)
  receiver.dies = false
  await passUntil(() => receiver.mails.length === 2, 1000)
  const ids = receiver.mails.map(({ source }) => headerOf(source, 'Message-ID'))
  expect(ids).toEqual([ids[0], ids[0]])
  await passUntil(() => clock.now() > Date.parse('2026-11-17T17:00:00Z'), 10 * MINUTE)
  expect(receiver.mails).toHaveLength(2)
})

test('a refused recipient isn’t tried again, and no reason quotes the address', async () => {
  receiver.refuses = { recipient: 550 }
  await capture('ada', { announce: false })
  await passUntil(() => log.length > 0, 1000)
  expect(log).toMatchObject([{ code: 'letter_dead', reason: 'the mail server refused the recipient (550)' }])
  expect(JSON.stringify(log)).not.toContain('example.org')
})

test('if one of the team is refused, the others have it once, and only the refused is tried again', async () => {
  receiver.refuses = { recipient: 452, only: 'maria@harborlight.test' }
  await capture('ada', { writeToVisitor: false })
  await passUntil(() => toTeam('bob').length === 1 && log.length > 0, 1000)
  expect(log).toMatchObject([
    { code: 'letter', outcome: 'retry', reason: 'the mail server refused the recipient (452)' },
  ])
  receiver.refuses = {}
  await passUntil(() => toTeam().length === 1, MINUTE)
  await passUntil(() => log.length === 2, MINUTE)
  expect([log[1], toTeam('bob').length]).toMatchObject([{ outcome: 'delivered' }, 1])
})

const letterTo = (contact: Partial<ReturnType<typeof contactOf>>, language: 'en' | 'es' = 'en') =>
  visitorLetter({
    contact: { ...contactOf('Ada'), phone: '(212) 555-0100', ...contact },
    language,
    receivedAt: clock.now(),
    now: clock.now(),
    sender: 'Harbor Light',
    siteUrl: 'https://www.harborlight.test',
    copy: copy.languages[language].letter,
  })

test.each(['en', 'es'] as const)(
  'in %s, it says who calls and how to stop, and nothing of why or of what was typed',
  language => {
    const typed = { firstName: 'Pay at evil.example', lastName: 'Quackenbush' }
    const { text = '', html = '', subject, senderName, headers } = letterTo(typed, language)
    const stop = `https://www.harborlight.test${language === 'en' ? '' : '/es'}/stop`
    expect(headers).toEqual({ 'List-Unsubscribe': `<${stop}>` })
    for (const part of [text, html]) {
      expect(part).not.toMatch(/evil|Quackenbush/)
      expect(part).toContain('Harbor Light')
      expect(part).toContain(stop)
    }
    expect(html).toContain('href="tel:+1')
    expect(`${senderName} ${subject} ${text} ${html}`).not.toMatch(
      /disab|incapaci|SSDI|benefi|salud|health|555-0100|token/i,
    )
  },
)

test('by when we’ll call is a date, and only while it’s ahead', () => {
  const { words, phone } = copy.languages.en.letter
  const callback = {
    hours: 'Mon-Fri 9:00-18:00',
    timeZone: 'Eastern',
    text: 'On {day} before 6:00 PM Eastern.',
  } as const
  const at = (receivedAt: string, phoneThere = '(212) 555-0100', later = 0) =>
    visitorLetter({
      contact: { ...contactOf('Ada'), phone: phoneThere },
      language: 'en',
      receivedAt: Date.parse(receivedAt),
      now: Date.parse(receivedAt) + later,
      sender: 'Harbor Light',
      siteUrl: 'https://www.harborlight.test',
      copy: { words, phone, callback },
    }).text.split('\n\n')[2]
  const own = words.number
  expect(at('2026-11-17T09:30-05:00')).toBe('On Tuesday, November 17 before 6:00 PM Eastern.')
  expect(at('2026-11-17T17:01-05:00')).toBe('On Wednesday, November 18 before 6:00 PM Eastern.')
  // The day before Thanksgiving, and a mail server that was down.
  expect(at('2026-11-25T18:00-05:00')).toBe('On Friday, November 27 before 6:00 PM Eastern.')
  expect(at('2026-11-17T09:30-05:00', undefined, DAY)).toBe(own)
  // A toll-free number doesn't say where they are.
  expect(at('2026-11-17T09:30-05:00', '(800) 555-0100')).toBe(own)
})
