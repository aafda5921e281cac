import { expect, test } from 'vitest'
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

test.each<[Partial<typeof ada>, string, string | null]>([
  [{ phone: '(055) 210-2030' }, 'area code 0', 'phone number cannot exist'],
  [{ phone: '(155) 210-2030' }, 'area code 1', 'phone number cannot exist'],
  [{ phone: '(555) 010-2030' }, 'exchange 0', 'phone number cannot exist'],
  [{ phone: '(555) 110-2030' }, 'exchange 1', 'phone number cannot exist'],
  [{ dateOfBirth: '1972-11-17' }, 'turns 54 tomorrow', 'age contradicts an answer'],
  [{ dateOfBirth: '1972-11-16' }, 'turned 54 today', null],
  [{ dateOfBirth: '1961-11-17' }, 'is 64', null],
  [{ dateOfBirth: '1960-11-17' }, 'turns 66 tomorrow', null],
  [{ dateOfBirth: '1960-11-16' }, 'turned 66 today', 'age contradicts an answer'],
  [{ email: 'ada@gmial.com' }, 'misspelled', 'email looks misspelled'],
])('%o (%s): %s', (changed, _, reason) => expect(reasonFor(changed)).toBe(reason))

test('any age is plausible if the questionnaire doesn’t ask about age', () => {
  expect(reasonFor({ dateOfBirth: '1990-01-01' }, null)).toBeNull()
})
