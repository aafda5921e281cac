/**
 * The consent record as one self-contained page to read, print, and save, without scripts, images, or links. The whole page is
 * signed, so a saved one can be verified years later, even if its wording has changed since.
 */
import { createHash } from 'node:crypto'
import { optionalFacts } from '../../domain/contact-fields.ts'
import { createCalendar } from '../calendar.ts'
import type { ConsentRecord } from './consent-record.ts'
import { signPage } from './signature.ts'

const style = `
:root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #14213d; background: #fff; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #8a94a6; }
dl { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: #4a5568; }
dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: 0; padding: 1rem; border: 1px solid #8a94a6; white-space: pre-wrap; overflow-wrap: anywhere; }
.button { display: inline-block; margin-top: .75rem; padding: .5rem 1rem; border: 2px solid #14213d; font-weight: 700; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: start; vertical-align: top; padding: .25rem .5rem .25rem 0; border-bottom: 1px solid #cbd2dc; overflow-wrap: anywhere; }
th { overflow-wrap: normal; }
footer { margin-top: 2rem; border-top: 2px solid #14213d; padding-top: .75rem; font-size: .875rem; }
code { font: .8125rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; } dt { margin-top: .5rem; } }
@media print { body { margin: 0; max-width: none; } h2, tr, blockquote { break-inside: avoid; } h2 { break-after: avoid; } }
`

/** Used instead of the other pages' Content-Security-Policy. Allows only this inline style. */
export const recordPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function recordPage(record: ConsentRecord, key: string): string {
  const { consent, deliveries, erasedAt, lead, made, person, questionnaire } = record
  const calendar = createCalendar(made.timeZone)
  const time = (iso: string) => `${escaped(calendar.format(Date.parse(iso)))} <span>(${escaped(iso)})</span>`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Consent record ${escaped(lead.id)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Consent record</h1>
<p>What this person saw, answered, and agreed to, according to our records.</p>
<h2>Who and when</h2>
${list([
  ['Agreed at', time(lead.receivedAt)],
  ['Time zone', escaped(made.timeZone)],
  ...personRows(person, erasedAt === null ? null : time(erasedAt)),
  ['On page', text(lead.page)],
  ['Lead', `<code>${escaped(lead.id)}</code>`],
])}
<h2>Consent, as shown</h2>
<blockquote dir="auto">${escaped(consent.text)}</blockquote>
<p>Given by pressing the button: <span class="button">${text(consent.button)}</span></p>
<p>Version of the text: <code>${escaped(consent.version)}</code></p>
<h2>Questions, as asked</h2>
${questionnaire === null ? '<p>The questions weren’t recorded for this lead.</p>' : questionTable(questionnaire)}
<h2>Certificate</h2>
${certificateText(record)}
<h2>Deliveries</h2>
${deliveries.length === 0 ? `<p>${neverSent(record)}</p>` : deliveryTable(deliveries, time)}
</main>
<footer>
<p>Created ${time(made.at)} by ${text(made.by)}, and signed with this website’s key.</p>
<p>To check that a saved copy of this page wasn’t changed: <code>npm run leads -- verify FILE</code></p>
</footer>
</body>
</html>`
  return signPage(html, key)
}

type Rows = readonly (readonly [string, string])[]

function personRows(person: ConsentRecord['person'], erased: string | null): Rows {
  if (person === null) return [['Person', `erased${erased === null ? '' : ` at ${erased}`}`]]
  return [
    ['Name', `${text(person.firstName)} ${text(person.lastName)}`],
    ['Date of birth', text(person.dateOfBirth)],
    ['Email', text(person.email)],
    ['Phone', text(person.phone)],
    ...optionalFacts(person).map(({ label, value }) => [escaped(label), text(value)] as const),
    ['IP address', text(person.clientAddress)],
    ['Browser', text(person.userAgent)],
  ]
}

function list(rows: Rows): string {
  return `<dl>\n${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('\n')}\n</dl>`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, each: readonly string[]) => each.map(cell => `<${tag}>${cell}</${tag}>`).join('')
  const head = heads.map(name => `<th scope="col">${name}</th>`).join('')
  return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.map(row => `<tr>${cells('td', row)}</tr>`).join('\n')}\n</tbody>\n</table>`
}

function questionTable({ questions, version }: NonNullable<ConsentRecord['questionnaire']>): string {
  const rows = questions.map(({ question, answer }) => [text(question), text(answer)])
  return `${table(['Question', 'Answer'], rows)}
<p>Visitors must give these answers to reach the contact form.
Version of the questions: <code>${escaped(version)}</code></p>`
}

function certificateText({ certificate }: ConsentRecord): string {
  if (certificate === null) return '<p>No TrustedForm certificate.</p>'
  const remarks = [
    certificate.mode === 'sandbox' ? 'Made in TrustedForm’s sandbox; it proves nothing.' : '',
    certificate.formKnown ? '' : 'Its address doesn’t look like a TrustedForm certificate.',
  ].filter(remark => remark !== '')
  return `<p><code>${escaped(certificate.url)}</code>${remarks.map(remark => `<br>${remark}`).join('')}</p>`
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

/** Isolates the text, so a name in a right-to-left script doesn't reverse the line. */
function text(value: string): string {
  return `<bdi>${escaped(value)}</bdi>`
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
