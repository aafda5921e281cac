/**
 * `show`: everything about one lead. `consent`: the same for every lead with a given email or phone number, even erased ones, or a
 * period's contact records.
 */
import { SPOKEN_LIMITS } from '../../domain/as-presented.ts'
import { outcomeName } from '../../domain/calling/outcomes.ts'
import { CERTIFICATE_DAYS } from '../../domain/certificate.ts'
import { contactFields, contactLabels } from '../../domain/contact-fields.ts'
import { DAY } from '../../domain/durations.ts'
import { describeHoldReason } from '../../domain/hold-reasons.ts'
import { languageName } from '../../domain/languages.ts'
import { deliveryValues, describeErasureReason, describeOutcome } from '../../domain/lead-states.ts'
import { callDetailsJson, localTimeOf } from '../../server/export/call-formats.ts'
import { correctionText, leadDetailsJson } from '../../server/export/lead-formats.ts'
import { plain } from '../../server/export/plain-text.ts'
import { consentRecordOf } from '../../server/record/consent-record.ts'
import type { Calendar } from '../../server/settings/calendar.ts'
import { findKey } from '../../server/settings/installation-key.ts'
import type { CallAttempt } from '../../server/store/calls/attempts.ts'
import { type LeadDetails, sentToCrm } from '../../server/store/leads/lead-records.ts'
import type { Store } from '../../server/store/store.ts'
import { type Command, CommandError, type Run, UsageError } from '../command.ts'
import {
  byOption,
  CONTACT_PROMPT_HELP,
  findLeadId,
  parseLeadId,
  personOptions,
  rangeOptions,
  readContact,
  readRange,
} from '../options.ts'
import { formatAge, formatCampaign, pluralize } from '../terminal/text.ts'
import { saveRecordsOf } from './contact-records.ts'

/** Repeated views within this time are recorded once, as in the desk. */
const VIEW_INTERVAL_MS = 5 * 60_000

const options = { json: { about: 'Print JSON, with the webhook’s field names.' }, ...byOption }

export const show: Command = {
  summary: 'Show everything about one lead.',
  argument: 'ID',
  about:
    'Prints contact details, page and campaign, the TrustedForm certificate, the consent and questions as the visitor saw them, the history, each delivery attempt, and each call. The lead’s history records that you viewed it.',
  options,
  examples: ['0195f2d1', '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d --json'],
  async run(run) {
    const start = parseLeadId(run.args.positionals[0] ?? '')
    const store = await run.openStore('write')
    await showLeads(run, store, [await findLeadId(store, start)])
  },
}

export const consent: Command = {
  summary: 'Show all consent on file for a person, even if erased, or save a period’s contact records.',
  about:
    'For complaints such as “I never agreed to be called”: shows every lead with that email or phone number, as `show` does. Each lead’s history records that you viewed it. In the desk, you can print or save the contact record: everything about one phone number, signed.\n' +
    `Finding erased leads requires the key they were erased with.\n${CONTACT_PROMPT_HELP}\n` +
    'For regulators, who ask for months: --since and --until with --to save signed contact records that cover every lead in that period, one file for each phone number: consent, deliveries, calls, and requests to stop. The export is recorded and shown on the desk’s Health page.',
  options: {
    ...personOptions,
    ...rangeOptions,
    to: { value: 'FOLDER', about: 'Save a period’s contact records in this folder. It must not exist yet.' },
    ...options,
  },
  examples: ['', '--phone - --json < number.txt', '--since 2030-01-01 --until 2030-04-01 --to contact-2030-q1'],
  async run(run) {
    if (['to', 'since', 'until'].some(run.args.isSet)) return savePeriod(run)
    const person = await readContact(run)
    const key = findKey(run.readConfig())
    const store = await run.openStore('write')
    const live = (await store.leadsOfPerson(person)).map(({ id }) => id)
    const erased = await store.erasedLeadsOf({ person, key })
    if (erased.underOtherKeys > 0) {
      const why = key === null ? 'This machine has no key.' : 'They were erased with a different key.'
      const unchecked = `${pluralize(erased.underOtherKeys, 'erased lead')} couldn’t be checked`
      await run.notes.write(`${unchecked} against this email or phone number. ${why}\n`)
    }
    // IDs sort by time.
    const ids = [...live, ...erased.ids].toSorted()
    if (ids.length === 0) throw new CommandError('No consent found for this email or phone number.')
    await showLeads(run, store, ids)
  },
}

async function savePeriod(run: Run): Promise<void> {
  const { args } = run
  const folder = args.text('to')
  const period = readRange(run)
  if (folder === undefined) throw new UsageError('Specify where to save the records: --to FOLDER.')
  if (args.isSet('email') || args.isSet('phone') || args.isSet('json')) {
    throw new UsageError('--to saves a period’s records: leave out --email, --phone, and --json.')
  }
  if (period.since === undefined) throw new UsageError('Specify the period: --since and, if you like, --until.')
  await saveRecordsOf(run, folder, period)
}

async function showLeads(run: Run, store: Store, ids: readonly string[]): Promise<void> {
  // Record the view before showing anything, as the desk does.
  for (const id of ids) await store.recordView({ id, by: run.by(), intervalMs: VIEW_INTERVAL_MS })
  const leads = (await Promise.all(ids.map(id => store.find(id)))).filter(lead => lead !== null)
  const calls = await Promise.all(leads.map(({ id }) => store.callAttempts(id)))
  if (run.args.isSet('json')) {
    return run.json(
      leads.map((lead, index) => ({ ...leadDetailsJson(lead), calls: (calls[index] ?? []).map(callDetailsJson) })),
    )
  }
  await run.out.write(leads.map((lead, index) => formatLead(lead, calls[index] ?? [], run)).join('\n'))
}

function formatLead(lead: LeadDetails, calls: readonly CallAttempt[], run: Run): string {
  const now = run.now()
  const calendar = run.calendar()
  const { consent: consentShown, questionnaire } = consentRecordOf(lead, { at: now, by: '', calendar })
  const sections = {
    [`Lead ${lead.id}`]: [
      ...field('Received', `${calendar.format(lead.receivedAt)}, ${formatAge(now - lead.receivedAt)} ago`),
      ...field('State', lead.state),
      ...field('On hold', lead.heldReason && describeHoldReason(lead.heldReason).explanation),
      ...field('Rejected', lead.rejectedReason),
      ...field('Repeat of', lead.repeatOf),
      ...field('Same person', lead.otherLeadsBySamePerson.join(', ')),
    ],
    Contact:
      lead.state === 'erased'
        ? ['erased']
        : [
            ...contactFields.flatMap(name => field(contactLabels[name], lead[name])),
            ...lead.corrections.flatMap(correction => field('Corrected', correctionText(correction, calendar))),
          ],
    Source: [
      ...field('Page', lead.page),
      ...field('Language', languageName(lead.language)),
      ...field('Campaign', formatCampaign(lead.campaign) || 'none'),
      ...field('IP address', lead.clientAddress),
      ...field('Browser', lead.userAgent),
      ...certificateLines(lead, now),
    ],
    'Consent as shown': [
      ...field('Spoken', lead.consentTakenBy && `on a call taken by ${lead.consentTakenBy}: ${SPOKEN_LIMITS}`),
      ...field('Notice', consentShown.notice ?? null),
      ...field('Button', consentShown.button ?? null),
      ...field('Text', consentShown.text),
      ...field('In English', consentShown.english?.text ?? null),
    ],
    'Questions as shown, with the qualifying answers': questionnaire
      ? questionnaire.questions.flatMap(({ question, answer }) => field(answer, question))
      : ['not recorded'],
    History: lead.history.map(
      ({ at, event, detail }) => `${calendar.format(at)}  ${describeEvent(event, detail, calendar)}`,
    ),
    Delivery: deliveryLines(lead, run),
    ...(calls.length > 0 && { Calls: calls.map(call => describeCall(call, calendar)) }),
  }
  return Object.entries(sections)
    .map(([title, lines]) => `${title}\n${lines.map(line => `  ${plain(line)}\n`).join('')}`)
    .join('\n')
}

function field(name: string, value: string | null): readonly string[] {
  return value ? [`${name.padEnd(13)} ${value}`] : []
}

function certificateLines(lead: LeadDetails, now: number): readonly string[] {
  const { certificate, trustedForm } = lead
  if (certificate === null) return lead.state === 'erased' ? [] : field('Certificate', 'none')
  const left = CERTIFICATE_DAYS - Math.floor((now - lead.receivedAt) / DAY)
  const expiry =
    left > 0 ? `expires in ${pluralize(left, 'day')} unless you retain it` : 'expired unless you retained it'
  const warnings = {
    on: '',
    sandbox: 'WARNING: received while TRUSTEDFORM was set to sandbox, so it’s not proof',
    off: 'WARNING: the form didn’t ask for it (TRUSTEDFORM was off, or the plain form was used)',
  }
  return [
    ...field('Certificate', certificate.url),
    ...field('', expiry),
    ...field('', certificate.formKnown ? '' : 'WARNING: a TrustedForm URL, but not in a known certificate format'),
    ...field('', warnings[trustedForm ?? 'on']),
  ]
}

/** Labels as in the desk's timeline. JSON output keeps the stored names. */
const eventLabels: Readonly<Record<string, string>> = {
  looked: 'viewed',
  held: 'put on hold',
  'delivery failed': 'delivery attempt failed',
  'delivery dead': 'gave up after the last retry',
  'delivery stopped': 'won’t be sent: on the do-not-call list',
  'event delivered': 'update delivered to the CRM',
  'event failed': 'update to the CRM failed',
  'event resent': 'update to the CRM queued again',
  'event dismissed': 'CRM told by hand',
}

const detailLabels: Readonly<Record<string, string>> = {
  heldReason: 'reason',
  because: 'reason',
  was: 'previously',
  nextAt: 'next attempt',
  cancelledDelivery: 'canceled delivery',
  repeatedBy: 'same person submitted again',
}

function describeEvent(event: string, stored: string, calendar: Calendar): string {
  // Our own JSON, without personal data.
  const { by, ...details } = JSON.parse(stored) as Record<string, string | number | null>
  const more = Object.entries(details).flatMap(([name, value]) => {
    const label = detailLabels[name] ?? name.replace(/[A-Z]/g, ' $&').toLowerCase()
    return value === null ? [] : [`${label}: ${describeDetail(name, value, calendar)}`]
  })
  return `${eventLabels[event] ?? event}${by ? ` by ${by}` : ''}${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}

function describeDetail(name: string, value: string | number, calendar: Calendar): string {
  if (name === 'nextAt') return calendar.format(Number(value))
  if (name === 'heldReason') return describeHoldReason(`${value}`).label
  const text = describeErasureReason(describeOutcome(`${value}`))
  return { dead: 'failed', 'under way': 'in progress' }[text] ?? text
}

function describeCall(call: CallAttempt, calendar: Calendar): string {
  const { startedAt, by, incoming, outcome, callbackAt, overrideReason } = call
  const local = localTimeOf(call)
  const more = [
    ...(incoming ? ['they called us'] : []),
    ...(local === null ? [] : [`there: ${local}`]),
    ...(callbackAt === null ? [] : [`for ${calendar.format(callbackAt)}`]),
    ...(overrideReason === null ? [] : [`outside the rules: ${overrideReason}`]),
  ]
  return `${calendar.format(startedAt)}  ${outcomeName(outcome)} by ${by}${more.length > 0 ? ` (${more.join(', ')})` : ''}`
}

function deliveryLines(lead: LeadDetails, run: Run): readonly string[] {
  const { delivery, deliveryAttempts } = lead
  const { format } = run.calendar()
  const attempts = deliveryAttempts.map(({ at, durationMs, outcome, status }) => {
    const result = describeOutcome(outcome)
    const code = status === null || result.includes(`${status}`) ? '' : ` (status ${status})`
    return `${format(at)}  ${result}${code} after ${durationMs} ms`
  })
  const interrupted = 'may have been sent: an attempt was interrupted before its result was recorded'
  if (attempts.length === 0 && sentToCrm(lead) === 'maybe') attempts.push(interrupted)
  if (!delivery) return ['none', ...attempts]
  const { state, nextAt, finishedAt } = delivery
  const next = nextAt <= run.now() ? ', due now' : `, next attempt in ${formatAge(nextAt - run.now())}`
  const when = state === 'pending' ? next : finishedAt === null ? '' : ` ${format(finishedAt)}`
  return [`${deliveryValues[state]}${when}; ${pluralize(deliveryAttempts.length, 'attempt')}`, ...attempts]
}
