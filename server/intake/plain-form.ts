/**
 * The no-JavaScript form sends answers and contact fields in one POST. If something is missing, we show the form again with
 * errors and everything the visitor typed, using a template from the build (site/static/plain-form.tsx).
 */

import {
  type ContactField,
  contactFields,
  contactInputNames,
  describeField,
} from '../../domain/contact/contact-fields.ts'
import { EMAIL_MAX_LENGTH } from '../../domain/contact/email.ts'
import { suggestEmail } from '../../domain/contact/email-suggestion.ts'
import { doubtsAbout, unconfirmed } from '../../domain/contact/plausibility.ts'
import { parseContact } from '../../domain/contact/read-contact.ts'
import { datePartName, wrongDateParts } from '../../domain/dates.ts'
import { ENGLISH, languageOfQuery, pathInLanguage } from '../../domain/languages.ts'
import { parseCertificate } from '../../domain/leads/certificate.ts'
import { CERTIFICATE_FIELD, type Contact, type ContactErrors, errorMessages } from '../../domain/leads/lead.ts'
import { isEligible, questionField } from '../../domain/visits/questionnaire.ts'
import { createClientAddress } from '../http/client-address.ts'
import { type HttpRequest, html, redirect, TEXT_LIMIT } from '../http/handler.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import { readText } from '../http/request-body.ts'
import { copyIn, type LanguageCopy } from '../http/site-manifest.ts'
import type { Config } from '../settings/config.ts'
import {
  createOwnHosts,
  firstValues,
  isFromOwnPage,
  leadSource,
  parseFields,
  type ReaderServices,
  type ReadRequest,
  type Refusal,
  readCampaign,
  readVariant,
  refuse,
  UNSTORABLE,
  withCampaign,
} from './lead-request.ts'
import { shownAgainLimits } from './limits.ts'

/** The form as submitted, so we can show it again. */
export interface FormState {
  readonly page: string
  readonly values: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, 'yes' | 'no'>>
  /** Keyed by field name. */
  readonly errors: Readonly<Record<string, string>>
  /** Hidden fields, because the redisplayed form's URL doesn't have the page's parameters. */
  readonly campaign: string
  readonly variant: string
  /** The values that the form asks about (domain/contact/plausibility.ts), as a query string. If they're sent again, they're right. */
  readonly asked: string
  /** Boxes of the date that need correcting, by input name. */
  readonly wrongBoxes: readonly string[]
}

/** Counts the forms that are shown again. Returns when the client may try again, in seconds; null if it may see the form now. */
export function createShownAgain({ trustProxy }: Pick<Config, 'trustProxy'>) {
  const clientAddress = createClientAddress(trustProxy)
  const limit = createRateLimit(shownAgainLimits)
  return ({ socketAddress, header }: HttpRequest): number | null => {
    const verdict = limit.count(clientAddress(socketAddress, header('x-forwarded-for')))
    return verdict.kind === 'refuse' ? verdict.retryAfterSeconds : null
  }
}

export type RenderForm = (state: FormState, language: string) => string

/** No field allows more. Without a limit, 16 KB of `<` would turn into 110 KB of HTML. */
const ECHO_LIMIT = EMAIL_MAX_LENGTH

interface FormServices extends ReaderServices {
  readonly config: ReaderServices['config'] & Pick<Config, 'trustProxy'>
}

export function createReadForm(services: FormServices, renderForm: RenderForm): ReadRequest {
  const { config, site, availability, now } = services
  const shownAgain = createShownAgain(config)
  const ownHosts = createOwnHosts(config.publicHostname)

  return async request => {
    const { header, query, isQueryTruncated } = request
    const language = languageOfQuery(query)
    const { copy: words } = site()
    const copy = copyIn(words, language)
    const questionNames = copy.questions.map((_, index) => questionField(index + 1))
    const shown = availability.shown()
    const questionnaireVersion = (shown.get(language) ?? shown.get(ENGLISH))?.questionnaire ?? ''
    if (isQueryTruncated) return refuse(414, 'The URL is too long.')
    const isOwnHost = ownHosts(header)
    if (!isFromOwnPage(header, isOwnHost)) return refuse(403, 'Leads can only be sent from this site’s pages.')
    const body = await readBody(request)
    // The rest of the body may still be arriving, so the connection can't be reused.
    if (!(body instanceof URLSearchParams)) return refuse(body.status, body.message, { connection: 'close' })

    const fields = firstValues(body)
    const consentVersion = fields['consentVersion'] ?? ''
    if (!(await availability.isKnown('consent', consentVersion))) {
      return refuse(403, 'The consent version is missing or unknown.')
    }

    // A redisplayed form has the campaign in a hidden field.
    const hiddenCampaign = fields['campaign']
    const campaign = hiddenCampaign
      ? readCampaign(hiddenCampaign, config.campaignParameters)
      : leadSource(header('referer'), isOwnHost, config.campaignParameters).campaign

    // Answers from a page with older questions don't count, so ask again.
    const isCurrent = fields['questionnaireVersion'] === questionnaireVersion
    const answered = questionNames.filter(name => isCurrent && /^(yes|no)$/.test(fields[name] ?? ''))
    const answers: FormState['answers'] = Object.fromEntries(answered.map(name => [name, fields[name] as 'yes' | 'no']))
    const unanswered = questionNames.filter(name => !answered.includes(name))
    const given = questionNames.map(name => answers[name] === 'yes')
    // Decline only after the last question, as with JavaScript. Nothing is stored about people who aren't eligible.
    if (unanswered.length === 0 && !isEligible(copy.questions, given)) {
      return { response: redirect(303, withCampaign(pathInLanguage(language, '/decline'), campaign)) }
    }

    const page = words.formPages.find(each => each === fields['page']) ?? pathInLanguage(language, '/')
    const variant = readVariant(fields['variant'], header('referer'))
    const today = new Date(now())
    const parsed = parseContact(fields, today.getUTCFullYear())
    const doubts = parsed.valid ? doubtsAbout(parsed.contact, words.ages, today) : {}
    const askedBefore = readAsked(fields['asked'] ?? '')
    const contactErrors: ContactErrors = parsed.valid ? unconfirmed(doubts, parsed.contact, askedBefore) : parsed.errors
    if (!parsed.valid || unanswered.length > 0 || Object.keys(contactErrors).length > 0) {
      const waitSeconds = shownAgain(request)
      if (waitSeconds !== null) return refuse(429, 'Too many forms with errors.', { 'retry-after': `${waitSeconds}` })
      const errors: Record<string, string> = {
        ...Object.fromEntries(unanswered.map(name => [name, copy.unanswered])),
        ...errorMessages(contactErrors, copy.contactMessages),
      }
      if (contactErrors.email === 'emailDoubtful') errors['email'] += ` ${suggestionFor(fields['email'] ?? '', copy)}`
      const typed = (name: string) => (fields[name] ?? '').slice(0, ECHO_LIMIT).toWellFormed()
      const values = Object.fromEntries(contactInputNames.map(name => [name, typed(name)]))
      const wrongParts = contactErrors.dateOfBirth ? wrongDateParts(fields, 'dateOfBirth', today.getUTCFullYear()) : []
      const wrongBoxes = wrongParts.map(part => datePartName('dateOfBirth', part))
      const doubtful = Object.keys(parsed.valid ? doubts : askedBefore) as ContactField[]
      const asked = valuesOf(parsed.valid ? parsed.contact : askedBefore, doubtful)
      const hidden = { variant, campaign: new URLSearchParams(campaign).toString(), asked }
      return { response: html(422, renderForm({ page, values, answers, errors, wrongBoxes, ...hidden }, language)) }
    }

    return {
      confirmed: Object.keys(doubts),
      facts: {
        contact: parsed.contact,
        page,
        campaign,
        variant,
        certificate: parseCertificate(body.getAll(CERTIFICATE_FIELD)),
        // Certificates need JavaScript.
        trustedForm: 'off',
        consentVersion,
        questionnaireVersion,
        language: availability.languageOf(consentVersion) ?? language,
      },
    }
  }
}

function suggestionFor(email: string, { didYouMean }: LanguageCopy): string {
  return didYouMean.replace('{}', suggestEmail(email.trim())?.split('@').at(-1) ?? '')
}

function valuesOf(contact: Partial<Contact>, names: readonly ContactField[]): string {
  return new URLSearchParams(names.map(name => [name, contact[name] ?? ''])).toString()
}

/** Visitors can change what a hidden field says. */
function readAsked(text: string): Partial<Contact> {
  const values = firstValues(new URLSearchParams(text.slice(0, TEXT_LIMIT)))
  const names = contactFields.filter(name => values[name])
  return Object.fromEntries(names.map(name => [name, values[name]?.slice(0, describeField(name).maxLength)]))
}

export async function readBody(request: HttpRequest): Promise<URLSearchParams | Refusal> {
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return { status: 415, message: 'The form has the wrong encoding.' }
  const text = await readText(request)
  if (typeof text !== 'string') return text
  const fields = parseFields(text)
  if (fields === 400) return { status: 400, message: UNSTORABLE }
  return fields === 413 ? { status: 413, message: 'The form is too long.' } : fields
}

/** Text to fill in, a radio button to check, or the error summary. */
const SLOT = /\{\{([\w:-]+)\}\}| data-slot="checked:([\w-]+):(yes|no)"| data-slot="summary">/g

export function createFormPage(template: string, questions: LanguageCopy['questions']): (state: FormState) => string {
  /** Links in the summary need distinct labels, not "Please answer" six times. */
  const questionOf = (field: string) => questions.find((_, index) => field === questionField(index + 1))?.text
  return ({ page, values, answers, errors, wrongBoxes, ...hidden }) => {
    const slots: Record<string, string> = { page, ...hidden }
    for (const [name, value] of Object.entries(values)) slots[`value:${name}`] = value
    for (const name of contactInputNames) slots[`invalid:${name}`] = String(name in errors || wrongBoxes.includes(name))
    for (const [field, message] of Object.entries(errors)) slots[`error:${field}`] = message
    const summary = Object.entries(errors).map(
      ([field, message]) =>
        `<li><a class="underline" href="#field-${field}">${escapeHtml(questionOf(field) ?? message)}</a></li>`,
    )
    // In one pass, so text from visitors is never treated as a slot.
    return template.replace(SLOT, (_, text, question, answer) => {
      if (text !== undefined) return escapeHtml(slots[text] ?? '')
      if (question !== undefined) return answers[question] === answer ? ' checked=""' : ''
      return `>${summary.join('')}`
    })
  }
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}
