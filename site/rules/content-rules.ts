/**
 * Checks of content/ beyond its types, before a page is built: empty texts, phone numbers that can't be dialed, duplicate
 * question ids, impossible dates.
 */
import { isDay } from '../../domain/dates.ts'
import { telHref } from '../../domain/phone.ts'
import { ORIGINAL, VARIANT_NAME } from '../../domain/variants.ts'

export interface CheckedContent {
  readonly organization: { readonly phone: string; readonly email: string | null }
  readonly questions: readonly { readonly id: string; readonly text: string }[]
  readonly figures: Readonly<Record<string, { readonly since: string | null; readonly until: string | null }>>
  readonly testimonials: readonly { readonly name: string; readonly permission?: { readonly given: string } }[]
  readonly headlineVariants: readonly { readonly name: string }[]
  readonly landingPages: readonly { readonly path: string }[]
  /** Of all other pages. */
  readonly takenPaths: readonly string[]
  readonly legalPagesElsewhere: Readonly<Record<string, string | null>>
  /** The content to check, by file. */
  readonly texts: Readonly<Record<string, unknown>>
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const ADDRESS = /^(https?:\/\/[^\s/]+|\/(?!\/))\S*$/
const QUESTION_ID = /^[A-Za-z][A-Za-z0-9]*$/
const A_DAY = 'a day, as in 2026-12-31'

/** Throws a ContentFault for the first mistake. */
export function checkContent(content: CheckedContent): void {
  for (const [file, value] of Object.entries(content.texts)) refuseEmptyTexts(file, value)
  checkOrganization(content.organization)
  checkQuestions(content.questions)
  checkDays(content)
  checkVariants(content.headlineVariants)
  checkLandingPages(content)
  for (const [name, href] of Object.entries(content.legalPagesElsewhere)) {
    if (href !== null && !ADDRESS.test(href)) {
      throw fault(
        'links.ts',
        ['legalPagesElsewhere', `${name}:`],
        'Expected an address that begins with https://, or null.',
      )
    }
  }
}

function fault(file: string, after: readonly string[], message: string): ContentFault {
  return new ContentFault(message, { file: `content/${file}`, after })
}

/**
 * Headings, buttons and questions must not be empty. An empty sentence is fine: the operator removed it on purpose.
 */
const NEEDED =
  /^(?:name|phone|email|hours|text|question|answer|title|description|shown)$|head(?:ing|line)|cta|button|label/i

function refuseEmptyTexts(file: string, value: unknown, key = ''): void {
  if (typeof value === 'string') {
    if (value.trim() === '' && NEEDED.test(key)) {
      throw fault(file, [`${key}: '${value}'`], 'Expected a text: this one is empty.')
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  for (const [name, inside] of Object.entries(value)) refuseEmptyTexts(file, inside, name)
}

function checkOrganization({ phone, email }: CheckedContent['organization']): void {
  if (!/^tel:\+1\d{10}$/.test(telHref(phone))) {
    throw fault(
      'organization.ts',
      [`phone: '${phone}'`],
      'Expected a number with its area code: ten digits or letters.',
    )
  }
  if (email !== null && !EMAIL.test(email)) {
    throw fault('organization.ts', [`email: '${email}'`], 'Expected an address such as help@example.org, or null.')
  }
}

function checkQuestions(questions: CheckedContent['questions']): void {
  if (questions.length === 0) throw fault('questions.ts', ['export const questions'], 'Expected a question at least.')
  const ids = questions.map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    if (!QUESTION_ID.test(id)) {
      throw fault('questions.ts', [`id: '${id}'`], 'Expected an id of letters and digits, such as seesDoctor.')
    }
    if (ids.indexOf(id) < index) {
      const again = [`id: '${id}'`, `'${questions[index]?.text}'`]
      throw fault('questions.ts', again, `Expected an id of its own: another question is called ${id}, too.`)
    }
  }
}

function checkDays({ figures, testimonials }: CheckedContent): void {
  for (const [name, figure] of Object.entries(figures)) {
    for (const field of ['since', 'until'] as const) {
      const day = figure[field]
      if (day !== null && !isDay(day))
        throw fault('figures.ts', [`${name}: {`, `${field}:`], `Expected ${A_DAY}, or null.`)
    }
  }
  for (const { name, permission } of testimonials) {
    if (permission && !isDay(permission.given)) {
      throw fault('testimonials.ts', [`name: '${name}'`, 'given:'], `Expected ${A_DAY}.`)
    }
  }
}

function checkVariants(variants: CheckedContent['headlineVariants']): void {
  const names = variants.map(({ name }) => name)
  const wrong = names.find(
    (name, index) => !VARIANT_NAME.test(name) || name === ORIGINAL || names.indexOf(name) < index,
  )
  if (wrong === undefined) return
  throw fault(
    'landing.ts',
    ['headlineVariants', `name: '${wrong}'`],
    `Expected a name of up to 20 small letters, digits and dashes that is not “${ORIGINAL}” and is given once.`,
  )
}

const PATH = /^\/[a-z0-9]+(?:-[a-z0-9]+)*$/
function checkLandingPages({ landingPages, takenPaths }: CheckedContent): void {
  const paths = landingPages.map(({ path }) => path)
  const wrong = paths.find(
    (path, index) => !PATH.test(path) || takenPaths.includes(path) || paths.indexOf(path) < index,
  )
  if (wrong === undefined) return
  throw fault(
    'landing-pages.ts',
    [`path: '${wrong}'`],
    'Expected an address such as /veterans: lower-case letters, digits, and dashes, and not the address of another page.',
  )
}

export interface FaultPlace {
  /** Relative to the project's folder. */
  readonly file: string
  /** Texts that lead to the line, each searched for after the previous one. */
  readonly after: readonly string[]
}

/** A mistake in content/ that types can't catch. The build reports it with file, line, and what was expected. */
export class ContentFault extends Error {
  readonly place: FaultPlace

  constructor(message: string, place: FaultPlace) {
    super(message)
    this.name = 'ContentFault'
    this.place = place
  }
}
