import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editPhone, formatPhone, PHONE_MAX_LENGTH, phoneDigits, telHref } from './phone.ts'

describe('formatting', () => {
  test.each([
    ['', ''],
    ['5', '(5'],
    ['555', '(555'],
    ['5552', '(555) 2'],
    ['555234', '(555) 234'],
    ['5552345', '(555) 234-5'],
    ['5552345678', '(555) 234-5678'],
    ['555234567890', '(555) 234-5678'],
    ['+1 (555) 234-5678', '(555) 234-5678'],
    ['1-555-234-5678', '(555) 234-5678'],
    ['1234567890', '(123) 456-7890'],
    ['555.234.5678 ext', '(555) 234-5678'],
    ['letters only', ''],
  ])('%j becomes %j', (input, expected) => expect(formatPhone(input)).toBe(expected))

  test('is idempotent, fits the field, and keeps the digits, with the caret inside the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (input, position) => {
        const { value, caret } = editPhone(input, Math.min(position, input.length))
        expect(caret >= 0 && caret <= value.length).toBe(true)
        const formatted = formatPhone(input)
        expect(formatPhone(formatted)).toBe(formatted)
        expect(formatted.length).toBeLessThanOrEqual(PHONE_MAX_LENGTH)
        expect(phoneDigits(formatted)).toBe(phoneDigits(input))
      }),
    )
  })
})

test.each([
  ['833-243-2965', 'tel:+18332432965'],
  ['(833) 243-2965', 'tel:+18332432965'],
  ['+1 833.243.2965', 'tel:+18332432965'],
  ['1-800-FLOWERS', 'tel:+18003569377'],
  ['800-Pay-Quiz', 'tel:+18007297849'],
])('%s is dialed as %s', (shown, href) => expect(telHref(shown)).toBe(href))

describe('editing keeps the caret after the same digit', () => {
  test.each([
    // raw text after the browser's edit, caret → expected text, caret
    { what: 'typing at the end', raw: '(5552', caret: 5, value: '(555) 2', after: 7 },
    { what: 'deleting a digit in the middle', raw: '(555) 34-5678', caret: 6, value: '(555) 345-678', after: 4 },
    { what: 'deleting a separator', raw: '(555) 2345678', caret: 9, value: '(555) 234-5678', after: 9 },
    { what: 'deleting the first digit', raw: '(55) 234-5678', caret: 1, value: '(552) 345-678', after: 1 },
    { what: 'inserting in the middle', raw: '(555) 9234-567', caret: 7, value: '(555) 923-4567', after: 7 },
    { what: 'a pasted country code', raw: '+1 (555) 234-5678', caret: 17, value: '(555) 234-5678', after: 14 },
    { what: 'clearing', raw: '', caret: 0, value: '', after: 0 },
  ])('$what', ({ raw, caret, value, after }) => expect(editPhone(raw, caret)).toEqual({ value, caret: after }))
})
