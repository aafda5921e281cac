/**
 * The contact record as one self-contained page to read, print, and save, without scripts, images, or links. The whole page is
 * signed, so a saved one can be verified years later, even if its wording has changed since.
 */
import { createHash } from 'node:crypto'
import { placeOfId } from '../../domain/calling/area-codes.ts'
import { formatLocalDateTime } from '../../domain/calling/local-time.ts'
import { outcomeName, UNDONE, UNRECORDED } from '../../domain/calling/outcomes.ts'
import { fieldLabel, optionalFacts } from '../../domain/contact/contact-fields.ts'
import { describeLeadEvent } from '../../domain/events/lead-events.ts'
import { listChangeReason, listChangeText } from '../../domain/events/list-changes.ts'
import { ENGLISH, languageName } from '../../domain/languages.ts'
import { type ConsentText, SPOKEN_LIMITS } from '../../domain/leads/as-presented.ts'
import { directionOfYes } from '../../domain/leads/phone-lead.ts'
import { oneLine } from '../../domain/text/text.ts'
import { createCalendar } from '../settings/calendar.ts'
import { LEADS } from '../settings/leads-command.ts'
import type { LoggedCall } from '../store/views/call-log.ts'
import type { DoNotCallEvent, RecordedEvent } from '../store/views/contact-history.ts'
import type { ConsentRecord, RecordedCorrection } from './consent-record.ts'
import type { ContactRecord } from './contact-record.ts'
import { signPage } from './signature.ts'

const style = `
:root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #14213d; background: #fff; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .5rem; border-bottom: 2px solid #14213d; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
dl { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: #4a5568; }
dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: 0; padding: 1rem; border: 1px solid #8a94a6; white-space: pre-wrap; overflow-wrap: anywhere; }
.button { display: inline-block; margin-top: .75rem; padding: .5rem 1rem; border: 2px solid #14213d; font-weight: 700; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #cbd2dc; }
td:last-child { overflow-wrap: anywhere; padding-inline-end: 0; }
span { color: #4a5568; font-size: .875em; }
.button, bdi { color: inherit; }
footer { margin-top: 2rem; border-top: 2px solid #14213d; padding-top: .75rem; font-size: .875rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 32rem) {
  dl { grid-template-columns: 1fr; }
  dt { margin-top: .5rem; }
  thead { position: absolute; clip-path: inset(50%); }
  tr { display: block; padding: .5rem 0; border-bottom: 1px solid #cbd2dc; }
  td { display: block; padding: 0; border: 0; overflow-wrap: anywhere; }
  td:empty { display: none; }
  td::before { content: attr(data-head) ": "; color: #4a5568; }
}
@media print { body { margin: 0; max-width: none; } h2, h3, tr, blockquote { break-inside: avoid; } h2, h3 { break-after: avoid; } }
`

/** Used instead of the other pages' Content-Security-Policy. Allows only this inline style. */
export const recordPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function recordPage(record: ContactRecord, key: string): string {
  const { calls, changes, doNotCall, leads, made, otherLeads, phone, withDevices } = record
  const calendar = createCalendar(made.timeZone)
  const time = (iso: string) => `${escaped(calendar.format(Date.parse(iso)))} <span>(${escaped(iso)})</span>`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Contact record ${escaped(leads.at(-1)?.lead.id ?? '')}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Contact record</h1>
<p>What this person saw and agreed to, what was sent, each call, and each request to stop, according to our records. Our staff’s notes and the campaigns that leads came from are left out on purpose.${withDevices ? '' : ' So are IP addresses and browsers, which only editors see.'}</p>
${list([
  ['Phone', phone === null ? 'erased' : text(phone)],
  [
    'Leads with this number',
    `${leads.length + otherLeads}${otherLeads > 0 ? `; ${otherLeads} aren’t shown here` : ''}`,
  ],
  ['Calls', String(countCalls(calls.filter(({ incoming }) => !incoming)))],
  ['Calls from them', String(countCalls(calls.filter(({ incoming }) => incoming)))],
  ['Time zone', escaped(made.timeZone)],
])}
${phone === null ? '<p>The number was erased. Leads submitted with it after that aren’t part of this record.</p>' : ''}
${leads.map((lead, index) => leadSection(lead, leads.length === 1 ? 'Lead' : `Lead ${index + 1} of ${leads.length}`, time)).join('\n')}
<h2>Calls</h2>
${calls.length === 0 ? '<p>No calls are on record.</p>' : callTable(calls, leads, calendar.format)}
<h2>Do-not-call list</h2>
${doNotCall.length === 0 ? '<p>No requests are on record.</p>' : doNotCallTable(doNotCall, calendar.format)}
${changes.length === 0 ? '' : `<h2>Other changes</h2>\n${changeTable(changes, calendar.format)}`}
</main>
<footer>
<p>Created ${time(made.at)} by ${text(made.by)}, and signed with this website’s key.</p>
<p>To check that a saved copy of this page wasn’t changed, open “Check a record” on the desk, or run this on the website’s server: <code>${LEADS} verify FILE</code></p>
</footer>
</body>
</html>`
  return signPage(html, key)
}

type FormatTime<Time> = (time: Time) => string

function leadSection(record: ConsentRecord, title: string, time: FormatTime<string>): string {
  const { consent, corrections = [], deliveries, erasedAt, lead, person, questionnaire } = record
  const { english, isReviewedWithEnglish, language = ENGLISH, takenBy } = consent
  const saw = takenBy === undefined ? 'the visitor didn’t see' : 'wasn’t read to the person'
  return `<section>
<h2>${title}</h2>
${list([
  ['Agreed at', time(lead.receivedAt)],
  ...personRows(person, erasedAt === null ? null : time(erasedAt)),
  ...(takenBy === undefined
    ? ([
        ['On page', text(lead.page)],
        ...(lead.headline === undefined
          ? []
          : [['Headline', `${text(lead.headline)} (as it read when this record was created)`] as const]),
      ] as const)
    : [
        [
          'Consent',
          `spoken, on a call ${directionOfYes(lead.page) === 'outgoing' ? 'made' : 'taken'} by ${text(takenBy)}: ${SPOKEN_LIMITS}`,
        ] as const,
      ]),
  ['Language', escaped(languageName(language))],
  ['Lead', `<code>${escaped(lead.id)}</code>`],
])}
<h3>Consent, as ${takenBy === undefined ? 'shown' : 'read on the phone'}</h3>
${consentText(consent, language)}
${english ? `<p>${isReviewedWithEnglish ? 'The same in English' : 'In English at that time, not reviewed together'}, which ${saw}:</p>\n${consentText(english, ENGLISH)}` : ''}
<p>Version of the text: <code>${escaped(consent.version)}</code>${changedSince(consent)}</p>
<h3>Questions, as asked</h3>
${questionnaire === null ? '<p>The questions weren’t recorded for this lead.</p>' : questionTable(questionnaire, language)}
<h3>Certificate</h3>
${certificateText(record)}
${corrections.length === 0 ? '' : `<h3>Corrections</h3>\n<p>Above is what the person submitted.</p>\n${correctionTable(corrections, time)}`}
<h3>Deliveries</h3>
${deliveries.length === 0 ? `<p>${neverSent(record)}</p>` : deliveryTable(deliveries, time)}
</section>`
}

/** In the page's order. */
function consentText({ notice, button, text: below }: ConsentText, language: string): string {
  const quoted = (shown: string) => `<blockquote lang="${escaped(language)}" dir="auto">${escaped(shown)}</blockquote>`
  if (button === undefined) return `<p>The person said yes to this:</p>\n${quoted(below)}`
  return `${notice === undefined ? '' : `<p>Above the button:</p>\n${quoted(notice)}\n`}<p>Given by pressing the button: <span class="button" lang="${escaped(language)}">${text(button)}</span></p>
<p>Below the button:</p>
${quoted(below)}`
}

/**
 * Every dial once, whomever its outcomes are about, without corrections and what they correct: an undone outcome was recorded again, or
 * the call wasn't made after all.
 */
function countCalls(calls: readonly LoggedCall[]): number {
  const corrected = new Set(calls.map(({ corrects }) => corrects))
  const made = calls.filter(({ id, corrects }) => corrects === null && !corrected.has(id))
  return new Set(made.map(({ personId, startedAt }) => `${startedAt} ${personId}`)).size
}

function callTable(calls: readonly LoggedCall[], leads: readonly ConsentRecord[], at: FormatTime<number>): string {
  const corrections = new Map(calls.flatMap(call => (call.corrects === null ? [] : [[call.corrects, call] as const])))
  const rows = calls.toSorted(inOrder).map(call => {
    const { id, by, callbackAt, incoming, leadId, outcome, overrideReason, place, savedAt, startedAt, timeKnown } = call
    const there = (instant: number) => (place === null ? null : formatLocalDateTime(placeOfId(place), instant))
    const isUndone = outcome === UNDONE
    const correction = corrections.get(id)
    const number = leads.findIndex(({ lead }) => lead.id === leadId) + 1
    const lines = [
      ...(incoming ? ['They called us'] : []),
      `<b>${text(outcomeName(outcome))}</b>`,
      ...(callbackAt === null ? [] : [`Call back at ${at(callbackAt)}${lineOf(there(callbackAt), '; there: ')}`]),
      ...(overrideReason === null
        ? []
        : [`Called outside the calling hours or limits. Reason: ${text(overrideReason)}`]),
      ...(isUndone ? [`Corrects the call of ${at(startedAt)}`] : []),
      ...(correction && correction.id !== id ? [`Undone later, at ${at(correction.savedAt)}`] : []),
      ...(isUndone || outcome === UNRECORDED ? [] : [`Recorded at ${at(savedAt)}`]),
      ...(leads.length === 1 ? [] : [number > 0 ? `Lead ${number}` : `Lead <code>${escaped(leadId)}</code>`]),
    ]
    return [
      isUndone ? at(savedAt) : `${timeKnown ? '' : 'by '}${at(startedAt)}`,
      isUndone ? '' : escaped((timeKnown ? there(startedAt) : null) ?? 'not known'),
      text(by),
      lines.join('<br>'),
    ]
  })
  return table(['When', 'Their time', 'By', 'Result'], rows)
}

/** By the start of the call. A correction follows what it corrects, and what has no outcome yet is last. */
const inOrder = (one: LoggedCall, other: LoggedCall) =>
  one.startedAt - other.startedAt ||
  Number(one.outcome === UNRECORDED) - Number(other.outcome === UNRECORDED) ||
  one.savedAt - other.savedAt

const lineOf = (value: string | null, before: string) => (value === null ? '' : `${before}${escaped(value)}`)

function doNotCallTable(events: readonly DoNotCallEvent[], at: FormatTime<number>): string {
  const rows = events.map(({ at: instant, by, contact, event, ...request }) => [
    at(instant),
    escaped(listChangeText(event, contact, request.stays)),
    by === null ? 'not recorded' : text(by),
    escaped(listChangeReason(event, request) ?? ''),
  ])
  return table(['When', 'What', 'By', 'Who asked, and when'], rows)
}

function changeTable(changes: readonly RecordedEvent[], at: FormatTime<number>): string {
  const rows = changes.map(({ at: instant, event }) => {
    const { text: what, by } = describeLeadEvent(event, (from, until) => `${at(from)} to ${at(until)}`)
    return [at(instant), text(what), text(by ?? '')]
  })
  return table(['When', 'What', 'By'], rows)
}

type Rows = readonly (readonly [string, string])[]

function personRows(person: ConsentRecord['person'], erased: string | null): Rows {
  if (person === null) return [['Person', `erased${erased === null ? '' : ` at ${erased}`}`]]
  return [
    ['Name', `${text(person.firstName)} ${text(person.lastName)}`],
    ['Date of birth', person.dateOfBirth === '' ? 'not given' : text(person.dateOfBirth)],
    ['Email', person.email === '' ? 'not given' : text(person.email)],
    ['Phone', text(person.phone)],
    ...optionalFacts(person).map(({ label, value }) => [escaped(label), text(value)] as const),
    ...(person.clientAddress === '' ? [] : [['IP address', text(person.clientAddress)] as const]),
    ...(person.userAgent === '' ? [] : [['Browser', text(person.userAgent)] as const]),
  ]
}

function list(rows: Rows): string {
  return `<dl>\n${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('\n')}\n</dl>`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  // On a phone, each cell has its heading before it.
  const cells = (row: readonly string[]) =>
    row.map((cell, index) => `<td data-head="${heads[index]}">${cell}</td>`).join('')
  const head = heads.map(name => `<th scope="col">${name}</th>`).join('')
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.map(row => `<tr>${cells(row)}</tr>`).join('\n')}\n</tbody>\n</table>`
}

function questionTable(
  { isChanged, questions, spoken, version }: NonNullable<ConsentRecord['questionnaire']>,
  language: string,
): string {
  const asked = (words: string) => `<bdi lang="${escaped(language)}">${escaped(words)}</bdi>`
  const rows = questions.map(({ question, answer, english }) => [
    asked(question) + (english ? `<br><span>In English: ${text(english.question)}</span>` : ''),
    asked(answer) + (english ? `<br><span>${text(english.answer)}</span>` : ''),
  ])
  return `${table(['Question', 'Answer'], rows)}
<p>${spoken ? 'Asked on the phone; the answers are what the person said.' : 'Visitors must give these answers to reach the contact form.'}
Version of the questions: <code>${escaped(version)}</code>${changedSince({ isChanged })}</p>`
}

const changedSince = ({ isChanged }: { readonly isChanged?: true | undefined }) =>
  isChanged ? '<br><b>What is shown here doesn’t match its version: it was changed in the database later.</b>' : ''

function certificateText({ certificate }: ConsentRecord): string {
  if (certificate === null) return '<p>No TrustedForm certificate.</p>'
  const remarks = [
    certificate.mode === 'sandbox' ? 'Made in TrustedForm’s sandbox; it proves nothing.' : '',
    certificate.formKnown ? '' : 'Its address doesn’t look like a TrustedForm certificate.',
  ].filter(remark => remark !== '')
  return `<p><code>${escaped(certificate.url)}</code>${remarks.map(remark => `<br>${remark}`).join('')}</p>`
}

function correctionTable(corrections: readonly RecordedCorrection[], time: FormatTime<string>): string {
  const rows = corrections.map(({ at, by, reason, before, after }) => {
    const changes = Object.entries(before ?? {}).map(
      ([field, value]) => `${escaped(fieldLabel(field))}: ${text(value)} → <b>${text(after?.[field] ?? '')}</b>`,
    )
    return [time(at), before === null ? 'erased' : changes.join('<br>'), text(by), text(reason ?? 'erased')]
  })
  return table(['When', 'What', 'By', 'Why'], rows)
}

function neverSent({ mayHaveBeenSent }: ConsentRecord): string {
  return mayHaveBeenSent
    ? 'The lead may have been sent: an attempt was started, and its result was never recorded.'
    : 'The lead was never sent.'
}

function deliveryTable(deliveries: ConsentRecord['deliveries'], time: (iso: string) => string): string {
  const rows = deliveries.map(({ at, status, outcome, durationMs }) => [
    time(at),
    text(outcome),
    status === null ? 'no response' : String(status),
    `${durationMs} ms`,
  ])
  return table(['Sent at', 'Result', 'Response', 'Duration'], rows)
}

/** So that a name in a right-to-left script doesn't reverse the line. What 0.7.0 stored may have characters that turn a text itself. */
function text(value: string): string {
  return `<bdi>${escaped(oneLine(value))}</bdi>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(value: string): string {
  return value.replaceAll(/[&<>"']/g, character => entities[character] ?? '')
}
