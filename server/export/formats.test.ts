import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeFormulas, readTable, unescapeFormulas } from '../../domain/text/table-cells.ts'
import { csvLine } from './formats.ts'
import { jsonText, plain } from './plain-text.ts'

test('cells are quoted as RFC 4180 requires, and lines end with CR LF', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 7])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,7\r\n',
  )
})

/** C0, C1, line separators, direction overrides and marks, zero-width characters, fillers, and tags. */
const invisible = [
  ...['\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u202e', '\u2066', '\u200e', '\u061c'],
  ...['\u200b', '\ufeff', '\u2060', '\u00ad', '\u3164', '\u{e0041}'],
]

test.each([...invisible, '\u200d'])('a formula after the invisible %j is neutralized', character => {
  expect(csvLine([`${character}=1+1`])).toMatch(/^'[\s\u200d]+=1\+1\r\n$/)
  expect(csvLine([`x;${character}@SUM(A1)`])).toMatch(/^"x;'[\s\u200d]+@SUM\(A1\)"\r\n$/)
})

test('a quote keeps a formula from being one, also after other locales’ separators, quotes, and spaces', () => {
  expect(csvLine(['=1+1', '+1', '＠x', '\t=1+1'])).toBe(`'=1+1,'+1,'＠x,"'\t'=1+1"\r\n`)
  expect(csvLine(['x;=1+1', 'a\n=2', 'a\t@b'])).toBe(`"x;'=1+1","a\n'=2","a\t'@b"\r\n`)
  expect(csvLine(['a;"=1+1;b', 'x; =2', '"=3', ' -4'])).toBe(`"a;'""=1+1;b","x;' =2","'""=3",' -4\r\n`)
})

test('no cell is ever a formula, regardless of its content or the separator', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n" \'a1'), maxLength: 12 })
  const lines = fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
  const formula = /^[\s"]*[=+\-@＝＋－＠]/
  fc.assert(
    fc.property(lines, fc.constantFrom(',', ';', '\t'), fc.boolean(), (rows, separator, honorsQuotes) => {
      const cells = cellsOf(rows.map(csvLine).join(''), separator, honorsQuotes)
      expect(cells.filter(cell => formula.test(cell))).toEqual([])
    }),
    { numRuns: 5000 },
  )
})

/** Parses like a spreadsheet: a quote counts only at the start of a cell, and text after the closing quote is part of the cell. */
function cellsOf(text: string, separator: string, honorsQuotes: boolean): readonly string[] {
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quoted && letter === '"' && text[at + 1] === '"') cell += text[++at]
    else if (quoted && letter === '"') quoted = false
    else if (quoted) cell += letter
    else if (honorsQuotes && letter === '"' && (at === 0 || [separator, '\r', '\n'].includes(text.charAt(at - 1)))) {
      quoted = true
    } else if (letter === separator || letter === '\r' || letter === '\n') {
      cells.push(cell)
      cell = ''
    } else cell += letter
  }
  return [...cells, cell]
}

test('what was escaped reads as it was, also if it looked escaped before', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠;,\n" \'a1'), maxLength: 12 })
  const names = fc.array(text, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(names), rows => {
      const read = readTable(rows.map(csvLine).join(''), { separators: ',' })
      const trimmed = rows.map(row => row.map(cell => escapeFormulas(cell).trim()))
      const expected = [...trimmed.map(row => (row.every(cell => cell === '') ? [] : row)), []]
      expect(read).toEqual({ rows: expected, isWhole: true })
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(text, name => {
      expect(unescapeFormulas(escapeFormulas(name))).toBe(name)
    }),
    { numRuns: 5000 },
  )
})

test('harmless text is unchanged', () => {
  const cells = ['a=b', 'a-b@example.org', '(555) 010-2030', "O'Neil", 'utm_source=news&utm_term=x']
  expect(csvLine(cells)).toBe(`${cells.join(',')}\r\n`)
})

test.each(invisible)('%j never reaches a terminal', character => {
  expect(plain(`a${character}b`)).toBe('a b')
  const json = jsonText({ name: `a${character}b` }, 2)
  expect(json).not.toContain(character)
  expect(JSON.parse(json)).toEqual({ name: `a${character}b` })
})

test.each(['José', '王小明', 'می\u200cخواهم', '👩\u200d👩\u200d👧', '❤\ufe0f'])('%s is unchanged', name => {
  expect(plain(name)).toBe(name)
  expect(jsonText(name)).toBe(`"${name}"`)
})
