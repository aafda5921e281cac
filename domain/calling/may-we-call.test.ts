/** Who may be called now, in which order, and when the others can be. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../durations.ts'
import { areaCodes } from './area-codes.ts'
import { attemptAllowedAt } from './attempts.ts'
import { createCallingClock } from './hours.ts'
import { type CallSituation, mayWeCall, type NumberToCall, orderCalls, placeOf } from './may-we-call.ts'
import type { Plan } from './plan.ts'
import { createWaitingTime } from './waiting-time.ts'

/** A Tuesday: 2:00 PM in New York, 9:00 AM in Hawaii. */
const NOW = Date.parse('2030-01-15T14:00-05:00')
const clock = createCallingClock()
const maria = { id: 'maria', name: 'Maria' }
const bob = { id: 'bob', name: 'Bob' }
const promiseBy = (by: typeof maria, at: number) => ({ at, place: 'NY Eastern', by, leadId: 'a' })

type Given = Partial<Plan> & Partial<NumberToCall> & { readonly phone?: string; readonly chosen?: string }

const someNumber = ({
  phone = '2125550101',
  chosen,
  claim = null,
  closed = null,
  redial = false,
  ...plan
}: Given = {}) => ({
  leadId: plan.leadId ?? 'a',
  claim,
  closed,
  redial,
  place: placeOf(phone, chosen ?? null),
  plan: {
    kind: 'new',
    leadId: 'a',
    notBefore: NOW - MINUTE,
    preferredAt: null,
    tried: [],
    promise: null,
    languages: ['en'],
    dials: [],
    skips: [],
    ...plan,
    place: null,
  } satisfies Plan,
})

const situation: CallSituation = {
  at: NOW,
  personId: 'maria',
  clock,
  waitingTime: createWaitingTime(clock),
  languages: ['en'],
  colleaguesSpeak: new Set(['en']),
  callers: new Set(['maria', 'bob']),
}

const waitOf = (number: Given, more: Partial<CallSituation> = {}) => {
  const wait = mayWeCall('offer', someNumber(number), { ...situation, ...more })
  return wait && [wait.why, wait.next]
}
const order = (numbers: readonly Given[], more: Partial<CallSituation> = {}) =>
  orderCalls(numbers.map(someNumber), { ...situation, ...more }).map(({ leadId }) => leadId)

test('own callbacks, others’ callbacks, new leads, newest first, then retries, longest wait first', () => {
  const numbers: readonly Given[] = [
    { leadId: 'short retry', kind: 'retry', notBefore: NOW - MINUTE },
    { leadId: 'old', notBefore: NOW - HOUR },
    { leadId: 'long retry', kind: 'retry', notBefore: NOW - 2 * HOUR },
    { leadId: 'own', kind: 'callback', promise: promiseBy(maria, NOW - MINUTE) },
    { leadId: 'new', notBefore: NOW },
    { leadId: 'missed', kind: 'callback', promise: promiseBy(bob, NOW - 2 * HOUR) },
    { leadId: 'spanish', notBefore: NOW, languages: ['es'] },
  ]
  expect(order(numbers)).toEqual(['own', 'missed', 'new', 'old', 'long retry', 'short retry', 'spanish'])
})

test('people who have to wait are sorted by when they can be called', () => {
  const numbers = [{ leadId: 'Hawaii', phone: '8085550101' }, { leadId: 'nowhere', phone: '8005550101' }, {}]
  expect(order(numbers, { at: Date.parse('2030-01-15T07:00-05:00') })).toEqual(['a', 'Hawaii', 'nowhere'])
})

const cases: readonly (readonly [title: string, number: Given, wait: readonly [string, number | null] | null])[] = [
  ['nobody', {}, null],
  ['someone on the do-not-call list', { closed: 'Stop.' }, ['closed', null]],
  ['someone without a known place', { phone: '8005550101' }, ['place', null]],
  ['a number that a colleague has open', { claim: bob }, ['claimed', null]],
  ['a number that the caller has open', { claim: maria }, ['mine', null]],
  ['a number called less than an hour ago', { dials: [NOW - HOUR + 1] }, ['limit', NOW + 1]],
  ['a number called an hour ago', { dials: [NOW - HOUR] }, null],
  ['a number called three times', { dials: [2, 3, 20].map(hours => NOW - hours * HOUR) }, ['limit', NOW + 4 * HOUR]],
  ['a later retry', { kind: 'retry', notBefore: NOW + HOUR }, ['later', NOW + HOUR]],
  ['someone who would like a call later', { notBefore: NOW + HOUR, preferredAt: NOW + HOUR }, ['later', NOW + HOUR]],
  ['a new lead, after the clock was set back', { notBefore: NOW + HOUR }, null],
  [
    'a promise of a colleague, just due',
    { kind: 'callback', promise: promiseBy(bob, NOW - MINUTE) },
    ['callback', NOW + 14 * MINUTE],
  ],
  ['a missed promise of a colleague', { kind: 'callback', promise: promiseBy(bob, NOW - 15 * MINUTE) }, null],
  [
    'a promise of someone who no longer calls',
    { kind: 'callback', promise: promiseBy({ id: 'x', name: 'X' }, NOW) },
    null,
  ],
  [
    'a new lead whose promise a call would break',
    { promise: promiseBy(bob, NOW + 59 * MINUTE) },
    ['promised', NOW + 59 * MINUTE],
  ],
  ['a new lead with a promise in an hour', { promise: promiseBy(bob, NOW + HOUR) }, null],
  [
    'a new lead whose promise would be the fourth call',
    { promise: promiseBy(bob, NOW + 3 * HOUR), dials: [NOW - 2 * HOUR, NOW - 4 * HOUR] },
    ['promised', NOW + 3 * HOUR],
  ],
  ['someone whom the caller skipped', { skips: [{ by: 'maria', until: NOW + 1 }] }, ['skipped', NOW + 1]],
  ['someone whom a colleague skipped', { skips: [{ by: 'bob', until: NOW + 1 }] }, null],
]

test.each(cases)('Call next waits for %s', (_, number, wait) => {
  expect(waitOf(number)).toEqual(wait)
})

test('a person in another time zone waits until calls are allowed there', () => {
  const early = { at: NOW - MINUTE }
  expect(waitOf({ phone: '8085550101' })).toBeNull()
  expect(waitOf({ phone: '8085550101' }, early)).toEqual(['hours', NOW])
  expect(waitOf({ phone: '8085550101', chosen: 'NY Eastern' }, early)).toBeNull()
})

test('a language is reserved for a colleague for 15 minutes of calling time', () => {
  const speaks = { colleaguesSpeak: new Set(['en', 'es']) }
  const spanish = (notBefore: number) => ({ languages: ['es'], notBefore })
  expect(waitOf(spanish(NOW - 14 * MINUTE), speaks)).toEqual(['language', NOW + MINUTE])
  expect(waitOf(spanish(NOW - 15 * MINUTE), speaks)).toBeNull()
  expect(waitOf(spanish(NOW))).toBeNull()
  // Submitted at night: from the opening on.
  const opening = Date.parse('2030-01-15T09:00-05:00')
  expect(waitOf(spanish(opening - HOUR), { ...speaks, at: opening + MINUTE })).toEqual([
    'language',
    opening + 15 * MINUTE,
  ])
  expect(waitOf({ languages: ['en', 'es'] }, speaks)).toBeNull()
})

describe('dialing', () => {
  const block = (number: Given) => mayWeCall('dial', someNumber(number), situation)?.why ?? null

  test('a dropped call needs no gap, but counts toward three', () => {
    expect(block({ dials: [NOW - MINUTE] })).toBe('limit')
    expect(block({ dials: [NOW - MINUTE], redial: true })).toBeNull()
    expect(block({ dials: [1, 100, 200].map(minutes => NOW - minutes * MINUTE), redial: true })).toBe('limit')
  })

  test('the promised call may be 15 minutes early', () => {
    expect(block({ promise: promiseBy(maria, NOW + 15 * MINUTE) })).toBeNull()
    expect(block({ promise: promiseBy(maria, NOW + 16 * MINUTE) })).toBe('promised')
  })
})

test('any number that may be dialed is within the hours of its place and within the limits', () => {
  const dials = fc.array(
    fc.integer({ min: 0, max: 1500 }).map(minutes => NOW - minutes * MINUTE),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...areaCodes.keys()),
      fc.integer({ min: 0, max: 366 * 24 * 60 }),
      dials,
      (code, minutes, made) => {
        const at = NOW + minutes * MINUTE
        const number = someNumber({ phone: `${code}5550101`, dials: made.toSorted((one, other) => other - one) })
        if (mayWeCall('dial', number, { ...situation, at }) !== null) return
        expect(clock.at(number.place, at).allowed).toBe(true)
        expect(attemptAllowedAt(made)).toBeLessThanOrEqual(at)
      },
    ),
    { numRuns: 500 },
  )
})
