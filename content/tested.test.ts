/** The accessibility statement says what we test: here it is held to that. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tested } from './tested.ts'

test.each(tested)('$shows', ({ file, runs }) => {
  const source = readFileSync(file, 'utf8')
  for (const run of runs) expect(source, file).toContain(run)
  // A test that is switched off shows nothing.
  expect(source, file).not.toMatch(/\.(skip|fixme|only|todo)\b/)
})

test('axe judges by the rules of WCAG 2.2, A and AA', () => {
  const source = readFileSync('tests/e2e/axe.ts', 'utf8')
  for (const rules of ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']) expect(source).toContain(`'${rules}'`)
})

test('the engines besides Chromium’s run every journey of tests/browsers, the whole check among them', () => {
  expect(readFileSync('playwright.config.ts', 'utf8')).toContain("testDir: 'tests/browsers'")
  expect(readFileSync('tests/browsers/eligible.spec.ts', 'utf8')).toContain('an eligible visitor leaves a lead')
})
