import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ContentFault } from '../site/rules/content-rules.ts'
import { refuseOtherEncodings } from './plugins.ts'
import { formatSourceError, parseTypeErrors, toSourceError } from './source-errors.ts'

describe('an error in an edited file', () => {
  let root: string

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'source-errors-'))
    mkdirSync(join(root, 'content'))
    writeFileSync(
      join(root, 'content/landing.ts'),
      "export const landing = {\n  hero: { heading: 'Hello' },\n  proof: {\n    haeding: 'People',\n    note: 'x',\n  },\n}\n",
    )
  })

  afterEach(() => rmSync(root, { recursive: true }))

  test('a typo is reported with its file, line, and what was expected', () => {
    const [error] = parseTypeErrors("content/landing.ts(2,11): error TS1005: ',' expected.\n", root)
    expect(error).toEqual({ file: 'content/landing.ts', line: 2, column: 11, message: "',' expected." })
    expect(error && formatSourceError(error, root)).toBe(
      "content/landing.ts, line 2: ',' expected.\n  2 |   hero: { heading: 'Hello' },\n    |           ^",
    )
  })

  test('a misnamed key is reported where it is in content/, not where a page uses it', () => {
    const report = `site/static/pages.ts(34,20): error TS2345: Argument of type '{ a: 1 }' is not assignable to parameter of type 'LandingWords'.
    Types of property 'proof' are incompatible.
      Property 'heading' is missing in type '{ readonly haeding: "People"; readonly note: "x"; }' but required in type 'ProofWords'.
  `
    expect(parseTypeErrors(report, root)).toEqual([
      { file: 'content/landing.ts', line: 4, column: 5, message: "'heading' is missing." },
    ])
  })

  test('errors in tests and in other programs don’t block a text change', () => {
    const report = `content/landing.test.ts(1,1): error TS1005: ',' expected.\nbench/main.ts(1,1): error TS1005: ',' expected.\n`
    expect(parseTypeErrors(report, root)).toEqual([])
  })

  test('a long line is cut around the column', () => {
    writeFileSync(join(root, 'content/landing.ts'), `${'x'.repeat(500)}HERE${'y'.repeat(500)}\n`)
    const [, shown = '', mark = ''] = formatSourceError(
      { file: 'content/landing.ts', line: 1, column: 501, message: 'm' },
      root,
    ).split('\n')
    expect(shown.length).toBeLessThan(100)
    expect(shown[mark.indexOf('^')]).toBe('H')
  })

  test('a bundler error is reported with its location, without colors; other errors are not source errors', () => {
    const error = {
      message:
        '\u001b[31m[PARSE_ERROR] \u001b[0mExpected `,`\n ╭─[ content/landing.ts:2:3 ]\n   │        ╰──── `,` or `}` expected\n',
      id: join(root, 'content/landing.ts'),
      loc: { file: join(root, 'content/landing.ts'), line: 2, column: 2 },
    }
    const expected = { file: 'content/landing.ts', line: 2, column: 3, message: '`,` or `}` expected' }
    expect(toSourceError(error, root)).toEqual(expected)
    expect(toSourceError({ errors: [error] }, root)).toEqual(expected)
    expect(toSourceError(new Error('disk full'), root)).toBeNull()
  })

  test('a content error is reported at the line its strings lead to', () => {
    const fault = new ContentFault('Expected a text.', { file: 'content/landing.ts', after: ['proof:', 'note: "x"'] })
    expect(toSourceError(fault, root)).toEqual({
      file: 'content/landing.ts',
      line: 5,
      column: 5,
      message: 'Expected a text.',
    })
  })

  test('a line is reported once, even if the compiler finds several errors in it', () => {
    const stumbles = [9, 14, 20].map(column => `content/landing.ts(2,${column}): error TS1005: ',' expected.\n`)
    expect(parseTypeErrors(stumbles.join(''), root).map(({ column }) => column)).toEqual([9])
  })

  test('an unescaped apostrophe and a missing comma are explained', () => {
    writeFileSync(join(root, 'content/landing.ts'), "  text: 'Aren't you?',\n  note: 'x'\n  more: 'y',\n")
    const comma = (line: number, column: number) =>
      `content/landing.ts(${line},${column}): error TS1005: ',' expected.\n`
    expect(parseTypeErrors(comma(1, 15) + comma(3, 3), root).map(({ message }) => message)).toEqual([
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

  function errorIn(bytes: Buffer) {
    const file = join(folder, 'help.md')
    writeFileSync(file, bytes)
    try {
      refuseOtherEncodings(file)
      return null
    } catch (error) {
      return toSourceError(error, folder)
    }
  }

  test('a file in an old encoding is reported at its first unreadable character', () => {
    expect(errorIn(Buffer.from('# Help\n\nCaf\u00e9.\n', 'latin1'))).toEqual({
      file: 'help.md',
      line: 3,
      column: 4,
      message: 'Expected a file that is saved as UTF-8: choose that encoding where you save it.',
    })
  })

  test('any UTF-8 text passes', () => {
    expect(errorIn(Buffer.from('# Help\n\nCafé — “it’s” 電話.\n'))).toBeNull()
  })
})
