/** Reads a lead from the plain form of a page without JavaScript: the answers and the contact fields in one POST. */
import { parseCertificate } from '../../domain/certificate.ts'
import { CERTIFICATE_FIELD, type Contact, contactFields, inWords, parseContact } from '../../domain/lead.ts'
import { isEligible, questionField } from '../../domain/questionnaire.ts'
import { type HttpRequest, html, redirect } from '../http/handler.ts'
import { leadSource, readCampaign, readVariant } from './lead-source.ts'
import { createOwnHosts, type IsOwnHost, isFormOfOwnPage } from './own-pages.ts'
import type { QueryServices } from './query.ts'
import { firstValues, type ReadRequest, type Refusal, refuse } from './reading.ts'

/** The pages that have the form. */
export const formPages = ['/', '/advertorial'] as const
export type FormPage = (typeof formPages)[number]

/** The form as it was sent, to be shown again: what was typed, and what is wrong with it by the name of the field. */
export interface FormState {
  readonly values: Readonly<Partial<Contact>>
  readonly answers: Readonly<Record<string, 'yes' | 'no'>>
  readonly errors: Readonly<Record<string, string>>
  /** For the hidden field `campaign`: the form shown again has an address of its own, without the page's parameters. */
  readonly campaign: string
  /** For the hidden field `variant`. */
  readonly variant: string
}

export interface FormServices extends QueryServices {
  readonly renderForm: (page: FormPage, state: FormState) => string
  /** Of the questions by which answers are judged. */
  readonly questionnaireVersion: string
}

const BODY_LIMIT = 16 * 1024

export function createReadForm(services: FormServices): ReadRequest {
  const {
    knowsConsent,
    publicName,
    campaignParameters,
    words,
    now = Date.now,
    renderForm,
    questionnaireVersion,
  } = services
  const ownHosts = createOwnHosts(publicName)
  const { questions } = words
  const questionNames = questions.map((_, index) => questionField(index + 1))

  return async request => {
    const { header } = request
    const isOwnHost = ownHosts(header)
    if (!isFormOfOwnPage(header, isOwnHost)) return refuse(403, 'Only the pages of this site may send leads.')
    const body = await readBody(request)
    // What was not read is still on its way: the connection must not be used for the next request.
    if (!(body instanceof URLSearchParams)) return refuse(body.status, body.message, { connection: 'close' })

    const fields = firstValues(body)
    const consentVersion = fields['consentVersion'] ?? ''
    if (!(await knowsConsent(consentVersion))) return refuse(403, 'The form does not say which consent text was shown.')

    // Answers to other questions, as in a page from before a change of them, are no answers to these: they are asked anew.
    const answers = fields['questionnaireVersion'] === questionnaireVersion ? readAnswers(questionNames, fields) : {}
    const given = questionNames.map(name => answers[name])
    const unanswered = questionNames.filter(name => answers[name] === undefined)
    // Only after the last question, as with JavaScript. Nothing is kept about a person who is not eligible.
    if (
      unanswered.length === 0 &&
      !isEligible(
        questions,
        given.map(answer => answer === 'yes'),
      )
    ) {
      return { answer: redirect(303, '/decline') }
    }

    const page = formPages.find(each => each === fields['page']) ?? '/'
    const campaign = campaignOf(request, fields, isOwnHost, campaignParameters)
    const variant = readVariant(fields['variant'])
    const parsed = parseContact(
      { ...fields, dateOfBirth: isoDate(fields['dateOfBirth']) },
      new Date(now()).getUTCFullYear(),
    )
    if (!parsed.valid || unanswered.length > 0) {
      const errors = {
        ...Object.fromEntries(unanswered.map(name => [name, words.unanswered])),
        ...(parsed.valid ? {} : inWords(parsed.errors, words.contactMessages)),
      }
      const values = Object.fromEntries(contactFields.map(field => [field, fields[field] ?? '']))
      const state = { values, answers, errors, variant, campaign: new URLSearchParams(campaign).toString() }
      return { answer: html(422, renderForm(page, state)) }
    }

    const certificate = parseCertificate(body.getAll(CERTIFICATE_FIELD))
    // The form has no field for a certificate, and nothing in it asks for one, however the pages are set.
    const trustedForm = 'off'
    return {
      facts: {
        contact: parsed.contact,
        page,
        campaign,
        variant,
        certificate,
        trustedForm,
        consentVersion,
        questionnaireVersion,
      },
    }
  }
}

const tooLong: Refusal = { status: 413, message: 'The form is too long.' }

/** Reads a form-encoded body up to the limit, whatever length it claims to have. */
async function readBody({ header, body }: HttpRequest): Promise<URLSearchParams | Refusal> {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return { status: 415, message: 'The form has the wrong encoding.' }
  if (Number(header('content-length')) > BODY_LIMIT) return tooLong
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Not destroyed when too long, which would cut the connection before the answer is out.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      length += chunk.byteLength
      if (length > BODY_LIMIT) return tooLong
      chunks.push(chunk)
    }
  } catch {
    return { status: 400, message: 'The form did not arrive whole.' }
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function readAnswers(names: readonly string[], fields: Readonly<Record<string, string>>): FormState['answers'] {
  const answers: Record<string, 'yes' | 'no'> = {}
  for (const name of names) {
    const answer = fields[name]
    if (answer === 'yes' || answer === 'no') answers[name] = answer
  }
  return answers
}

/** A browser without a date picker sends what was typed, and Americans type MM/DD/YYYY. */
function isoDate(typed = ''): string {
  return typed.replace(
    /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/,
    (_, month, day, year) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
}

/** From the page's address, or from the form shown again, which carries it along. */
function campaignOf(
  { header }: HttpRequest,
  fields: Readonly<Record<string, string>>,
  isOwnHost: IsOwnHost,
  named: readonly string[],
) {
  const carried = fields['campaign']
  if (carried) return readCampaign(new URLSearchParams(carried), named)
  return leadSource(header('referer'), isOwnHost, named).campaign
}
