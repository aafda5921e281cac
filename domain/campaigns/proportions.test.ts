import { expect, test } from 'vitest'
import { differenceInterval, shareInterval } from './proportions.ts'

const rounded = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)]

// Published values: R. G. Newcombe, Statistics in Medicine 17 (1998), pages 857-872 (one proportion, method 3) and 873-890
// (the difference between two, method 10).
test.each([
  [81, 263, '0.2553', '0.3662'],
  [15, 148, '0.0624', '0.1605'],
  [0, 20, '0.0000', '0.1611'],
  [1, 29, '0.0061', '0.1718'],
])('the proportion %i of %i is between %s and %s', (count, of, low, high) => {
  expect(rounded(shareInterval({ count, of }))).toEqual([low, high])
})

test.each([
  [56, 70, 48, 80, '0.0524', '0.3339'],
  [9, 10, 3, 10, '0.1705', '0.8090'],
  [10, 10, 0, 10, '0.6075', '1.0000'],
  [5, 56, 0, 29, '-0.0381', '0.1926'],
  // With no data on one side, the interval includes zero.
  [900, 1000, 0, 0, '-0.1004', '0.9003'],
])('%i of %i minus %i of %i is between %s and %s', (a, m, b, n, low, high) => {
  expect(rounded(differenceInterval({ count: a, of: m }, { count: b, of: n }))).toEqual([low, high])
})
