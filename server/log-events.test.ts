import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logEvents } from './log-events.ts'

test('the operator’s table names every code with its words, and no other', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/operations.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_]+)` +\| ([^|]+?) +\|/gm)].map(([, code, words]) => [code, words])
  expect(Object.fromEntries(rows)).toEqual(logEvents)
})

test('codes are small letters and underscores: somebody’s monitoring has to type them', () => {
  expect(Object.keys(logEvents).filter(code => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([])
})
