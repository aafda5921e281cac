import { expect, test } from 'vitest'
import { jsonText, plain } from './plain-text.ts'

/** C0, C1, line separators, overrides and marks of direction, what has no width, tags. */
const unseen = [
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u200e',
  '\u061c',
  '\u200b',
  '\ufeff',
  '\u2060',
  '\u{e0041}',
]

test.each(unseen)('%j does not reach a terminal', character => {
  expect(plain(`a${character}b`)).toBe('a b')
  const json = jsonText({ name: `a${character}b` }, 2)
  expect(json).not.toContain(character)
  expect(JSON.parse(json)).toEqual({ name: `a${character}b` })
})

test.each(['José', '王小明', 'می\u200cخواهم', '👩\u200d👩\u200d👧', '❤\ufe0f'])('%s stays as it is written', name => {
  expect(plain(name)).toBe(name)
  expect(jsonText(name)).toBe(`"${name}"`)
})
