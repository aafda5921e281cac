/**
 * The consent record as one self-contained page to read, print, and save, without scripts, images, or links. The data is
 * embedded, so a saved page can be verified years later.
 */
import { createHash } from 'node:crypto'
import { optionalFacts } from '../../domain/contact-fields.ts'
import { canonicalTimeZone, createCalendar } from '../calendar.ts'
import {
  type ConsentRecord,
  canonicalJson,
  FORMAT,
  hashOfRecord,
  type Signature,
  UNSIGNED_FORMAT,
} from './consent-record.ts'

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

/** We verify a record by rendering its page again, so never change these strings. To reword them, add a new format. */
const labelsOf = (format: ConsentRecord['format']) =>
  format === UNSIGNED_FORMAT
    ? {
        about: 'What this person saw, answered and agreed to, as the store holds it.',
        consent: 'The consent, as it was presented',
        questions: 'The questions, as they were asked',
        implied: 'These are the answers of everybody whose lead was taken: whoever gives another gets no contact form.',
        sandbox: 'It was made in TrustedForm’s sandbox, and proves nothing.',
        unknownForm: 'Its address is not of a form that TrustedForm’s certificates are known to have.',
        email: 'E-mail',
        ipAddress: 'Internet address',
        attempts: ['Tried at', 'How it went', 'Answer', 'Took'],
        noResponse: 'no answer',
        noQuestions: 'Which questions were asked was not recorded.',
        noCertificate: 'The lead came without a TrustedForm certificate.',
        made: 'Made',
        hash: 'SHA-256 over all of the above:',
        verify: 'A saved copy of this page is checked by:',
      }
    : {
        about: 'What this person saw, answered, and agreed to, according to our records.',
        consent: 'Consent, as shown',
        questions: 'Questions, as asked',
        implied: 'Visitors must give these answers to reach the contact form.',
        sandbox: 'Made in TrustedForm’s sandbox; it proves nothing.',
        unknownForm: 'Its address doesn’t look like a TrustedForm certificate.',
        email: 'Email',
        ipAddress: 'IP address',
        attempts: ['Sent at', 'Result', 'Response', 'Duration'],
        noResponse: 'no response',
        noQuestions: 'The questions weren’t recorded for this lead.',
        noCertificate: 'No TrustedForm certificate.',
        made: 'Created',
        hash: 'SHA-256 of everything above:',
        verify: 'To verify a saved copy of this page:',
      }

/** Uses only the record's data, so `leads verify` can render it again and detect whether a file was altered. */
export function recordPage(record: ConsentRecord, signature: Signature | null): string {
  const { consent, deliveries, erasedAt, lead, made, person, questionnaire } = record
  const labels = labelsOf(record.format)
  const calendar = createCalendar(made.timeZone)
  const time = (iso: string) => `${escaped(calendar.format(Date.parse(iso)))} <span>(${escaped(iso)})</span>`
  return `<!doctype html>
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
<p>${labels.about}</p>
<h2>Who and when</h2>
${list([
  ['Agreed at', time(lead.receivedAt)],
  ['Time zone', escaped(made.timeZone)],
  ...personRows(person, erasedAt === null ? null : time(erasedAt), labels),
  ['On page', text(lead.page)],
  ['Lead', `<code>${escaped(lead.id)}</code>`],
])}
<h2>${labels.consent}</h2>
<blockquote dir="auto">${escaped(consent.text)}</blockquote>
<p>Given by pressing the button: <span class="button">${text(consent.button)}</span></p>
<p>Version of the text: <code>${escaped(consent.version)}</code></p>
<h2>${labels.questions}</h2>
${questionnaire === null ? `<p>${labels.noQuestions}</p>` : questionTable(questionnaire, labels)}
<h2>Certificate</h2>
${certificateText(record, labels)}
<h2>Deliveries</h2>
${deliveries.length === 0 ? '<p>The lead was never sent.</p>' : deliveryTable(deliveries, time, labels)}
</main>
<footer>
<p>${labels.made} ${time(made.at)} by ${text(made.by)}.</p>
<p>${labels.hash} ${hashBlock(record)}</p>
${signature === null ? '' : `<p>Signed by this website’s owner (HMAC-SHA-256): <code id="consent-record-signature">${signature.keyId}:${signature.mac}</code></p>\n`}<p>${labels.verify} <code>npm run leads -- verify FILE</code></p>
</footer>
${factsBlock(record)}
</body>
</html>
`
}

type Rows = readonly (readonly [string, string])[]
type Labels = ReturnType<typeof labelsOf>

function personRows(person: ConsentRecord['person'], erased: string | null, labels: Labels): Rows {
  if (person === null) return [['Person', `erased${erased === null ? '' : ` at ${erased}`}`]]
  return [
    ['Name', `${text(person.firstName)} ${text(person.lastName)}`],
    ['Date of birth', text(person.dateOfBirth)],
    [labels.email, text(person.email)],
    ['Phone', text(person.phone)],
    ...optionalFacts(person).map(({ label, value }) => [escaped(label), text(value)] as const),
    [labels.ipAddress, text(person.clientAddress)],
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

function questionTable({ questions, version }: NonNullable<ConsentRecord['questionnaire']>, labels: Labels): string {
  const rows = questions.map(({ question, answer }) => [text(question), text(answer)])
  return `${table(['Question', 'Answer'], rows)}
<p>${labels.implied}
Version of the questions: <code>${escaped(version)}</code></p>`
}

function certificateText({ certificate }: ConsentRecord, labels: Labels): string {
  if (certificate === null) return `<p>${labels.noCertificate}</p>`
  const remarks = [
    certificate.mode === 'sandbox' ? labels.sandbox : '',
    certificate.formKnown ? '' : labels.unknownForm,
  ].filter(remark => remark !== '')
  return `<p><code>${escaped(certificate.url)}</code>${remarks.map(remark => `<br>${remark}`).join('')}</p>`
}

function deliveryTable(
  deliveries: ConsentRecord['deliveries'],
  time: (iso: string) => string,
  { attempts, noResponse }: Labels,
): string {
  const rows = deliveries.map(({ at, status, outcome, durationMs }) => [
    time(at),
    text(outcome),
    status === null ? noResponse : String(status),
    `${durationMs} ms`,
  ])
  return table(attempts, rows)
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

const BLOCK = /<script type="application\/json" id="consent-record">([\s\S]*?)<\/script>/g
const HASH = /<code id="consent-record-hash">([0-9a-f]{64})<\/code>/g
const SIGNATURE = /<code id="consent-record-signature">([\w-]{12}):([0-9a-f]{64})<\/code>/g

/** Escapes `<`, so text in the record can't close the script element or open another one. */
export function factsBlock(record: ConsentRecord): string {
  return `<script type="application/json" id="consent-record">${canonicalJson(record).replaceAll('<', '\\u003c')}</script>`
}

export function hashBlock(record: ConsentRecord): string {
  return `<code id="consent-record-hash">${hashOfRecord(record)}</code>`
}

export type ParsedRecordFile =
  | {
      readonly kind: 'intact'
      readonly record: ConsentRecord
      readonly hash: string
      /** Null for a record from before 0.6.0, which is unsigned. */
      readonly signature: Signature | null
    }
  /** The page has no record, or more than one. */
  | { readonly kind: 'none' }
  /** The data doesn't match the stated hash. */
  | { readonly kind: 'changed'; readonly record: ConsentRecord; readonly stated: string; readonly computed: string }

export function readRecordFile(html: string): ParsedRecordFile {
  const [facts, ...moreFacts] = [...html.matchAll(BLOCK)].map(([, json = '']) => json)
  const [stated, ...moreHashes] = [...html.matchAll(HASH)].map(([, hash = '']) => hash)
  const signatures = [...html.matchAll(SIGNATURE)].map(([, keyId = '', mac = '']) => ({ keyId, mac }))
  if (facts === undefined || stated === undefined || moreFacts.length > 0 || moreHashes.length > 0) {
    return { kind: 'none' }
  }
  const record = parse(facts)
  if (record === null || signatures.length !== (record.format === FORMAT ? 1 : 0)) return { kind: 'none' }
  const computed = hashOfRecord(record)
  if (computed !== stated) return { kind: 'changed', record, stated, computed }
  return { kind: 'intact', record, hash: stated, signature: signatures[0] ?? null }
}

function parse(json: string): ConsentRecord | null {
  try {
    const record = JSON.parse(json) as ConsentRecord
    const isKnown = record?.format === FORMAT || record?.format === UNSIGNED_FORMAT
    const hasTime =
      canonicalTimeZone(String(record.made?.timeZone)) !== null && !Number.isNaN(Date.parse(record.made.at))
    return isKnown && hasTime && typeof record.lead?.id === 'string' && Array.isArray(record.deliveries) ? record : null
  } catch {
    return null
  }
}
