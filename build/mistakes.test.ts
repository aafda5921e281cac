import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ContentFault } from '../site/rules/content-rules.ts'
import { describeMistake, mistakeOf, mistakesIn } from './mistakes.ts'
import { refuseOtherEncodings } from './plugins.ts'

describe('a mistake in an edit', () => {
  let root: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'mistakes-'))
    mkdirSync(join(root, 'content'))
    writeFileSync(
      join(root, 'content/landing.ts'),
      "export const landing = {\n  hero: { heading: 'Hello' },\n  proof: {\n    haeding: 'People',\n    note: 'x',\n  },\n}\n",
    )
  })

  afterEach(() => rmSync(root, { recursive: true }))

  test('a slip of the pen is told with its file, its line and what was expected', () => {
    const [mistake] = mistakesIn("content/landing.ts(2,11): error TS1005: ',' expected.\n", root)
    expect(mistake).toEqual({ file: 'content/landing.ts', line: 2, column: 11, message: "',' expected." })
    expect(mistake && describeMistake(mistake, root)).toBe(
      "content/landing.ts, line 2: ',' expected.\n  2 |   hero: { heading: 'Hello' },\n    |           ^",
    )
  })

  test('a misnamed word is told where it stands in content/, not where a page misses it', () => {
    const report = `site/static/pages.ts(34,20): error TS2345: Argument of type '{ a: 1 }' is not assignable to parameter of type 'LandingWords'.
    Types of property 'proof' are incompatible.
      Property 'heading' is missing in type '{ readonly haeding: "People"; readonly note: "x"; }' but required in type 'ProofWords'.
  `
    expect(mistakesIn(report, root)).toEqual([
      { file: 'content/landing.ts', line: 4, column: 5, message: "'heading' is missing." },
    ])
  })

  test('faults in tests and in other programs keep no text from going live', () => {
    const report = `content/landing.test.ts(1,1): error TS1005: ',' expected.\nbench/main.ts(1,1): error TS1005: ',' expected.\n`
    expect(mistakesIn(report, root)).toEqual([])
  })

  test('a long line is cut around the place', () => {
    writeFileSync(join(root, 'content/landing.ts'), `${'x'.repeat(500)}HERE${'y'.repeat(500)}\n`)
    const [, shown = '', mark = ''] = describeMistake(
      { file: 'content/landing.ts', line: 1, column: 501, message: 'm' },
      root,
    ).split('\n')
    expect(shown.length).toBeLessThan(100)
    expect(shown[mark.indexOf('^')]).toBe('H')
  })

  test('an error of the bundler is told by its place, without its colors; others are none of ours', () => {
    const error = {
      message:
        '\u001b[31m[PARSE_ERROR] \u001b[0mExpected `,`\n ╭─[ content/landing.ts:2:3 ]\n   │        ╰──── `,` or `}` expected\n',
      id: join(root, 'content/landing.ts'),
      loc: { file: join(root, 'content/landing.ts'), line: 2, column: 2 },
    }
    const mistake = { file: 'content/landing.ts', line: 2, column: 3, message: '`,` or `}` expected' }
    expect(mistakeOf(error, root)).toEqual(mistake)
    expect(mistakeOf({ errors: [error] }, root)).toEqual(mistake)
    expect(mistakeOf(new Error('disk full'), root)).toBeNull()
  })

  test('a fault of the content is told at the line that its texts lead to', () => {
    const fault = new ContentFault('Expected a text.', { file: 'content/landing.ts', after: ['proof:', 'note: "x"'] })
    expect(mistakeOf(fault, root)).toEqual({
      file: 'content/landing.ts',
      line: 5,
      column: 5,
      message: 'Expected a text.',
    })
  })

  test('one slip is told once, however often the compiler stumbles over its line', () => {
    const stumbles = [9, 14, 20].map(column => `content/landing.ts(2,${column}): error TS1005: ',' expected.\n`)
    expect(mistakesIn(stumbles.join(''), root).map(({ column }) => column)).toEqual([9])
  })

  test('an apostrophe that ends a text, and a comma that a line lacks, are told as what they are', () => {
    writeFileSync(join(root, 'content/landing.ts'), "  text: 'Aren't you?',\n  note: 'x'\n  more: 'y',\n")
    const comma = (line: number, column: number) =>
      `content/landing.ts(${line},${column}): error TS1005: ',' expected.\n`
    expect(mistakesIn(comma(1, 15) + comma(3, 3), root).map(({ message }) => message)).toEqual([
      "',' expected. Put a text with an apostrophe in it in double quotation marks.",
      "',' expected at the end of the line before.",
    ])
  })
})

describe('an encoding other than UTF-8', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'encodings-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  function mistakeIn(bytes: Buffer) {
    const file = join(folder, 'help.md')
    writeFileSync(file, bytes)
    try {
      refuseOtherEncodings(file)
      return null
    } catch (error) {
      return mistakeOf(error, folder)
    }
  }

  test('a text in the encoding of an old editor is told where its first lost character stands', () => {
    expect(mistakeIn(Buffer.from('# Help\n\nCaf\u00e9.\n', 'latin1'))).toEqual({
      file: 'help.md',
      line: 3,
      column: 4,
      message: 'Expected a file that is saved as UTF-8: choose that encoding where you save it.',
    })
  })

  test('one in UTF-8 passes, whatever it says', () => {
    expect(mistakeIn(Buffer.from('# Help\n\nCafé — “it’s” 電話.\n'))).toBeNull()
  })
})
