/** The accessibility statement can claim only what tests prove. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tested } from './tested.ts'

test.each(tested)('$shows', ({ file, runs }) => {
  const source = readFileSync(file, 'utf8')
  for (const run of runs) expect(source, file).toContain(run)
  // A skipped test proves nothing.
  expect(source, file).not.toMatch(/\.(skip|fixme|only|todo)\b/)
})

test('axe applies the WCAG 2.2 A and AA rules', () => {
  const source = readFileSync('tests/e2e/axe.ts', 'utf8')
  for (const rules of ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']) expect(source).toContain(`'${rules}'`)
})

test('the other engines run every journey in tests/browsers, including the whole questionnaire', () => {
  expect(readFileSync('playwright.config.ts', 'utf8')).toContain("testDir: 'tests/browsers'")
  expect(readFileSync('tests/browsers/journeys.spec.ts', 'utf8')).toContain('an eligible visitor leaves a lead')
})
