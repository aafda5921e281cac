import { expect, test } from 'vitest'
import { dateFromDigits } from './date-digits.ts'

test.each([
  ['03151965', '1965-03-15'],
  ['02291964', '1964-02-29'],
  ['02301964', null],
  ['13011965', null],
  ['0315196', null],
  ['031519655', null],
  ['', null],
])('%j is read as %j', (digits, date) => expect(dateFromDigits(digits)).toBe(date))
