import { expect, test } from 'vitest'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'

test.each([
  ['Ada', 3],
  ['José', 4],
  ['Jose\u0301', 4],
  ['王小明', 6],
  ['김철수', 6],
  ['ﾔﾏ', 2],
  ['👩‍👩‍👧 ❤️', 5],
  ['🇺🇸', 2],
  ['a\u200bb', 2],
  ['', 0],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test('what is too wide is cut between letters, and never grows', () => {
  expect(cutToWidth('Lovelace', 8)).toBe('Lovelace')
  expect(cutToWidth('Lovelace', 5)).toBe('Love…')
  expect(cutToWidth('王小明', 4)).toBe('王…')
  expect(cutToWidth('Jose\u0301 Maria', 5)).toBe('Jose\u0301…')
})

test('padding counts columns', () => {
  expect(padToWidth('王', 4)).toBe('王  ')
  expect(padToWidth('Lovelace', 4)).toBe('Lovelace')
})
