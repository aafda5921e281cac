import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../domain/durations.ts'
import { newFolder } from '../../tests/support/after-test.ts'
import type { PublishingStatus } from '../http/site-manifest.ts'
import { checkPublishing } from './publishing-watch.ts'

const NOW = Date.now()

test('an edit that can’t be published or fetched raises an alert, which names file and line, and says what visitors see', () => {
  const folder = newFolder()
  // Git keeps no empty pictures/, and an editor's lock leads nowhere.
  mkdirSync(join(folder, 'legal'))
  symlinkSync('someone@host.1', join(folder, '.#en.toml'))
  const raised: string[] = []
  const check = (
    status: Partial<PublishingStatus>,
    {
      now = NOW,
      isBehind = false,
      unknownTexts = [] as string[],
      publishedAt = '2026-11-18T15:00:00Z' as string | null,
    } = {},
  ) => {
    const watched = { folder, timeZone: 'America/New_York', publishedAt, isBehind, unknownTexts }
    const tried = { errors: [], held: [], history: [], triedAt: new Date(NOW + MINUTE).toISOString(), ...status }
    checkPublishing({ raise: (code, text) => raised.push(`${code}: ${text}`) }, watched, { status: tried, now })
    return raised.splice(0)
  }
  const live =
    'site_not_published: The last change of the site isn’t live: visitors see the site of 2026-11-18 10:00 EST.'
  expect(check({})).toEqual([])
  expect(check({ errors: ['en.toml, line 4: a', 'b', 'c', 'd'] })).toEqual([
    `${live} en.toml, line 4: a b c And 1 more: see Setup in the desk.`,
  ])
  expect(check({ errors: ['en.toml, line 4: a'] }, { publishedAt: null })).toEqual([
    expect.stringMatching(/^site_not_published: There’s no site yet, .* en\.toml, line 4: a$/),
  ])
  expect(check({}, { isBehind: true })).toEqual([expect.stringContaining(`${live} Another server`)])
  expect(check({}, { unknownTexts: ['consent.en'] })).toEqual([
    expect.stringMatching(/^form_off: consent\.en\.md was edited since its review.*, so the form is off/),
  ])
  expect(check({}, { unknownTexts: ['consent.spoken.en'] })).toEqual([
    expect.stringMatching(/, so agents can’t take a yes on the phone\. Have/),
  ])
  // Files that the publisher hasn't looked at since they were changed.
  const triedAt = new Date(NOW - HOUR).toISOString()
  expect(check({ triedAt }, { now: NOW + MINUTE })).toEqual([])
  expect(check({ triedAt }, { now: NOW + HOUR })).toEqual([expect.stringContaining(`${live} On the server`)])

  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git/fetched'), '')
  utimesSync(join(folder, '.git/fetched'), NOW / 1000, NOW / 1000)
  expect(check({}, { now: NOW + 15 * MINUTE })).toEqual([])
  expect(check({}, { now: NOW + 16 * MINUTE })).toEqual([expect.stringMatching(/^site_not_fetched: /)])

  // Links that lead in a circle; a folder that can't be read fails alike.
  rmSync(join(folder, '.git'), { recursive: true })
  symlinkSync('.git', join(folder, '.git'))
  expect(check({}, { now: NOW + 16 * MINUTE })).toEqual([])
})
