import { expect, test } from 'vitest'
import { doubtsAbout, implausible, unconfirmed } from './plausibility.ts'

const NOW = new Date('2026-11-16T12:00Z')
const ages = { from: 55, to: 64 }
const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1965-12-10',
  email: 'ada@example.org',
  phone: '(555) 210-2030',
}

const reasonFor = (changed: Partial<typeof ada>, asked: typeof ages | null = ages, confirmed: readonly string[] = []) =>
  implausible({ ...ada, ...changed }, confirmed, asked, NOW)

test('an ordinary lead is plausible', () => expect(reasonFor({})).toBeNull())

test.each<[Partial<typeof ada>, string, string | null]>([
  [{ phone: '(055) 210-2030' }, 'area code 0', 'phone number cannot exist'],
  [{ phone: '(155) 210-2030' }, 'area code 1', 'phone number cannot exist'],
  [{ phone: '(555) 010-2030' }, 'exchange 0', 'phone number cannot exist'],
  [{ phone: '(555) 110-2030' }, 'exchange 1', 'phone number cannot exist'],
  [{ phone: '(555) 555-5555' }, 'the example', 'phone number cannot exist'],
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

test('what the visitor confirmed isn’t held for it; anything else is', () => {
  const odd = { phone: '(055) 210-2030', email: 'ada@gmial.com' }
  expect(reasonFor(odd, ages, ['phone', 'email'])).toBeNull()
  expect(reasonFor(odd, ages, ['phone'])).toBe('email looks misspelled')
  expect(reasonFor(odd, ages, ['email', 'firstName'])).toBe('phone number cannot exist')
})

const doubtsIn = (changed: Partial<typeof ada>) => doubtsAbout({ ...ada, ...changed }, ages, NOW)

test.each<[Partial<typeof ada>, object]>([
  [{}, {}],
  [{ firstName: '12345' }, { firstName: 'nameDoubtful' }],
  [
    { firstName: 'J0hn', lastName: '–' },
    { firstName: 'nameDoubtful', lastName: 'nameDoubtful' },
  ],
  [{ firstName: '玛丽', lastName: 'O’Sullivan-Núñez' }, {}],
  [{ email: 'ada@gmial.con' }, { email: 'emailDoubtful' }],
  [{ phone: '(555) 555-5555' }, { phone: 'phoneDoubtful' }],
  [{ phone: '(800) 555-0100' }, { phone: 'phoneDoubtful' }],
  [{ phone: '(833) 243-2965' }, { phone: 'phoneDoubtful' }],
  [{ phone: '(809) 555-0100' }, { phone: 'phoneDoubtful' }],
  [{ phone: '(787) 555-0100' }, {}],
  [{ phone: '(808) 555-0100' }, {}],
  [{ phone: '(212) 555-0187' }, {}],
  [{ dateOfBirth: '1990-01-01' }, { dateOfBirth: 'ageContradictory' }],
])('%o: asks about %o', (changed, doubts) => expect(doubtsIn(changed)).toEqual(doubts))

test('each value is asked about once, and a different one again', () => {
  const changes = { firstName: '12345', phone: '(555) 555-5555' }
  const contact = { ...ada, ...changes }
  const doubts = doubtsIn(changes)
  expect(unconfirmed(doubts, contact, {})).toEqual(doubts)
  expect(unconfirmed(doubts, contact, contact)).toEqual({})
  expect(unconfirmed(doubts, contact, { ...contact, phone: '(800) 555-0100' })).toEqual({ phone: 'phoneDoubtful' })
})
