import { expect, test } from 'vitest'
import { isStorable, oneLine, plainDigits, withoutInvisible } from './text.ts'

test.each([
  ['  Mary \t\n Ann ', 'Mary Ann'],
  ['nna\u202emot', 'nnamot'],
  ['\u2066Ann\u2069 \u200eLee\u061c', 'Ann Lee'],
  ['An\u200bn\u00ad\ufeff\u2060', 'Ann'],
  ['Ann\u200d\u200cLee\u200d', 'AnnLee'],
  ['a\u0000b\u001b[2Jc\u2028d', 'a b [2Jc d'],
  ['A\ud800', 'A\ufffd'],
  ['\u200b\u3164', ''],
])('%j is read as %j', (typed, read) => expect(oneLine(typed)).toBe(read))

test.each([
  'محمد علی\u200cرضا',
  'क्\u200dष',
  '👩‍👩‍👧',
  '👩🏽‍⚕️',
  '❤️‍🔥',
  'Kaʻiulani',
  'O’Brien',
  'Łukasz',
  'ﷺ',
  '葛\u{e0100}',
])('%s stays as it is', name => expect(oneLine(name)).toBe(name))

test('numbers and addresses lose everything that doesn’t show, and get the digits we compare', () => {
  expect(withoutInvisible('2\u200c12\u202d555\u200d')).toBe('212555')
  expect(plainDigits('（２１２）５５５－０１８７')).toBe('(212)555-0187')
  expect(plainDigits('٢١٢ ۵۵۵')).toBe('212 555')
})

test('NUL and half a character can’t be stored, wherever they are', () => {
  const deep = JSON.parse(`${'['.repeat(50_000)}"a\\u0000"${']'.repeat(50_000)}`)
  for (const value of ['\0', ['a', { b: '\ud83d' }], { '\udc00': 1 }, deep]) expect(isStorable(value)).toBe(false)
  for (const value of ['😀', null, 1, { a: ['b', undefined] }, new Map()]) expect(isStorable(value)).toBe(true)
})
