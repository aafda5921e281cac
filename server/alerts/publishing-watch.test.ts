import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MINUTE } from '../../domain/durations.ts'
import { newFolder } from '../../tests/support/after-test.ts'
import { checkPublishing } from './publishing-watch.ts'

const NOON = Date.parse('2030-06-01T12:00:00Z')

test('an edit that can’t be published or fetched raises an alert, which names file and line', () => {
  const folder = newFolder()
  const raised: string[] = []
  const check = (errors: readonly string[], now = NOON) =>
    checkPublishing({ raise: (code, text) => raised.push(`${code}: ${text}`) }, folder, { errors, now })
  check([])
  expect(raised).toEqual([])
  check(['en.toml, line 4: a', 'b', 'c', 'd'])
  expect(raised.splice(0)).toEqual([expect.stringMatching(/^site_not_published: .*en\.toml, line 4: a b c And 1 more/)])
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/fetched'), '')
  utimesSync(join(folder, '.git/fetched'), NOON / 1000, NOON / 1000)
  check([], NOON + 15 * MINUTE)
  expect(raised).toEqual([])
  check([], NOON + 16 * MINUTE)
  expect(raised).toEqual([expect.stringMatching(/^site_not_fetched: /)])
})
