/** The accessibility statement may only claim what these tests show. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tested } from './tested.ts'

test.each(tested)('$shows', ({ file, runs }) => {
  const source = readFileSync(file, 'utf8')
  for (const run of runs) expect(source, file).toContain(run)
  // A disabled test shows nothing.
  expect(source, file).not.toMatch(/\.(skip|fixme|only|todo)\b/)
})

test('axe judges by the rules of WCAG 2.2, A and AA', () => {
  const source = readFileSync('tests/e2e/axe.ts', 'utf8')
  for (const rules of ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']) expect(source).toContain(`'${rules}'`)
})

test('the other engines run every journey of tests/browsers, including the whole check', () => {
  expect(readFileSync('playwright.config.ts', 'utf8')).toContain("testDir: 'tests/browsers'")
  expect(readFileSync('tests/browsers/journeys.spec.ts', 'utf8')).toContain('an eligible visitor leaves a lead')
})
