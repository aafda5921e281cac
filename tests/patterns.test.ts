/** Every regular expression that text from outside may reach takes steps in proportion to the text's length. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { FAST, growthOf } from './support/backtracking.ts'

const project = join(import.meta.dirname, '..')

/** These read our own pages' words, and Node's description of an error. So do `launch`, `build`, and `content`. */
const OWN_TEXT = ['site/static/markdown.tsx', 'cli/run.ts']

const files = globSync('{domain,server,desk,cli,site}/**/*.{ts,tsx}', { cwd: project }).filter(
  file => !file.includes('.test.') && !OWN_TEXT.includes(file),
)

interface Literal {
  readonly regex?: { readonly pattern: string; readonly flags: string }
}

function patternsIn(file: string): readonly RegExp[] {
  const text = readFileSync(join(project, file), 'utf8')
  if (/new RegExp\(/.test(text)) throw new Error(`${file}: write the pattern as a literal, so it’s tested.`)
  const found: RegExp[] = []
  JSON.stringify(parseSync(file, text).program, (_, value: Literal | null) => {
    if (value?.regex) found.push(new RegExp(value.regex.pattern, value.regex.flags))
    return value
  })
  return found
}

const patterns = new Map(
  files.flatMap(file => patternsIn(file).map(pattern => [`${pattern}`, { file, pattern }] as const)),
)

test('slow patterns are recognized, fast ones aren’t', () => {
  const slow = [
    /\s*(?:x|#)\s*\d{1,6}\s*$/,
    /^\D+|\D+$/g,
    /\s+$/,
    /^(a+)+$/,
    /(?:a|aa)+$/,
    /<.*>/,
    /^[^@]+@[^@]+\.[^@]+$/,
  ]
  for (const pattern of slow) expect([pattern, growthOf(pattern).growth > FAST]).toEqual([pattern, true])
  const fast = [/^\s+/, /\s+/g, /[a-z]{3,}|\d+/gi, /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, /^\D*(\d)\1+$/, /(?=x)\d/]
  for (const pattern of fast) expect([pattern, growthOf(pattern).growth < FAST]).toEqual([pattern, true])
})

test('the product’s patterns take steps in proportion to the text', () => {
  expect(patterns.size).toBeGreaterThan(150)
  const slow = Array.from(patterns.values(), ({ file, pattern }) => ({
    file,
    pattern: `${pattern}`,
    ...growthOf(pattern),
  }))
  expect(slow.filter(({ growth }) => growth > FAST)).toEqual([])
})
