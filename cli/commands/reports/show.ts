/** `show`: everything that is known of one lead. */
import type { Certificate } from '../../../domain/certificate.ts'
import { optionalFacts } from '../../../domain/contact-labels.ts'
import { holdReasonWords } from '../../../domain/hold-reasons.ts'
import type { TrustedFormMode } from '../../../domain/lead.ts'
import { readQuestionnaire } from '../../../domain/questions-as-asked.ts'
import type { Calendar } from '../../../server/calendar.ts'
import { isoTime, leadJson } from '../../../server/export/lead-json.ts'
import { jsonText, plain } from '../../../server/export/plain-text.ts'
import type { LeadDossier } from '../../../server/store/lead-records.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Misuse } from '../../failure.ts'
import { leadIdIn, noSuchLead, readLeadId } from '../../leads/lead-ids.ts'
import { calendarOf } from '../../leads/when.ts'
import { byOption, LOOK_REST_MS, whoActs } from '../../leads/who-asks.ts'
import { withStore } from '../../leads/with-store.ts'
import { styled } from '../../terminal/surroundings.ts'
import { age, campaignInWords, counted, DAY } from '../../terminal/words.ts'

export const show: Command = {
  summary: 'Everything about one lead: contact, consent as presented, history, each delivery attempt.',
  usage: ['ID [OPTIONS]'],
  about:
    'Shows everything about one lead: contact, page and campaign, address and browser, the TrustedForm certificate with\n' +
    'its age, the consent exactly as it was presented, the questions as they were asked, what happened to the lead, and\neach attempt to deliver it.',
  options: { json: { about: 'As a JSON object.' }, ...byOption },
  examples: ['0195f2d1', '0195f2d1-9a3c-7e41-8d2b-6f0c1a2b3c4d --json'],
  mostWords: 1,
  async run(run) {
    const { typed, out, now } = run
    const [word] = typed.words
    if (word === undefined) throw new Misuse('Which lead? Usage: npm run leads -- show ID')
    const typedId = readLeadId(word)
    const by = whoActs(typed)
    // Recorded before anything is shown, as at the desk.
    const lead = await withStore(run, 'write', async store => {
      const id = await leadIdIn(store, typedId)
      await store.recordLook({ id, by, restMs: LOOK_REST_MS })
      return store.find(id)
    })
    if (!lead) throw noSuchLead(typedId)
    await out.write(typed.isSet('json') ? `${jsonText(dossierJson(lead), 2)}\n` : dossierInWords(lead, now(), run))
    return exitCodes.done
  },
}

function dossierJson(lead: LeadDossier) {
  return {
    ...leadJson(lead),
    consent: JSON.parse(lead.consentPresented) as unknown,
    questionnaire: lead.questionnairePresented === null ? null : readQuestionnaire(lead.questionnairePresented),
    history: lead.history.map(({ at, event, detail }) => ({
      at: isoTime(at),
      event,
      detail: JSON.parse(detail) as unknown,
    })),
    deliveryAttempts: lead.deliveryAttempts.map(attempt => ({ ...attempt, at: isoTime(attempt.at) })),
    otherLeadsOfThePerson: lead.otherLeadsOfThePerson,
  }
}

function dossierInWords(lead: LeadDossier, now: number, run: Run): string {
  const { stdout } = run
  const calendar = calendarOf(run)
  const section = (title: string, lines: readonly string[]) =>
    `${styled(stdout, 'bold', title)}\n${lines.map(line => `  ${plain(line)}\n`).join('')}`
  return [
    section(`Lead ${lead.id}`, [
      ...field('Received', `${calendar.inWords(lead.receivedAt)}, ${age(now - lead.receivedAt)} ago`),
      ...field('State', lead.state),
      ...field('Held because', lead.heldReason && holdReasonWords(lead.heldReason).explanation),
      ...field('Rejected', lead.rejectedReason),
      ...field('Repeats', lead.repeatOf),
      ...field('Same person', lead.otherLeadsOfThePerson.join(', ') || null),
    ]),
    section('Contact', lead.state === 'erased' ? ['erased'] : contactLines(lead)),
    section('Where it came from', [
      ...field('Page', lead.page),
      ...field('Campaign', campaignInWords(lead.campaign) || '-'),
      ...field('Address', lead.clientAddress),
      ...field('Browser', lead.userAgent),
      ...certificateLines(lead, now),
    ]),
    section('Consent, as it was presented', consentLines(lead)),
    section('Questions, as they were asked, with the answers that a lead implies', questionLines(lead)),
    section(
      'History',
      lead.history.map(
        ({ at, event, detail }) => `${calendar.inWords(at)}  ${event}${detailInWords(detail, calendar)}`,
      ),
    ),
    section('Delivery', deliveryLines(lead, now, calendar)),
  ].join('\n')
}

function field(name: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${name.padEnd(13)} ${value}`]
}

function contactLines(lead: LeadDossier): readonly string[] {
  return [
    ...field('Name', `${lead.firstName} ${lead.lastName}`),
    ...field('Date of birth', lead.dateOfBirth),
    ...field('E-mail', lead.email),
    ...field('Phone', lead.phone),
    ...optionalFacts(lead).flatMap(({ label, value }) => field(label, value)),
  ]
}

/** A certificate is gone 90 days after the lead unless it was retained: the operator should know in time. */
const LIFE_DAYS = 90
const WARN_FROM_DAYS = 75

function certificateAge(receivedAt: number, now: number): { readonly words: string; readonly warning: boolean } {
  const days = Math.floor((now - receivedAt) / DAY)
  const old = `${counted(days, 'day')} old`
  if (days < WARN_FROM_DAYS) return { words: old, warning: false }
  const words =
    days < LIFE_DAYS
      ? `${old}: it expires in ${counted(LIFE_DAYS - days, 'day')} unless it is retained`
      : `${old}: it has expired unless it was retained`
  return { words, warning: true }
}

function certificateLines(lead: LeadDossier, now: number): readonly string[] {
  if (lead.certificate === null) return lead.state === 'erased' ? [] : field('Certificate', withoutCertificate(lead))
  const { words, warning } = certificateAge(lead.receivedAt, now)
  return [
    ...field('Certificate', lead.certificate.url),
    ...field('', warning ? `WARNING: ${words}` : words),
    ...(lead.certificate.formKnown
      ? []
      : field('', 'WARNING: an address at TrustedForm, but not of a form that its certificates are known to have')),
    ...certificateOrigin[lead.trustedForm ?? 'on'],
  ]
}

/** Of a lead from before this was recorded, nothing is said. */
const certificateOrigin: Readonly<Record<TrustedFormMode, readonly string[]>> = {
  on: [],
  sandbox: field('', 'WARNING: it came while TRUSTEDFORM was sandbox: it proves nothing'),
  off: field('', 'WARNING: the form did not ask for it (TRUSTEDFORM was off, or the plain form was used)'),
}

/** What the history says of it: the invalid one itself is not kept. */
function withoutCertificate({ history }: LeadDossier): string {
  const invalid = history.some(
    ({ event, detail }) =>
      event === 'received' && (JSON.parse(detail) as { certificate?: Certificate['kind'] }).certificate === 'invalid',
  )
  return invalid ? 'invalid: something was sent that is no address at TrustedForm; it was not kept' : 'none'
}

function consentLines({ consentVersion, consentPresented }: LeadDossier): readonly string[] {
  const { text, button } = JSON.parse(consentPresented) as { readonly text: string; readonly button: string }
  return [...field('Version', consentVersion), ...field('Button', button), ...field('Text', text)]
}

function questionLines({ questionnaireVersion, questionnairePresented }: LeadDossier): readonly string[] {
  if (questionnairePresented === null) return ['not recorded']
  const { questions, ...words } = readQuestionnaire(questionnairePresented)
  return [
    ...field('Version', questionnaireVersion),
    ...questions.flatMap(({ question, answer }) => field(words[answer], question)),
  ]
}

/** The detail is our own JSON, without personal data. */
function detailInWords(detail: string, calendar: Calendar): string {
  const entries = Object.entries(JSON.parse(detail) as Record<string, unknown>).filter(([, value]) => value !== null)
  if (entries.length === 0) return ''
  return ` (${entries.map(([name, value]) => `${name}: ${name.endsWith('At') ? calendar.inWords(Number(value)) : value}`).join(', ')})`
}

function deliveryLines(
  { delivery, deliveryAttempts }: LeadDossier,
  now: number,
  calendar: Calendar,
): readonly string[] {
  const attempts = deliveryAttempts.map(
    ({ at, durationMs, outcome, status }) =>
      `${calendar.inWords(at)}  ${outcome}${status === null ? '' : ` (status ${status})`}, after ${durationMs} ms`,
  )
  if (!delivery) return ['none', ...attempts]
  const { state, nextAt, finishedAt } = delivery
  const when =
    state === 'pending'
      ? nextAt <= now
        ? ', due now'
        : `, next attempt in ${age(nextAt - now)}`
      : finishedAt === null
        ? ''
        : ` since ${calendar.inWords(finishedAt)}`
  return [`${state}${when}; ${counted(deliveryAttempts.length, 'attempt')}`, ...attempts]
}
