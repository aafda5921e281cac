/**
 * The single description of each contact field. Both forms, validation, the draft, the lead's query string, storage,
 * exports, and the webhook derive from it. To add a field, add it here, with a label for visitors in
 * content/en.toml and one for the call team in `contactLabels`.
 */
import { type DatePart, datePartName, dateParts } from '../dates.ts'
import { EMAIL_MAX_LENGTH } from './email.ts'
import { PHONE_MAX_LENGTH } from './phone.ts'

interface Described {
  /** The error when the field is empty. A field without one is optional. */
  readonly required?: string
  readonly maxLength: number
  readonly autoComplete: string
  /** Whether drafts include it. The computer may be shared. */
  readonly inDraft: boolean
  /** The question about a value that's valid but probably wrong (domain/contact/plausibility.ts). */
  readonly doubtful?: string
}

/** The error when the text is too long. */
interface FreeText {
  readonly tooLong: string
}

/** The error when the value isn't a valid email, phone number, or adult's date of birth. */
interface Checked {
  readonly invalid: string
}

/** The error when a phone number is in another country. */
interface FromTheUs {
  readonly foreign: string
}

/** The error when there is no such date. */
interface BirthDate {
  readonly impossible: string
}

export type FieldDescription = Described &
  (
    | ({ readonly kind: 'text' } & FreeText)
    | ({ readonly kind: 'email' } & FreeText & Checked)
    | ({ readonly kind: 'phone' } & Checked & FromTheUs)
    | ({ readonly kind: 'date' } & Checked & BirthDate)
  )

const name = {
  kind: 'text',
  maxLength: 100,
  tooLong: 'nameTooLong',
  doubtful: 'nameDoubtful',
  inDraft: true,
} as const

/** In the same order as the form and the query string. */
export const fieldDescriptions = {
  firstName: { ...name, required: 'firstNameRequired', autoComplete: 'given-name' },
  lastName: { ...name, required: 'lastNameRequired', autoComplete: 'family-name' },
  dateOfBirth: {
    kind: 'date',
    required: 'dateOfBirthRequired',
    maxLength: 10,
    invalid: 'ageOutOfBounds',
    impossible: 'dateImpossible',
    doubtful: 'ageContradictory',
    autoComplete: 'bday',
    inDraft: false,
  },
  email: {
    kind: 'email',
    required: 'emailRequired',
    maxLength: EMAIL_MAX_LENGTH,
    tooLong: 'emailTooLong',
    invalid: 'emailInvalid',
    doubtful: 'emailDoubtful',
    autoComplete: 'email',
    inDraft: true,
  },
  phone: {
    kind: 'phone',
    required: 'phoneRequired',
    maxLength: PHONE_MAX_LENGTH,
    invalid: 'phoneInvalid',
    foreign: 'phoneForeign',
    doubtful: 'phoneDoubtful',
    autoComplete: 'tel',
    inDraft: true,
  },
} as const satisfies Readonly<Record<string, FieldDescription>>

type Descriptions = typeof fieldDescriptions
type CodeOf<Description> = Description extends unknown
  ? Extract<Description[keyof Description & keyof ErrorCodes], string>
  : never

export type ContactField = keyof Descriptions
export type RequiredField = {
  [Field in ContactField]: Descriptions[Field] extends { readonly required: string } ? Field : never
}[ContactField]
export const contactFields = Object.keys(fieldDescriptions) as readonly ContactField[]

/** The fields' error codes. content/en.toml has the messages. */
export type ContactErrorCode = CodeOf<Descriptions[ContactField]>

interface ErrorCodes {
  readonly required?: ContactErrorCode
  readonly tooLong?: ContactErrorCode
  readonly invalid?: ContactErrorCode
  readonly foreign?: ContactErrorCode
  readonly impossible?: ContactErrorCode
  readonly doubtful?: ContactErrorCode
}

export const describeField = (field: ContactField): Described & ErrorCodes & Pick<FieldDescription, 'kind'> =>
  fieldDescriptions[field]

const types = { text: 'text', email: 'email', phone: 'tel', date: 'text' } as const
const keyboards = { text: 'text', email: 'email', phone: 'tel', date: 'numeric' } as const

/** Attributes for a field's input, with and without JavaScript. */
export function inputAttributes(field: ContactField) {
  const { kind, autoComplete, required, tooLong, maxLength } = describeField(field)
  return {
    name: field,
    type: types[kind],
    inputMode: keyboards[kind],
    autoComplete,
    // Not allowed on email inputs, which are never capitalized anyway.
    autoCapitalize: kind === 'email' ? undefined : kind === 'text' ? 'words' : 'none',
    spellCheck: false,
    required: required !== undefined,
    // Without an error message for text that's too long, the browser enforces the limit.
    maxLength: tooLong ? undefined : maxLength,
  } as const
}

/** Attributes for a date's Month, Day, or Year box. */
export function datePartAttributes(field: ContactField, part: DatePart) {
  const attributes = inputAttributes(field)
  return {
    ...attributes,
    name: datePartName(field, part),
    autoComplete: `${attributes.autoComplete}-${part}`,
    // The first box also takes a month's name or a whole date.
    maxLength: part === 'year' ? 4 : part === 'day' ? 2 : undefined,
  } as const
}

/** Names of the form inputs. A date has three. Marked pure, so it's dropped from the browser bundle, which doesn't use it. */
export const contactInputNames: readonly string[] = /* @__PURE__ */ contactFields.flatMap(field =>
  describeField(field).kind === 'date' ? dateParts.map(part => datePartName(field, part)) : field,
)

/** For the call team: in the desk, the CLI, and the contact record. */
export const contactLabels: Readonly<Record<ContactField, string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  dateOfBirth: 'Date of birth',
  email: 'Email',
  phone: 'Phone number',
}

/** For a stored name: a field may have been removed since. */
export const fieldLabel = (stored: string): string =>
  Object.hasOwn(contactLabels, stored) ? contactLabels[stored as ContactField] : stored

export interface ContactFact {
  readonly label: string
  readonly value: string
}

/** The optional fields this person filled in, to show after the required ones. */
export function optionalFacts(contact: Readonly<Partial<Record<ContactField, string | null>>>): readonly ContactFact[] {
  return contactFields.flatMap(field => {
    const value = contact[field]
    return describeField(field).required || !value ? [] : [{ label: contactLabels[field], value }]
  })
}
