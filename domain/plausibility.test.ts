import { describe, expect, test } from 'vitest'
import { implausible } from './plausibility.ts'

const NOW = new Date('2026-11-16T12:00Z')
const ages = { from: 55, to: 64 }
const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1965-12-10',
  email: 'ada@example.org',
  phone: '(555) 210-2030',
}

const reasonFor = (changed: Partial<typeof ada>, asked: typeof ages | null = ages) =>
  implausible({ ...ada, ...changed }, asked, NOW)

test('an ordinary lead is plausible', () => expect(reasonFor({})).toBeNull())

test.each(['(055) 210-2030', '(155) 210-2030', '(555) 010-2030', '(555) 110-2030'])(
  '%s can’t be a phone number',
  phone => {
    expect(reasonFor({ phone })).toBe('phone number cannot exist')
  },
)

describe('an age outside 55 to 64', () => {
  test.each([
    ['1972-11-17', 'turns 54 tomorrow', 'age contradicts an answer'],
    ['1972-11-16', 'turned 54 today', null],
    ['1961-11-17', 'is 64', null],
    ['1960-11-17', 'is 65 until tomorrow', null],
    ['1960-11-16', 'turned 66 today', 'age contradicts an answer'],
  ])('%s, who %s: %s', (dateOfBirth, _, expected) => {
    expect(reasonFor({ dateOfBirth })).toBe(expected)
  })

  test('is fine if the questionnaire doesn’t ask about age', () => {
    expect(reasonFor({ dateOfBirth: '1990-01-01' }, null)).toBeNull()
  })
})

test('a misspelled email provider is implausible', () => {
  expect(reasonFor({ email: 'ada@gmial.com' })).toBe('email looks misspelled')
})
