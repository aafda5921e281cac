import fc from 'fast-check'
import { expect, test } from 'vitest'
import { words } from '../../site-folder/site.ts'
import { anyCharacter } from '../../tests/support/any-character.ts'
import { type ContactField, fieldDescriptions } from '../contact/contact-fields.ts'
import { parseContact } from '../contact/read-contact.ts'
import { CERTIFICATE_FIELD, errorMessages, leadQuery } from './lead.ts'

const { contactMessages } = words.en

const YEAR = 2026
const valid = {
  firstName: 'Ana',
  lastName: 'Smith',
  dateOfBirth: '1965-03-09',
  email: 'ana@example.org',
  phone: '(555) 234-5678',
}
const messageFor = (field: ContactField, value: unknown) => {
  const parsed = parseContact({ ...valid, [field]: value }, YEAR)
  return parsed.valid ? null : errorMessages(parsed.errors, contactMessages)[field]
}

test('a complete contact is valid, trimmed, and normalized', () => {
  const typed = { ...valid, firstName: '  Ana ', phone: '555 234 5678', extra: 'ignored' }
  expect(parseContact(typed, YEAR)).toMatchObject({ valid: true, contact: valid })
})

test('every missing field has its own error code', () => {
  const errors = Object.fromEntries(Object.keys(valid).map(field => [field, `${field}Required`]))
  expect(parseContact({}, YEAR)).toEqual({ valid: false, errors })
})

test('length messages state the real limits', () => {
  expect(contactMessages.nameTooLong).toContain(` ${fieldDescriptions.firstName.maxLength} `)
  expect(contactMessages.emailTooLong).toContain(` ${fieldDescriptions.email.maxLength} `)
})

const each = (field: ContactField, values: readonly unknown[], message: string) =>
  values.map(value => [field, value, message] as const)

test.each<readonly [ContactField, unknown, string | null]>([
  ...each('firstName', ['', ' \t\u00a0\n', '\u200b'], contactMessages.firstNameRequired),
  ...each('firstName', ['\u00ad \u2060\ufeff\u3164\u{e0020}'], contactMessages.firstNameRequired),
  ['firstName', '\u200bx', null],
  ['firstName', 'x', null],
  ['firstName', 'x'.repeat(100), null],
  ['firstName', 'x'.repeat(101), contactMessages.nameTooLong],
  ['lastName', '   ', contactMessages.lastNameRequired],
  ['lastName', 'O’Brien-Núñez', null],
  ['dateOfBirth', '', contactMessages.dateOfBirthRequired],
  ...each('dateOfBirth', ['yesterday', '1970-02-30', '1970-13-13', '275760-09-13'], contactMessages.dateImpossible),
  ['dateOfBirth', '2009-01-01', contactMessages.ageOutOfBounds], // 17
  ['dateOfBirth', '2008-12-31', null], // 18 by calendar years
  ['dateOfBirth', '1906-01-01', null], // 120
  ...each('dateOfBirth', ['1905-12-31', '1890-01-01', '0001-01-01'], contactMessages.ageOutOfBounds), // 121 and older
  ['dateOfBirth', '9999-12-31', contactMessages.ageOutOfBounds],
  ['email', '', contactMessages.emailRequired],
  ...each('email', ['ana', 'ana@example', 'ana smith@example.org', 'ana@@example.org'], contactMessages.emailInvalid),
  ['email', ' ana@example.org ', null],
  ['email', `${'x'.repeat(243)}@example.org`, contactMessages.emailTooLong],
  ['phone', '', contactMessages.phoneRequired],
  ['phone', '555-234-567', contactMessages.phoneInvalid], // 9
  ['phone', '5552345678', null], // 10
  ['phone', '55523456789', contactMessages.phoneInvalid], // 11
  ...each('phone', ['+1 555-234-567', '1-555-234-567', '555 234 5678 9012'], contactMessages.phoneInvalid),
  ...each('phone', ['+44 20 7946 0958', '011 44 20 7946 0958', '+52 55 1234 5678'], contactMessages.phoneForeign),
  // Hostile input.
  ...each('firstName', [['Ana'], { toString: 'Ana' }, 7, null, undefined], contactMessages.firstNameRequired),
])('%s %j → %j', (field, value, message) => expect(messageFor(field, value)).toBe(message))

test('every character passes through unchanged, except control characters and lone surrogates', () => {
  for (const lastName of ['<script>alert(1)</script>', '🙂👩‍👩‍👧', 'שלום', '=HYPERLINK("x")', "Robert'); DROP TABLE"]) {
    expect(parseContact({ ...valid, lastName }, YEAR)).toMatchObject({ valid: true, contact: { lastName } })
  }
  const parsed = parseContact({ ...valid, firstName: 'A\u0000n\ud800a' }, YEAR)
  expect(parsed).toMatchObject({ valid: true, contact: { firstName: 'A n\ufffda' } })
  fc.assert(fc.property(fc.object(), input => void parseContact(input as Record<string, unknown>, YEAR)))
})

test('the query has the fields in the contract’s order, and a certificate only if there is one', () => {
  const query = 'firstName=Ana&lastName=Smith&dateOfBirth=1965-03-09&email=ana%40example.org&phone=%28555%29+234-5678'
  expect(leadQuery(valid)).toBe(query)
  expect(leadQuery(valid, '')).toBe(query)
  expect(leadQuery(valid, 'https://cert.example/1')).toBe(
    `${query}&${CERTIFICATE_FIELD}=https%3A%2F%2Fcert.example%2F1`,
  )
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), firstName => {
      expect(new URLSearchParams(leadQuery({ ...valid, firstName })).get('firstName')).toBe(firstName)
    }),
  )
})

test('accepts a date of birth in three parts', () => {
  const { dateOfBirth, ...others } = valid
  const parts = { 'dateOfBirth-month': '3', 'dateOfBirth-day': '9', 'dateOfBirth-year': '1965' }
  expect(parseContact({ ...others, ...parts }, YEAR)).toMatchObject({ valid: true, contact: valid })
  const errors = { dateOfBirth: 'dateOfBirthRequired' }
  expect(parseContact({ ...others, ...parts, 'dateOfBirth-day': '' }, YEAR)).toEqual({ valid: false, errors })
})
