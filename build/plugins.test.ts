import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mistakeOf } from './mistakes.ts'
import { refuseOtherEncodings } from './plugins.ts'

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
