import { expect, test } from 'vitest'
import { joinDate, splitDate, wrongDateParts } from './dates.ts'

const join = (month: string, day: string, year: string) =>
  joinDate({ 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year }, 'dateOfBirth', 2026)

test.each([
  ['3', '15', '1965', '1965-03-15'],
  ['03', ' 5 ', '1965', '1965-03-05'],
  ['3/', '15.', '1965', '1965-03-15'],
  ['13', '40', '1965', '1965-13-40'],
  ['3', '', '1965', ''],
  ['March', '15', '1965', '1965-03-15'],
  ['sept.', '15', '65', '1965-09-15'],
  ['setiembre', '15', '65', '1965-09-15'],
  ['mayo', '4', '1966', '1966-05-04'],
  ['Nonsense', '4', '1966', '1966-00-04'],
  ['05041966', '', '', '1966-05-04'],
  ['5/4/1966', '', '', '1966-05-04'],
  ['5/4/66', '', '', '1966-05-04'],
  ['May 4 1966', '', '', '1966-05-04'],
  // Not December: the day is in the wrong box.
  ['1/2', '2', '1966', '1966-1/2-02'],
  ['', '', '', ''],
])('%j %j %j become %j', (month, day, year, date) => expect(join(month, day, year)).toBe(date))

test('a two-digit year is expanded unless it could be the start of a longer one', () => {
  const years = { 65: '1965', '00': '2000', '08': '2008', '09': '1909', 19: '19', 20: '20', 196: '196', 1: '1' }
  for (const [typed, year] of Object.entries(years)) expect(join('3', '15', typed)).toBe(`${year}-03-15`)
})

const wrong = (month: string, day: string, year: string) =>
  wrongDateParts(
    { 'dateOfBirth-month': month, 'dateOfBirth-day': day, 'dateOfBirth-year': year },
    'dateOfBirth',
    2026,
  ).join(' ')

test.each([
  ['', '', '', 'month day year'],
  ['5', '', '1966', 'day'],
  ['13', '4', '1966', 'month'],
  ['Nonsense', '4', '1966', 'month'],
  ['1/2', '2', '1966', 'month'],
  ['1-2', '2', '1966', 'month'],
  ['2', '30', '1966', 'day'],
  ['2', '29', '1966', 'day'],
  ['5', 'x', '1966', 'day'],
  ['5', '4', '196', 'year'],
  ['5', '4', '1890', 'year'],
  ['2/30/1966', '', '', 'day'],
])('in %j %j %j, the wrong boxes are %s', (month, day, year, parts) => expect(wrong(month, day, year)).toBe(parts))

test('missing and non-text boxes count as empty', () => {
  expect(joinDate({}, 'dateOfBirth', 2026)).toBe('')
  expect(joinDate({ 'dateOfBirth-month': null, 'dateOfBirth-day': {} }, 'dateOfBirth', 2026)).toBe('')
})

test.each([
  ['03/15/1965', '03', '15', '1965'],
  [' 3-15-65 ', '3', '15', '65'],
  ['3.15.1965', '3', '15', '1965'],
  ['03151965', '03', '15', '1965'],
  ['031565', '03', '15', '65'],
  ['1965-03-15', '03', '15', '1965'],
  ['1965/3/15', '3', '15', '1965'],
  ['May 4 1966', '5', '4', '1966'],
  ['September 4th, 1966', '9', '4', '1966'],
  ['4 May 66', '5', '4', '66'],
  ['4 de mayo de 1966', '5', '4', '1966'],
  ['4 de mayo del 66', '5', '4', '66'],
])('a pasted %j is a complete date', (text, month, day, year) => expect(splitDate(text)).toEqual({ month, day, year }))

test.each(['', '15', '1965', '3151965', 'March 15', '03/15', '1-2-3-4', 'Room 4 1966', '5/4/196'])(
  'a pasted %j isn’t a complete date',
  text => expect(splitDate(text)).toBeNull(),
)
