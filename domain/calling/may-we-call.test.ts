/** Who may be called now, in which order, and when the others can be. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../durations.ts'
import { areaCodes } from './area-codes.ts'
import { callAllowedAt } from './call-limits.ts'
import { orderCalls } from './call-order.ts'
import { createCallingClock, DEMO_CALLING_HOURS } from './hours.ts'
import type { CallKind } from './list.ts'
import { type CallSituation, mayWeCall, type NumberToCall, placeOf } from './may-we-call.ts'
import type { Plan, PlannedCall } from './plan.ts'
import { createWaitingTime } from './waiting-time.ts'

/** A Tuesday: 2:00 PM in New York, 9:00 AM in Hawaii. */
const NOW = Date.parse('2030-01-15T14:00-05:00')
const clock = createCallingClock()
const allDay = createCallingClock(DEMO_CALLING_HOURS)
const maria = { id: 'maria', name: 'Maria' }
const bob = { id: 'bob', name: 'Bob' }
const promiseBy = (by: typeof maria, at: number, leadId = 'a') => ({ at, place: 'NY Eastern', by, leadId, n: 1 })

/** `kind`: of its only planned call, for `leadId`; with a promise, there may be none. */
type Given = Partial<Omit<Plan, 'calls' | 'place' | 'placeBefore'>> &
  Partial<Pick<PlannedCall, 'leadId' | 'notBefore' | 'isPreferred'>> &
  Partial<NumberToCall> & {
    readonly kind?: CallKind
    readonly phone?: string
    readonly chosen?: string
    readonly before?: string
    readonly calls?: readonly PlannedCall[]
  }

const planned = (
  kind: PlannedCall['kind'],
  { leadId = 'a', notBefore = NOW - MINUTE, isPreferred = false }: Given,
) => ({
  kind,
  leadId,
  notBefore,
  waitingSince: notBefore,
  isPreferred,
  tried: [],
})

const setBy = (id: string | undefined) => (id === undefined ? null : { id, by: 'Bob' })

function someNumber(given: Given = {}) {
  const { phone = '2125550101', chosen, before, claim = null, closed = null, redial = false, kind = 'new' } = given
  const places = { place: setBy(chosen), placeBefore: setBy(before) }
  const plan: Plan = {
    calls: given.calls ?? (kind === 'callback' ? [] : [planned(kind, given)]),
    promises: given.promises ?? [],
    languages: given.languages ?? ['en'],
    spokenAt: given.spokenAt ?? null,
    dials: given.dials ?? [],
    dialsElsewhere: given.dialsElsewhere ?? [],
    skips: given.skips ?? [],
    ...places,
  }
  return { claim, closed, redial, place: placeOf(phone, places), plan }
}

const situation: CallSituation = {
  at: NOW,
  personId: 'maria',
  clock,
  waitingTime: createWaitingTime(clock),
  languages: ['en'],
  colleaguesSpeak: new Set(['en']),
  agents: new Set(['maria', 'bob']),
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
    { kind: 'callback', promises: [promiseBy(maria, NOW - MINUTE, 'own')] },
    { leadId: 'new', notBefore: NOW },
    { kind: 'callback', promises: [promiseBy(bob, NOW - 2 * HOUR, 'missed')] },
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
  ['a number that the agent has open', { claim: maria }, ['mine', null]],
  ['a number called less than an hour ago', { dials: [NOW - HOUR + 1] }, ['limit', NOW + 1]],
  ['a number called an hour ago', { dials: [NOW - HOUR] }, null],
  ['a number called while the clock was years ahead', { dials: [NOW - 2 * HOUR, NOW + 2000 * DAY] }, ['limit', null]],
  ['a number whose person was called at another one', { dials: [], dialsElsewhere: [NOW - MINUTE] }, null],
  [
    'a number whose person was called three times, also at another one',
    { dials: [NOW - 2 * HOUR], dialsElsewhere: [NOW - MINUTE, NOW - 3 * HOUR] },
    ['limit', NOW + 21 * HOUR],
  ],
  ['a number called three times', { dials: [2, 3, 20].map(hours => NOW - hours * HOUR) }, ['limit', NOW + 4 * HOUR]],
  ['a later retry', { kind: 'retry', notBefore: NOW + HOUR }, ['later', NOW + HOUR]],
  ['someone who would like a call later', { notBefore: NOW + HOUR, isPreferred: true }, ['later', NOW + HOUR]],
  ['a new lead, after the clock was set back', { notBefore: NOW + HOUR }, null],
  [
    'a promise of a colleague, just due',
    { kind: 'callback', promises: [promiseBy(bob, NOW - MINUTE)] },
    ['callback', NOW + 14 * MINUTE],
  ],
  ['a missed promise of a colleague', { kind: 'callback', promises: [promiseBy(bob, NOW - 15 * MINUTE)] }, null],
  [
    'a promise of someone who no longer calls',
    { kind: 'callback', promises: [promiseBy({ id: 'x', name: 'X' }, NOW)] },
    null,
  ],
  [
    'a new lead whose promise a call would break',
    { promises: [promiseBy(bob, NOW + 59 * MINUTE)] },
    ['promised', NOW + 59 * MINUTE],
  ],
  ['a new lead with a promise in an hour', { promises: [promiseBy(bob, NOW + HOUR)] }, null],
  [
    'a new lead whose promise would be the fourth call',
    { promises: [promiseBy(bob, NOW + 3 * HOUR)], dials: [NOW - 2 * HOUR, NOW - 4 * HOUR] },
    ['promised', NOW + 3 * HOUR],
  ],
  ['someone who said yes on the phone 88 days ago', { spokenAt: NOW - 88 * 24 * HOUR }, null],
  ['someone who said yes on the phone 89 days ago', { spokenAt: NOW - 89 * 24 * HOUR }, ['spoken', null]],
  ['someone whom the agent skipped', { skips: [{ by: 'maria', until: NOW + 1 }] }, ['skipped', NOW + 1]],
  ['someone whom a colleague skipped', { skips: [{ by: 'bob', until: NOW + 1 }] }, null],
]

const soon = planned('retry', { leadId: 'due' })
const inDays = planned('new', { leadId: 'later', notBefore: NOW + 100 * HOUR, isPreferred: true })

test('someone who’d like the first call in days doesn’t delay another’s', () => {
  expect(order([{ calls: [inDays, soon] }])).toEqual(['due'])
  expect(waitOf({ calls: [inDays, soon] })).toBeNull()
  expect(waitOf({ calls: [inDays, { ...soon, notBefore: NOW + HOUR }] })).toEqual(['later', NOW + HOUR])
})

test('where people may be, at their number and at the one before, calls must be allowed in both', () => {
  const hawaii = { phone: '2125550101', before: 'HI Hawaii' }
  expect(waitOf(hawaii, { at: NOW - MINUTE })).toEqual(['hours', NOW])
  expect(waitOf(hawaii)).toBeNull()
  expect(waitOf(hawaii, { at: Date.parse('2030-01-15T20:00-05:00') })?.[0]).toBe('hours')
})

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
    expect(block({ promises: [promiseBy(maria, NOW + 15 * MINUTE)] })).toBeNull()
    expect(block({ promises: [promiseBy(maria, NOW + 16 * MINUTE)] })).toBe('promised')
  })
})

describe('promising', () => {
  const refused = (inHours: number, given: Given) =>
    mayWeCall('promise', someNumber(given), { ...situation, at: NOW + inHours * HOUR })?.why ?? null
  const others = (...hours: readonly number[]) => ({
    promises: hours.map(each => promiseBy(bob, NOW + each * HOUR, 'b')),
  })

  test.each([
    ['the same time as another', 2, others(2), null],
    ['ten minutes after another', 2 + 1 / 6, others(2), null],
    ['half an hour after another', 2.5, others(2), 'promised'],
    ['half an hour before another', 1.5, others(2), 'promised'],
    ['an hour before another', 1, others(2), null],
    ['a third call in 24 hours', 3, others(1, 2), null],
    ['a fourth call in 24 hours', 4, others(1, 2, 3), 'promised'],
    ['a call before what would then be a fourth', 1, { ...others(3), dials: [NOW, NOW - HOUR] }, 'promised'],
    ['a call that leaves no room for a promised one', 2, { ...others(3), dials: [NOW, NOW - 30 * HOUR] }, null],
    [
      'a call that makes a promised one the fourth',
      2,
      { ...others(3), dials: [NOW], dialsElsewhere: [NOW - HOUR] },
      'promised',
    ],
  ] as const)('%s', (_, inHours, given, why) => {
    expect(refused(inHours, given)).toBe(why)
  })

  test('whatever is promised can be kept within the limits', () => {
    const quarter = fc.integer({ min: 4, max: 120 }).map(quarters => NOW + quarters * 15 * MINUTE)
    fc.assert(
      fc.property(fc.array(quarter, { maxLength: 6 }), fc.array(quarter, { maxLength: 2 }), (wanted, dialed) => {
        const dials = dialed.map(time => time - 30 * HOUR).toSorted((one, other) => other - one)
        fc.pre(dials.every((dial, index) => index === 0 || (dials[index - 1] ?? 0) - dial >= HOUR))
        const promises: Plan['promises'][number][] = []
        for (const [index, time] of wanted.entries()) {
          const given = { dials, promises: promises.toSorted((one, other) => one.at - other.at) }
          if (mayWeCall('promise', someNumber(given), { ...situation, at: time, clock: allDay }) === null)
            promises.push(promiseBy(bob, time, `${index}`))
        }
        // One call for all that are promised within 15 minutes of each other.
        const calls = [...new Set(promises.map(promise => promise.at))].toSorted((one, other) => one - other)
        for (const [index, time] of calls.entries()) {
          const before = [...dials, ...calls.slice(0, index)]
          if (before.length > 0) expect(callAllowedAt(before)).toBeLessThanOrEqual(time)
        }
      }),
    )
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
        expect(callAllowedAt(made)).toBeLessThanOrEqual(at)
      },
    ),
    { numRuns: 500 },
  )
})
