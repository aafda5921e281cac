import { expect, test } from 'vitest'
import { firstTypeError } from './types.ts'

test('says what to fix and where, starting with content/', () => {
  const report = `site/static/pages.ts(84,83): error TS2345: Argument of type '{ title: string }' is not assignable to parameter of type 'LandingCopy'.
  Types of property 'howItWorks' are incompatible.
content/en/landing.ts(94,5): error TS2561: Object literal may only specify known properties, but 'ctaa' does not exist in type 'HowItWorksCopy'. Did you mean to write 'cta'?
`
  expect(firstTypeError(report)).toBe("content/en/landing.ts, line 94: Unknown name 'ctaa'. Did you mean 'cta'?")
})

test.each([
  [
    "Object literal may only specify known properties, and 'x' does not exist in type 'A'.",
    "Unknown name 'x'. Is it misspelled?",
  ],
  [
    "Type '{}' does not satisfy the expected type 'A'.\n  Property 'cta' is missing in type '{ readonly heading: 'How' }' but required in type 'A'.",
    "'cta' is missing.",
  ],
  [
    "Type 'readonly [A]' is not assignable to type 'readonly [A, B]'.\n    Source has 1 element(s) but target requires 2.",
    'Expected 2 items, as in English, but found 1. Put null in place of an item that one language leaves out.',
  ],
  ["',' expected.", "',' expected."],
  [
    "Type '{ … }' does not satisfy the expected type 'A'.\n  Type 'number' is not assignable to type 'string'.",
    "Type 'number' is not assignable to type 'string'.",
  ],
])('explains “%s”', (message, explained) => {
  expect(firstTypeError(`content/en/a.ts(1,2): error TS1: ${message}\n`)).toBe(`content/en/a.ts, line 1: ${explained}`)
})

test('is null without errors, and the whole report if it has no file', () => {
  expect(firstTypeError('')).toBeNull()
  expect(firstTypeError("error TS5083: Cannot read file 'tsconfig.site.json'.\n")).toContain('TS5083')
})
