import { expect, test } from 'vitest'
import { joinDate, splitDate } from './dates.ts'

const join = (month: string, day: string, year: string) =>
  joinDate({ 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }, 'dateOfBirth', 2026)

test.each([
  ['3', '15', '1965', '1965-03-15'],
  ['03', ' 5 ', '1965', '1965-03-05'],
  ['3/', '15.', '1965', '1965-03-15'],
  ['13', '40', '1965', '1965-13-40'],
  ['3', '', '1965', '1965-03-00'],
  ['', '', '', ''],
])('%j %j %j make %j', (month, day, year, date) => expect(join(month, day, year)).toBe(date))

test.each([
  ['65', '1965'],
  ['00', '2000'],
  ['08', '2008'],
  ['09', '1909'],
])('the year %j is %j', (typed, year) => expect(join('3', '15', typed)).toBe(`${year}-03-15`))

test.each(['19', '20', '196', '1'])('the year %j is incomplete', year =>
  expect(join('3', '15', year)).toBe(`${year}-03-15`),
)

test('missing or non-text boxes are empty', () => {
  expect(joinDate({}, 'dateOfBirth', 2026)).toBe('')
  expect(joinDate({ 'dateOfBirth-month': null, 'dateOfBirth-day': {} }, 'dateOfBirth', 2026)).toBe('')
})

test.each([
  ['03/15/1965', '03', '15', '1965'],
  [' 3-15-65 ', '3', '15', '65'],
  ['3.15.1965', '3', '15', '1965'],
  ['03151965', '03', '15', '1965'],
  ['1965-03-15', '03', '15', '1965'],
  ['1965/3/15', '3', '15', '1965'],
])('a pasted %j is a complete date', (text, month, day, year) => expect(splitDate(text)).toEqual({ month, day, year }))

test.each(['', '15', '1965', '3151965', 'March 15', '03/15', '1-2-3-4'])('a pasted %j isn’t a complete date', text =>
  expect(splitDate(text)).toBeNull(),
)
