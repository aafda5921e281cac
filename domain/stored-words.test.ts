import { expect, test } from 'vitest'
import { erasureReasonInWords, outcomeInWords } from './stored-words.ts'

test.each([
  ['answered 500', 'responded with 500'],
  ['the webhook answered 503', 'responded with 503'],
  ['no answer within 15 s', 'no response within 15 s'],
  ['broken off', 'interrupted'],
  ['connection refused', 'connection refused'],
])('the outcome %o is shown as %o', (stored, shown) => {
  expect(outcomeInWords(stored)).toBe(shown)
})

test('the reason for an erasure is shown in words, and one of a newer version as it is', () => {
  expect(['retention', 'restored backup', 'other'].map(erasureReasonInWords)).toEqual([
    'past the retention period',
    'erased again after a backup was restored',
    'other',
  ])
})
