/** Reads a lead from the pages' script: the contact fields as a query string, the consent's version as a header. */
import { parseCertificate } from '../../domain/certificate.ts'
import { CERTIFICATE_FIELD, inWords, parseContact, type TrustedFormMode } from '../../domain/lead.ts'
import { json } from '../http/handler.ts'
import type { ServerWords } from '../http/site-manifest.ts'
import type { KnowsVersion } from './known-versions.ts'
import { leadSource, readVariant } from './lead-source.ts'
import { createOwnHosts, isFromAnotherSite } from './own-pages.ts'
import { firstValues, type ReadRequest, refuse } from './reading.ts'

export interface QueryServices {
  readonly knowsConsent: KnowsVersion
  readonly knowsQuestionnaire: KnowsVersion
  /** Whether our pages ask for a certificate. */
  readonly trustedForm: TrustedFormMode
  /** The name in the public address of the site; null when the operator has set none. */
  readonly publicName: string | null
  /** Kept of the page's address besides those that are known. */
  readonly campaignParameters: readonly string[]
  readonly words: Pick<ServerWords, 'contactMessages' | 'questions' | 'unanswered'>
  readonly now?: () => number
}

export function createReadQuery(services: QueryServices): ReadRequest {
  const {
    knowsConsent,
    knowsQuestionnaire,
    trustedForm,
    publicName,
    campaignParameters,
    words,
    now = Date.now,
  } = services
  const ownHosts = createOwnHosts(publicName)

  return async ({ header, query }) => {
    if (isFromAnotherSite(header)) return refuse(403, 'Only the pages of this site may send leads.')
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await knowsConsent(consentVersion))) {
      return refuse(403, 'The lead does not say which of our consent texts was shown.')
    }
    const fields = new URLSearchParams(query)
    const parsed = parseContact(firstValues(fields), new Date(now()).getUTCFullYear())
    if (!parsed.valid)
      return { answer: json(422, { status: 'invalid', errors: inWords(parsed.errors, words.contactMessages) }) }
    const certificate = parseCertificate(fields.getAll(CERTIFICATE_FIELD))
    const source = leadSource(header('referer'), ownHosts(header), campaignParameters)
    // A page from before there was one, or from a build that no server of ours has shown: the person counts all the same.
    const claimed = header('x-questionnaire-version') ?? ''
    const questionnaireVersion = (await knowsQuestionnaire(claimed)) ? claimed : null
    const variant = readVariant(header('x-page-variant'))
    const seen = { consentVersion, questionnaireVersion, variant }
    return { facts: { contact: parsed.contact, ...source, ...seen, certificate, trustedForm } }
  }
}
