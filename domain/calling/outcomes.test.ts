import { expect, test } from 'vitest'
import { callOutcomeNames, callOutcomes, outcomeName } from './outcomes.ts'

test('outcomes are in the order of their keys', () => {
  expect(callOutcomeNames.map(name => callOutcomes[name].key).join('')).toBe('1234567')
})

test('what someone said counts on all their numbers, but a wrong number says nothing about the others', () => {
  const everywhere = callOutcomeNames.filter(name => callOutcomes[name].answersOtherNumbers)
  expect(everywhere).toEqual(['going ahead', 'not interested', 'never call again'])
})

test('every stored outcome has a label', () => {
  expect(['voicemail', 'not reached', 'undone', 'not called'].map(outcomeName)).toEqual([
    'Left voicemail',
    'Not reached',
    'Undone',
    'Didn’t call',
  ])
})
