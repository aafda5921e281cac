import { expect, test } from 'vitest'
import { dropOff } from './drop-off.ts'

test('people who saw a question but not the next one dropped off there; everyone who views the page sees question 1', () => {
  const steps = dropOff([85, 80, 75, 60], 3, { views: 100, declined: 20, submitted: 30 })
  expect(steps).toEqual([
    { question: 1, reached: 100, left: 20 },
    { question: 2, reached: 80, left: 5 },
    { question: 3, reached: 75, left: 15 },
    { question: 'declined', reached: 60, left: 20 },
    { question: null, reached: 40, left: 10 },
  ])
})

test('no step has more people than the one before, and there are none until a page reports progress', () => {
  const steps = dropOff([3, 4], 3, { views: 3, declined: 2, submitted: 9 })
  expect(steps.map(({ reached }) => reached)).toEqual([3, 3, 3, 3, 1])
  expect(steps.map(({ left }) => left)).toEqual([0, 0, 0, 2, 0])
  expect(dropOff([], 3, { views: 3, declined: 2, submitted: 9 })).toEqual([])
})
