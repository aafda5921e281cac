import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HtmlValidate } from 'html-validate'
import { expect, test } from 'vitest'
import { BUILT } from './build.ts'

/** The standard's own rules, and those on accessibility; how markup is laid out is the renderer's affair. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  // Links that look and act as buttons work before and without script.
  rules: { 'input-attributes': 'error', 'prefer-native-element': ['error', { exclude: ['button'] }] },
})

const pages = readdirSync(BUILT, { recursive: true })
  .map(String)
  .filter(file => file.endsWith('.html'))

test('there are pages to check', () => expect(pages.length).toBeGreaterThan(5))

test.each(pages)('%s is valid HTML', async file => {
  const report = await validator.validateFile(join(BUILT, file))
  const faults = report.results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message, selector }) => `${line}: ${ruleId}: ${message} (${selector})`),
  )
  expect(faults).toEqual([])
})
