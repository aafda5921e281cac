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
])('%j %j %j become %j', (month, day, year, date) => expect(join(month, day, year)).toBe(date))

test('a two-digit year is expanded unless it could be the start of a longer one', () => {
  const years = { 65: '1965', '00': '2000', '08': '2008', '09': '1909', 19: '19', 20: '20', 196: '196', 1: '1' }
  for (const [typed, year] of Object.entries(years)) expect(join('3', '15', typed)).toBe(`${year}-03-15`)
})

test('missing and non-text boxes count as empty', () => {
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
