import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPhone, editPhone, formatPhone, PHONE_MAX_LENGTH, phoneDigits, telHref } from './phone.ts'

describe('formatting', () => {
  test.each([
    ['', ''],
    ['5', '(5'],
    ['555', '(555'],
    ['5552', '(555) 2'],
    ['555234', '(555) 234'],
    ['5552345', '(555) 234-5'],
    ['5552345678', '(555) 234-5678'],
    ['555234567890', '555234567890'],
    ['+44 20 7946 0958', '+44 20 7946 0958'],
    ['+', '+'],
    ['+1', '+1'],
    ['+15', '(5'],
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
        expect(phoneDigits(formatted)).toBe(phoneDigits(input))
        // A number that we can't format stays as typed and is refused.
        if (formatted === input.trim()) return
        expect(formatted.length).toBeLessThanOrEqual(PHONE_MAX_LENGTH)
      }),
    )
  })
})

describe('a number is stored right or refused, never as another one', () => {
  const digits = (length: number) => fc.stringMatching(new RegExp(`^[2-9][0-9]{${length - 1}}$`))
  const separator = fc.constantFrom('', ' ', '-', '.', ' - ', '\u00a0')
  const withSeparators = (number: string, [first, second]: readonly string[]) =>
    `${number.slice(0, 3)}${first}${number.slice(3, 6)}${second}${number.slice(6)}`
  const separators = fc.tuple(separator, separator)

  test('however it’s written', () => {
    const prefix = fc.constantFrom('', '1', '1-', '1 ', '+1', '+1 ', '+1-', '(+1) ', '001 ', '011 1 ', 'Tel: ', ' ')
    const extension = fc.constantFrom('', ' x5', ' ext. 12', ' extension 123', ' #4', 'x1234')
    fc.assert(
      fc.property(digits(10), prefix, separators, extension, (number, before, between, after) => {
        const written = before + withSeparators(number, between) + after
        expect([written, checkPhone(written), phoneDigits(written)]).toEqual([written, 'valid', number])
        expect(formatPhone(written)).toBe(formatPhone(number))
      }),
    )
  })

  test('with digits missing or left over', () => {
    const prefix = fc.constantFrom('', '1-', '+1', '+1 ', '+1 (')
    const short = fc.integer({ min: 1, max: 9 }).chain(digits)
    const long = fc.integer({ min: 11, max: 15 }).chain(digits)
    fc.assert(
      fc.property(fc.oneof(short, long), prefix, separators, (number, before, between) => {
        const written = before + withSeparators(number, between)
        expect([written, checkPhone(written)]).toEqual([written, 'invalid'])
      }),
    )
  })

  test('from another country', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('+', '+ ', '00', '011 '),
        fc.integer({ min: 11, max: 14 }).chain(digits),
        separators,
        (before, number, between) => {
          const written = before + withSeparators(number, between)
          expect([written, checkPhone(written), formatPhone(written)]).toEqual([written, 'foreign', written.trim()])
        },
      ),
    )
  })

  test('never has the digits of a US number unless it’s that number', () => {
    const written = fc.tuple(fc.constantFrom('+', '00', '011 ', '1', ''), fc.integer({ min: 8, max: 15 }).chain(digits))
    fc.assert(
      fc.property(written, ([before, number]) => {
        const text = before + number
        expect([text, /^\d{10}$/.test(phoneDigits(text))]).toEqual([text, checkPhone(text) === 'valid'])
        // What the store lists can be read back.
        expect([text, phoneDigits(phoneDigits(text))]).toEqual([text, phoneDigits(text)])
      }),
    )
  })

  test.each([
    ['+47 22 12 34 56', '+4722123456'],
    ['+44 20 7946 0958', '+442079460958'],
    ['011 47 2212 3456', '+4722123456'],
    ['555234567890', '555234567890'],
  ])('the digits of %s are %s', (written, expected) => expect(phoneDigits(written)).toBe(expected))
})

test.each([
  ['833-243-2965', 'tel:+18332432965'],
  ['(833) 243-2965', 'tel:+18332432965'],
  ['+1 833.243.2965', 'tel:+18332432965'],
  ['1-800-FLOWERS', 'tel:+18003569377'],
  ['800-Pay-Quiz', 'tel:+18007297849'],
  ['1-800-MATTRESS', 'tel:+18006288737'],
  ['833-243-2965 ext. 12', 'tel:+18332432965'],
  ['+44 20 7946 0958', 'tel:+442079460958'],
])('%s is dialed as %s', (shown, href) => expect(telHref(shown)).toBe(href))

test.each([
  ['555-234-5678', '(555) 234-5678'],
  ['1-555-234-5678', '(555) 234-5678'],
  ['001 555 234 5678', '(555) 234-5678'],
  // Not squeezed into ten digits, so the form can say what's wrong.
  ['+44 20 7946 0958', '+442079460958'],
])('%s, typed key by key, becomes %s', (keys, expected) => {
  let field = { value: '', caret: 0 }
  for (const key of keys) {
    const { value, caret } = field
    field = editPhone(value.slice(0, caret) + key + value.slice(caret), caret + 1)
  }
  expect(field.value).toBe(expected)
})

describe('editing keeps the caret after the same digit', () => {
  test.each([
    // raw text after the browser's edit, caret → expected text, caret
    { what: 'typing at the end', raw: '(5552', caret: 5, value: '(555) 2', after: 7 },
    { what: 'deleting a digit in the middle', raw: '(555) 34-5678', caret: 6, value: '(555) 345-678', after: 4 },
    { what: 'deleting a separator', raw: '(555) 2345678', caret: 9, value: '(555) 234-5678', after: 9 },
    { what: 'deleting the first digit', raw: '(55) 234-5678', caret: 1, value: '(552) 345-678', after: 1 },
    { what: 'inserting in the middle', raw: '(555) 9234-567', caret: 7, value: '(555) 923-4567', after: 7 },
    { what: 'a pasted country code', raw: '+1 (555) 234-5678', caret: 17, value: '(555) 234-5678', after: 14 },
    { what: 'typing a country code in front', raw: '1(555) 234-5678', caret: 1, value: '(555) 234-5678', after: 1 },
    { what: 'clearing', raw: '', caret: 0, value: '', after: 0 },
  ])('$what', ({ raw, caret, value, after }) => expect(editPhone(raw, caret)).toEqual({ value, caret: after }))
})
