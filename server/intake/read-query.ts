/** Reads a lead from the request of the pages' script: the contact fields in the query, the rest in headers. */
import { parseCertificate } from '../../domain/certificate.ts'
import { CERTIFICATE_FIELD, inWords, parseContact, type TrustedFormMode } from '../../domain/lead.ts'
import { type Answer, type HttpRequest, json } from '../http/handler.ts'
import type { ServerWords } from '../http/site-manifest.ts'
import type { Submission } from '../store/capture.ts'
import type { Availability } from './availability.ts'
import { createOwnHosts, isFromAnotherSite, leadSource, readVariant } from './lead-source.ts'

/** What the request says about a lead, parsed and checked. */
export type Facts = Omit<Submission, 'clientAddress' | 'userAgent' | 'holdReason' | 'announceRepeat'>

export interface Refusal {
  readonly status: 400 | 403 | 413 | 414 | 415 | 429 | 503
  readonly message: string
  readonly headers?: Answer['headers']
}

/** `answer`: understood, but not a lead, such as a wrong field or a visitor who isn't eligible. */
export type Reading = { readonly facts: Facts } | { readonly refusal: Refusal } | { readonly answer: Answer }

export type ReadRequest = (request: HttpRequest) => Promise<Reading>

export function refuse(status: Refusal['status'], message: string, headers: Answer['headers'] = {}): Reading {
  return { refusal: { status, message, headers } }
}

export interface QueryServices {
  readonly isKnown: Availability['isKnown']
  /** Whether our pages ask for a certificate. */
  readonly trustedForm: TrustedFormMode
  /** The hostname in SITE_URL; null when it isn't set. */
  readonly publicName: string | null
  /** Kept from the page's address besides the well-known ones. */
  readonly campaignParameters: readonly string[]
  readonly words: Pick<ServerWords, 'contactMessages' | 'questions' | 'unanswered' | 'formPages'>
  readonly now?: () => number
}

export function createReadQuery(services: QueryServices): ReadRequest {
  const { isKnown, trustedForm, publicName, campaignParameters, words, now = Date.now } = services
  const ownHosts = createOwnHosts(publicName)

  return async ({ header, query, isQueryCut }) => {
    const fields = isQueryCut ? null : parseFields(query)
    if (fields === null) return refuse(414, 'The lead is too long.')
    if (isFromAnotherSite(header)) return refuse(403, 'Only the pages of this site may send leads.')
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await isKnown('consent', consentVersion))) {
      return refuse(403, 'The lead does not say which of our consent texts was shown.')
    }
    const parsed = parseContact(firstValues(fields), new Date(now()).getUTCFullYear())
    if (!parsed.valid)
      return { answer: json(422, { status: 'invalid', errors: inWords(parsed.errors, words.contactMessages) }) }
    // A page from before there was one, or from a build that no server of ours has shown: the lead counts all the same.
    const claimed = header('x-questionnaire-version') ?? ''
    return {
      facts: {
        contact: parsed.contact,
        ...leadSource(header('referer'), ownHosts(header), campaignParameters),
        variant: readVariant(header('x-page-variant'), header('referer')),
        certificate: parseCertificate(fields.getAll(CERTIFICATE_FIELD)),
        trustedForm,
        consentVersion,
        questionnaireVersion: (await isKnown('questionnaire', claimed)) ? claimed : null,
      },
    }
  }
}

/** Our forms have about twenty. Thousands of empty ones would take longer to parse than a lead takes to store. */
const MOST_FIELDS = 64

/** Null when there are too many. */
export function parseFields(text: string): URLSearchParams | null {
  return text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS ? null : new URLSearchParams(text)
}

/** The first one counts where a name comes several times. */
export function firstValues(fields: URLSearchParams): Readonly<Record<string, string>> {
  // Without a prototype: a visitor chooses the names.
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) values[name] ??= value
  return values
}
