/** The accessibility statement can claim only what tests prove. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tested } from './tested.ts'

test.each(tested)('$shows.en', ({ provenBy }) => {
  for (const [file, texts] of Object.entries(provenBy)) {
    const source = readFileSync(file, 'utf8')
    for (const text of texts) expect(source, file).toContain(text)
    // A skipped test proves nothing.
    expect(source, file).not.toMatch(/\.(skip|fixme|only|todo)\b/)
  }
})
