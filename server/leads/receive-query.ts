/** A lead from the pages' script: the contact fields as a query string, the consent's version as a header. */
import { contactMessages } from '../../content/contact-form.ts'
import { parseCertificate } from '../../domain/certificate.ts'
import { CERTIFICATE_FIELD, inWords, parseContact } from '../../domain/lead.ts'
import { json } from '../http/handler.ts'
import type { KnowsConsent } from './consents.ts'
import { leadSource } from './lead-source.ts'
import { createOwnHosts, isFromAnotherSite } from './own-pages.ts'
import { firstValues, type ReceiveLead } from './received.ts'
import { createSubmit, type SubmitServices } from './submit.ts'

export interface ReceiveQueryServices extends SubmitServices {
  readonly knowsConsent: KnowsConsent
  /** The public address of the site. */
  readonly siteUrl: string
  readonly now?: () => number
}

export function createReceiveQuery(services: ReceiveQueryServices): ReceiveLead {
  const { knowsConsent, siteUrl, now = Date.now } = services
  const submit = createSubmit(services)
  const ownHosts = createOwnHosts(siteUrl)

  return async (request, refuse) => {
    const { header } = request
    if (isFromAnotherSite(header)) return refuse(403, 'Only the pages of this site may send leads.')
    const consentVersion = header('x-consent-version') ?? ''
    if (!(await knowsConsent(consentVersion))) {
      return refuse(403, 'The lead does not say which of our consent texts was shown.')
    }
    const fields = new URLSearchParams(request.query)
    const parsed = parseContact(firstValues(fields), new Date(now()).getUTCFullYear())
    if (!parsed.valid) return json(422, { status: 'invalid', errors: inWords(parsed.errors, contactMessages) })

    const refusal = await submit(
      {
        contact: parsed.contact,
        ...leadSource(header('referer'), ownHosts(header)),
        certificate: parseCertificate(fields.getAll(CERTIFICATE_FIELD)),
        consentVersion,
      },
      request,
      refuse,
    )
    return refusal ?? json(202, { status: 'accepted' })
  }
}
