import { expect, test } from 'vitest'
import { costOf, firstUnfinished, monthsBetween } from './costs.ts'

test('what few clients cost has a range, and none at all only a lower end', () => {
  const { each, range } = costOf(500_000, 4, 300)
  expect([each, Math.round(range?.low ?? 0), Math.round(range?.high ?? 0)]).toEqual([125_000, 49_345, 320_700])
  expect(costOf(500_000, 0, 300)).toMatchObject({ each: null, range: { high: null } })
  expect(costOf(500_000, 100, 300)).toEqual({ each: 5000, range: null })
  expect(costOf(500_000, 300)).toMatchObject({ range: null })
  expect(costOf(0, 4, 300).range).toBeNull()
})

test('a month is finished once its last people had time to become clients', () => {
  const months = monthsBetween('2029-11', '2030-02')
  expect(months).toEqual(['2029-11', '2029-12', '2030-01', '2030-02'])
  expect(['2029-11-30', '2029-12-01', '2030-02-28', '2030-03-01'].map(day => firstUnfinished(months, day))).toEqual([
    '2029-11',
    '2029-12',
    '2030-02',
    null,
  ])
})
