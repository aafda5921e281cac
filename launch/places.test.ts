import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const root = mkdtempSync(join(tmpdir(), 'places-'))

beforeAll(() => {
  mkdirSync(join(root, 'content/legal'), { recursive: true })
  writeFileSync(
    join(root, 'content/figures.ts'),
    'export const figures = {\n  one: {\n    until: null,\n  },\n  two: {\n    until: null,\n  },\n}\n',
  )
  writeFileSync(join(root, 'content/quotes.ts'), 'const quote = {\n  text: "I\'d go again",\n}\n')
  writeFileSync(join(root, 'content/legal/terms.md'), 'Draft: x\n')
  writeFileSync(join(root, 'settings.env'), '# SITE_URL=x\nexport SITE_URL=http://a.test\n')
})

afterAll(() => rmSync(root, { recursive: true }))

test('a line of content is found by what stands before it, whatever file it is in', () => {
  const placeOf = createPlaces({ root, settingsFile: null, environment: {} })
  expect(placeOf({ after: ['two: {', 'until:'] })).toBe('content/figures.ts:6')
  expect(placeOf({ after: ['I’d go again'] })).toBe('content/quotes.ts:2')
  expect(placeOf({ file: 'content/legal/terms.md', after: ['Draft'] })).toBe('content/legal/terms.md:1')
  expect(placeOf({ after: ['nowhere'] })).toBe('content/')
})

test('a setting is changed where it comes from', () => {
  const settingsFile = join(root, 'settings.env')
  const placeOf = createPlaces({ root, settingsFile, environment: { TRUST_PROXY: '0.0.0.0/0' } })
  expect(placeOf({ setting: 'SITE_URL' })).toBe('settings.env:2')
  expect(placeOf({ setting: 'TRUST_PROXY' })).toBe('the environment, TRUST_PROXY')
  expect(placeOf({ setting: 'TRUSTEDFORM' })).toBe('settings.env, a new line TRUSTEDFORM=…')
  expect(createPlaces({ root, settingsFile: null, environment: {} })({ setting: 'SITE_URL' })).toBe(
    '.env, a new line SITE_URL=…',
  )
})
