/**
 * Catches errors in content/ that types can't, before a page is built: empty text, phone numbers that can't be dialed,
 * duplicate question IDs, impossible dates, or colors.
 */
import { readCallingHours } from '../../domain/calling/hours.ts'
import { isCalendarDate } from '../../domain/dates.ts'
import { readEmail } from '../../domain/email.ts'
import { telHref } from '../../domain/phone.ts'
import { ORIGINAL, VARIANT_NAME } from '../../domain/variants.ts'

export interface CheckedContent {
  readonly organization: {
    readonly phone: string
    readonly email: string | null
    readonly callbacks: Readonly<Record<string, { readonly hours: string } | null>>
  }
  readonly colors: Readonly<Record<string, string>>
  readonly questions: readonly { readonly id: string; readonly text: string }[]
  readonly figures: Readonly<Record<string, { readonly since: string | null; readonly until: string | null }>>
  readonly testimonials: readonly { readonly name: string; readonly permission?: { readonly given: string } }[]
  /** The advertorial's date. */
  readonly publishedOn: string | null
  readonly headlineVariants: readonly { readonly name: string }[]
  readonly landingPages: readonly { readonly path: string }[]
  /** Paths already used by other pages. */
  readonly takenPaths: readonly string[]
  /** By page and language. */
  readonly legalPagesElsewhere: Readonly<Record<string, Readonly<Record<string, string>> | null>>
  /** The content to check, by file. */
  readonly files: Readonly<Record<string, unknown>>
}

const URL_OR_PATH = /^(https?:\/\/[^\s/]+|\/(?!\/))\S*$/
const COLOR = /^#[0-9a-f]{6}$/i
const QUESTION_ID = /^[A-Za-z][A-Za-z0-9]*$/
const A_DATE = 'a date such as 2026-12-31'

/** Throws a ContentError for the first error. */
export function checkContent(content: CheckedContent): void {
  for (const [file, value] of Object.entries(content.files)) {
    checkText(file, value)
    if (/(?:^|\/)calls\.ts$/.test(file)) checkCallWords(file, value as Readonly<Record<string, string>>)
  }
  checkOrganization(content.organization)
  for (const [name, value] of Object.entries(content.colors)) {
    if (!COLOR.test(value)) throw errorIn('colors.ts', [`'${value}'`], `Expected a color for ${name} such as #1e6b4b.`)
  }
  checkQuestions(content.questions)
  checkDates(content)
  checkVariants(content.headlineVariants)
  checkLandingPages(content)
  for (const [name, urls] of Object.entries(content.legalPagesElsewhere)) {
    if (!Object.values(urls ?? {}).every(href => URL_OR_PATH.test(href))) {
      throw errorIn(
        'links.ts',
        ['legalPagesElsewhere', `${name}:`],
        'Expected a URL that starts with https://, a path that starts with /, or null.',
      )
    }
  }
}

function errorIn(file: string, after: readonly string[], message: string): ContentError {
  return new ContentError(message, { file: `content/${file}`, after })
}

/** Headings, buttons, and questions can't be empty. An empty sentence is fine: the operator removed it on purpose. */
const REQUIRED_KEYS =
  /^(?:name|phone|email|hours|text|question|answer|title|description|shown)$|head(?:ing|line)|cta|button|label/i

function checkText(file: string, value: unknown, key = ''): void {
  if (typeof value === 'string') {
    if (value.trim() === '' && REQUIRED_KEYS.test(key)) {
      throw errorIn(file, [`${key}: '${value}'`], 'This text can’t be empty.')
    }
    if (value.includes(REPLACEMENT)) throw errorIn(file, [REPLACEMENT], 'Save this file as UTF-8.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inside] of Object.entries(value)) checkText(file, inside, name)
  }
}

/** Why we call is for the person alone, not for everyone who picks up or plays a message. In English and Spanish. */
const PRIVATE = /disab|d?iscapaci|incapaci|\bSSDI?\b|social security|seguro social|benefi/i
const HEARD_BY_ANYONE = ['opening', 'voicemail']
const PLACEHOLDERS = ['{agent}', '{name}', '{date}', '{site}']

function checkCallWords(file: string, words: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(words)) {
    const [unknown] = (text.match(/\{\w*\}/g) ?? []).filter(found => !PLACEHOLDERS.includes(found))
    if (unknown) throw errorIn(file, [`${name}:`, unknown], `Expected one of ${PLACEHOLDERS.join(', ')}.`)
    const said = HEARD_BY_ANYONE.includes(name) ? PRIVATE.exec(text)?.[0] : undefined
    if (said !== undefined) {
      throw errorIn(file, [`${name}:`], `Anyone may hear this, so it can’t say why you call: leave out “${said}”.`)
    }
  }
}

/** Node's replacement for bytes that aren't valid UTF-8. */
const REPLACEMENT = '\uFFFD'

function checkOrganization({ phone, email, callbacks }: CheckedContent['organization']): void {
  if (!/^tel:\+1\d{10}$/.test(telHref(phone))) {
    throw errorIn(
      'organization.ts',
      [`phone: '${phone}'`],
      'Expected a number with its area code: ten digits or letters.',
    )
  }
  if (email !== null && readEmail(email) !== email) {
    throw errorIn('organization.ts', [`email: '${email}'`], 'Expected an address such as help@example.org, or null.')
  }
  for (const { hours: text } of Object.values(callbacks).filter(each => each !== null)) {
    const hours = readCallingHours(text)
    if (typeof hours === 'string')
      throw errorIn('organization.ts', ['callbacks:', `hours: '${text}'`], `Callback hours ${hours}.`)
  }
}

function checkQuestions(questions: CheckedContent['questions']): void {
  if (questions.length === 0)
    throw errorIn('questions.ts', ['export const questions'], 'Expected at least one question.')
  const ids = questions.map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    if (!QUESTION_ID.test(id)) {
      throw errorIn('questions.ts', [`id: '${id}'`], 'Expected an ID of letters and digits, such as seesDoctor.')
    }
    if (ids.indexOf(id) < index) {
      const again = [`id: '${id}'`, `'${questions[index]?.text}'`]
      throw errorIn('questions.ts', again, `Expected a unique ID: another question already uses ${id}.`)
    }
  }
}

function checkDates({ figures, testimonials, publishedOn }: CheckedContent): void {
  if (publishedOn !== null && !isCalendarDate(publishedOn))
    throw errorIn('advertorial.ts', ['export const publishedOn'], `Expected ${A_DATE}, or null.`)
  for (const [name, figure] of Object.entries(figures)) {
    for (const field of ['since', 'until'] as const) {
      const day = figure[field]
      if (day !== null && !isCalendarDate(day))
        throw errorIn('figures.ts', [`${name}: {`, `${field}:`], `Expected ${A_DATE}, or null.`)
    }
  }
  for (const { name, permission } of testimonials) {
    if (permission && !isCalendarDate(permission.given)) {
      throw errorIn('testimonials.ts', [`name: '${name}'`, 'given:'], `Expected ${A_DATE}.`)
    }
  }
}

function checkVariants(variants: CheckedContent['headlineVariants']): void {
  const names = variants.map(({ name }) => name)
  const wrong = names.find(
    (name, index) => !VARIANT_NAME.test(name) || name === ORIGINAL || names.indexOf(name) < index,
  )
  if (wrong === undefined) return
  throw errorIn(
    'headline-variants.ts',
    ['headlineVariants', `name: '${wrong}'`],
    `Expected a unique name of up to 20 lowercase letters, digits, and dashes, other than “${ORIGINAL}”.`,
  )
}

const PATH = /^\/[a-z0-9]+(?:-[a-z0-9]+)*$/
/** What the server answers itself, the folders of other languages and variants, and the files of pages without a path. */
const OWN_NAMES =
  /^\/(api|assets|healthz|readyz|variants|[a-z]{2}|index|error|not-found|plain-form|submission-error|stop-(form|done|error))$/
function checkLandingPages({ landingPages, takenPaths }: CheckedContent): void {
  const paths = landingPages.map(({ path }) => path)
  const wrong = paths.find(
    (path, index) =>
      !PATH.test(path) || OWN_NAMES.test(path) || takenPaths.includes(path) || paths.indexOf(path) < index,
  )
  if (wrong === undefined) return
  throw errorIn(
    'landing-pages.ts',
    [`path: '${wrong}'`],
    'Expected a path such as /veterans: lowercase letters, digits, and dashes, not already used by another page.',
  )
}

export interface ContentLocation {
  /** Relative to the project folder. */
  readonly file: string
  /** Strings to search for, in order; the last match is the line to report. */
  readonly after: readonly string[]
}

/** An error in content/ that types can't catch. The build reports it with its file and line. */
export class ContentError extends Error {
  override readonly stack = ''
  readonly location: ContentLocation

  constructor(message: string, location: ContentLocation) {
    super(message)
    this.name = 'ContentError'
    this.location = location
  }
}
