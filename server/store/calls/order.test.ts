/** Who can be called now, in which order, and when the others can be. */
import { describe, expect, test } from 'vitest'
import { createCallingClock } from '../../../domain/calling/hours.ts'
import { type CallSituation, type OpenCall, orderCalls } from './order.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A Tuesday: 2:00 PM in New York, 9:00 AM in Hawaii. */
const NOW = Date.parse('2030-01-15T14:00-05:00')

const someCall: OpenCall = {
  leadId: 'a',
  phone: '2125550101',
  language: 'en',
  kind: 'new',
  dueAt: NOW - MINUTE,
  callbackFor: null,
  skippedBy: null,
  skippedUntil: null,
  chosenPlace: null,
  claimedBy: null,
}

const situation: CallSituation = {
  at: NOW,
  personId: 'maria',
  languages: ['en'],
  colleaguesSpeak: new Set(['en']),
  attempts: new Map(),
  clock: createCallingClock(),
}

const order = (calls: readonly Partial<OpenCall>[], more: Partial<CallSituation> = {}) =>
  orderCalls(
    calls.map(call => ({ ...someCall, ...call })),
    { ...situation, ...more },
  )
const waitOf = (call: Partial<OpenCall>, more: Partial<CallSituation> = {}) => order([call], more)[0]?.wait

test('due callbacks come first, then new leads, newest first, then retries, longest wait first', () => {
  const calls = order([
    { leadId: 'short retry', kind: 'retry', dueAt: NOW - MINUTE },
    { leadId: 'old', dueAt: NOW - HOUR },
    { leadId: 'long retry', kind: 'retry', dueAt: NOW - 2 * HOUR },
    { leadId: 'callback', kind: 'callback', callbackFor: 'maria', dueAt: NOW - MINUTE },
    { leadId: 'new', dueAt: NOW },
    { leadId: 'late callback', kind: 'callback', callbackFor: 'bob', dueAt: NOW - HOUR },
  ])
  expect(calls.map(({ leadId }) => leadId)).toEqual([
    'late callback',
    'callback',
    'new',
    'old',
    'long retry',
    'short retry',
  ])
})

test('people who have to wait are sorted by when they can be called', () => {
  const at = Date.parse('2030-01-15T07:00-05:00')
  const calls = order([{ leadId: 'Hawaii', phone: '8085550101' }, { leadId: 'nowhere', phone: '8005550101' }, {}], {
    at,
  })
  expect(calls.map(({ leadId }) => leadId)).toEqual(['a', 'Hawaii', 'nowhere'])
})

describe('someone waits', () => {
  test('until calls are allowed where they are', () => {
    const early = { at: NOW - MINUTE }
    expect(waitOf({ phone: '8085550101' })).toBeNull()
    expect(waitOf({ phone: '8085550101', dueAt: 0 }, early)).toEqual({ why: 'hours', until: NOW })
    expect(waitOf({ phone: '8085550101', dueAt: 0, chosenPlace: 'NY Eastern' }, early)).toBeNull()
    expect(waitOf({ phone: '8005550101' })).toEqual({ why: 'place', until: null })
  })

  test('until their number may be called again', () => {
    const attempts = (...times: number[]) => ({ attempts: new Map([[someCall.phone, times]]) })
    expect(waitOf({}, attempts(NOW - HOUR + 1))).toEqual({ why: 'limit', until: NOW + 1 })
    expect(waitOf({}, attempts(NOW - HOUR))).toBeNull()
    const first = NOW - 20 * HOUR
    expect(waitOf({}, attempts(first, NOW - 3 * HOUR, NOW - 2 * HOUR))).toEqual({
      why: 'limit',
      until: first + 24 * HOUR,
    })
  })

  test('while a colleague, or the same person elsewhere, has their number open', () => {
    expect(waitOf({ claimedBy: 'bob' })?.why).toBe('claimed')
    expect(waitOf({ claimedBy: 'maria' })?.why).toBe('mine')
  })

  test('until it’s time for a retry or a callback, but not if they’re new and the clock was set back', () => {
    expect(waitOf({ kind: 'retry', dueAt: NOW + HOUR })).toEqual({ why: 'later', until: NOW + HOUR })
    expect(waitOf({ kind: 'callback', dueAt: NOW + HOUR })).toEqual({ why: 'later', until: NOW + HOUR })
    expect(waitOf({ dueAt: NOW + HOUR })).toBeNull()
  })

  test('for the colleague who promised to call back, for 15 minutes', () => {
    const callback = { kind: 'callback', callbackFor: 'bob' } as const
    expect(waitOf({ ...callback, dueAt: NOW - 14 * MINUTE })).toEqual({ why: 'callback', until: NOW + MINUTE })
    expect(waitOf({ ...callback, dueAt: NOW - 15 * MINUTE })).toBeNull()
    expect(waitOf({ ...callback, callbackFor: 'maria', dueAt: NOW })).toBeNull()
  })

  test('for a signed-in colleague who speaks their language', () => {
    const speaks = { colleaguesSpeak: new Set(['en', 'es']) }
    expect(waitOf({ language: 'es' }, speaks)?.why).toBe('language')
    expect(waitOf({ language: 'es' })).toBeNull()
    expect(waitOf({ language: 'es' }, { ...speaks, languages: ['en', 'es'] })).toBeNull()
    const ownCallback = { language: 'es', kind: 'callback', callbackFor: 'maria' } as const
    expect(waitOf(ownCallback, speaks)).toBeNull()
  })

  test('for 15 minutes after the same person skipped them', () => {
    expect(waitOf({ skippedBy: 'maria', skippedUntil: NOW + 1 })).toEqual({ why: 'skipped', until: NOW + 1 })
    expect(waitOf({ skippedBy: 'maria', skippedUntil: NOW })).toBeNull()
    expect(waitOf({ skippedBy: 'bob', skippedUntil: NOW + 1 })).toBeNull()
  })
})

test('a language the caller speaks comes before others that nobody else speaks', () => {
  const calls = order([
    { leadId: 'spanish', language: 'es', dueAt: NOW },
    { leadId: 'english', dueAt: NOW - HOUR },
  ])
  expect(calls.map(({ leadId }) => leadId)).toEqual(['english', 'spanish'])
})
