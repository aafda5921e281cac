import { expect, test } from 'vitest'
import { describeErasureReason, describeOutcome } from './lead-states.ts'

test.each([
  ['answered 500', 'responded with 500'],
  ['the webhook answered 503', 'responded with 503'],
  ['no answer within 15 s', 'no response within 15 s'],
  ['broken off', 'interrupted'],
  ['connection refused', 'connection refused'],
])('the outcome %o is shown as %o', (stored, shown) => expect(describeOutcome(stored)).toBe(shown))

test('known erasure reasons have a label; unknown ones are shown as stored', () => {
  expect(['retention', 'restored backup', 'other'].map(describeErasureReason)).toEqual([
    'past the retention period',
    'erased again after a backup was restored',
    'other',
  ])
})
