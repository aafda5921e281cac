import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('cells are quoted where RFC 4180 asks for it, lines end with CR LF', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 7])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,7\r\n',
  )
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '＋1', '－1', '＠x'])('%s is not a formula any more', cell => {
  expect(csvLine([cell])).toBe(`'${cell}\r\n`)
})

test.each(['\t=1+1', '\r=1+1'])('%j is not a formula any more', cell => {
  expect(csvLine([cell])).toMatch(/^"'\s'=1\+1"\r\n$/)
})

test('a formula behind what another country’s spreadsheet takes for a separator is none either', () => {
  expect(csvLine(['x;=1+1', 'a\n=2', 'a\t@b'])).toBe(`"x;'=1+1","a\n'=2","a\t'@b"\r\n`)
})

test('harmless text stays as it is', () => {
  const cells = ['a=b', 'a-b@example.org', '(555) 010-2030', "O'Neil", 'utm_source=news&utm_term=x']
  expect(csvLine(cells)).toBe(`${cells.join(',')}\r\n`)
})
