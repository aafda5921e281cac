/** What is true in every language: organization.toml, evidence.toml, questions.toml, and reviews.toml. */
import { readCallingHours } from '../../domain/calling/hours.ts'
import { readEmail } from '../../domain/contact/email.ts'
import { telHref } from '../../domain/contact/phone.ts'
import { isCalendarDate } from '../../domain/dates.ts'
import { legalRules } from '../../launch/legal-rules.ts'
import { MARKDOWN_FILES } from '../files.ts'
import {
  boolean,
  choice,
  group,
  hideable,
  inEachLanguage,
  items,
  list,
  maybe,
  namedItems,
  number,
  record,
  sentence,
  text,
  type ValueOf,
  type ValuesOf,
} from './kinds.ts'
import { claimNames, legalPageNames, officeZones } from './texts.ts'

const date = text({
  check: value => (isCalendarDate(value) ? null : 'must be a date such as "2026-12-31"'),
})
const color = text({ check: value => (/^#[0-9a-f]{6}$/i.test(value) ? null : 'must be a color such as "#1e6b4b"') })
const URL_OR_PATH = /^(https?:\/\/[^\s/]+|\/(?![/\\]))\S*$/
const url = text({
  check: value =>
    URL_OR_PATH.test(value) ? null : 'must be an address that starts with https://, or a path that starts with /',
})
/** A picture's own folder is the only place where files come from. */
export const PICTURE = /^[\w-][\w .-]*\.(?:svg|png|jpe?g|avif|webp)$/i
const picture = text({
  check: value =>
    PICTURE.test(value)
      ? null
      : 'must be the name of a file in pictures/, such as "team.jpg": SVG, PNG, JPEG, AVIF, or WebP',
})
const phone = text({
  check: value =>
    /^[\w\s().+-]+$/.test(value) && /^tel:\+1\d{10}$/.test(telHref(value))
      ? null
      : 'must be a number with its area code, such as "833-243-2965"',
})
const email = text({
  check: value => (readEmail(value) === value ? null : 'must be an address such as "help@example.org"'),
})

/** When you call people back, in your office's time. */
const callbacks = group({
  hours: text({
    check: value => {
      const hours = readCallingHours(value)
      return typeof hours === 'string' ? hours : null
    },
  }),
  timeZone: choice(...officeZones),
})
export type Callbacks = ValueOf<typeof callbacks>

export const colorNames = [
  'action',
  'action-dark',
  'sage',
  'mist',
  'paper',
  'card',
  'ink',
  'ink-soft',
  'line',
  'edge',
  'amber',
  'amber-edge',
  'error',
  'error-soft',
] as const
export type Color = (typeof colorNames)[number]

export const pictureNames = ['advocate', 'call', 'papers', 'paths', 'seniors', 'shoulder'] as const

/** Who you are and how to reach you: organization.toml. */
export const organization = {
  format: number,
  'checked-with': maybe(text()),
  name: text(),
  /** In the consent. Without it, the name. */
  legalName: maybe(text()),
  phone,
  email: maybe(email),
  hours: maybe(inEachLanguage(text())),
  address: maybe(list),
  callbacks: maybe(record(['en', 'es'], maybe(callbacks))),
  /** Dates on which nobody works. */
  closed: maybe(list),
  people: namedItems(group({ name: text(), role: inEachLanguage(text()), photo: maybe(picture) })),
  credentials: items(inEachLanguage(text())),
  callsComeFromPhone: boolean,
  takesRelayCalls: boolean,
  languages: list,
  /** For languages besides English. */
  spanish: group({ answeredBy: maybe(text()), stopWord: maybe(text()) }),
  advertorialDate: maybe(date),
  colors: record(colorNames, color),
  logo: picture,
  pictures: record(pictureNames, group({ file: picture, alt: inEachLanguage(sentence()) })),
  /** Official pages that texts link to by name. */
  links: record(null, inEachLanguage(url)),
  socialSecurityPhone: text(),
  /** Legal pages on another site. */
  legal: record(legalPageNames, maybe(record(['en', 'es'], maybe(url)))),
}

const figure = group({
  value: maybe(text()),
  claim: text(),
  source: maybe(text()),
  since: maybe(date),
  until: maybe(date),
  note: maybe(text()),
})

const testimonial = group({
  name: text(),
  text: record(['en', 'es'], maybe(text())),
  sample: boolean,
  permission: maybe(group({ given: date, record: text() })),
})

/** What the site claims, and why that's true: evidence.toml. */
export const evidence = {
  figures: record(null, hideable(figure)),
  claims: record(claimNames, hideable(group({ evidence: maybe(text()) }))),
  testimonials: namedItems(testimonial),
  advertorialQuote: hideable(testimonial),
}

/** The questions, their order, and the ages they ask for: questions.toml. */
export const questions = {
  ages: group({ from: number, to: number }),
  questions: namedItems(group({ required: choice('yes', 'no') })),
}

const review = group({ by: text(), on: date })
const versionReview = group({ by: text(), on: date, version: text() })

/** Who reviewed what: reviews.toml. */
export const reviews = {
  /** Consents and legal pages, by file: `consent.en`. The version is of what was reviewed. */
  texts: record(
    MARKDOWN_FILES.map(file => file.replace(/\.md$/, '')),
    /** `with`: the version in the other language, if someone compared the two. */
    maybe(group({ by: text(), on: date, version: text(), with: maybe(text()) })),
  ),
  /** The version is of all texts in the language. */
  languages: record(['es'], maybe(versionReview)),
  rules: record(Object.keys(legalRules), maybe(review)),
  /** Findings of the launch check that someone has accepted. */
  accepted: record(null, group({ by: text(), on: date, why: text() })),
}

export type OrganizationFile = ValuesOf<typeof organization>
export type EvidenceFile = ValuesOf<typeof evidence>
export type QuestionsFile = ValuesOf<typeof questions>
export type ReviewsFile = ValuesOf<typeof reviews>
