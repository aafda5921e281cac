import { expect, test } from 'vitest'
import { callOutcomeNames, callOutcomes, outcomeName } from './outcomes.ts'

test('outcomes are in the order of their keys', () => {
  expect(callOutcomeNames.map(name => callOutcomes[name].key).join('')).toBe('1234567')
})

test('every stored outcome has a label', () => {
  expect(['voicemail', 'not reached', 'undone', 'not called'].map(outcomeName)).toEqual([
    'Left voicemail',
    'Not reached',
    'Undone',
    'Didn’t call',
  ])
})
