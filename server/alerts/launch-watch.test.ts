import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY } from '../../domain/durations.ts'
import type { LaunchSettings } from '../../domain/launch/settings.ts'
import { readySettings } from '../../tests/support/built-page.ts'
import type { LaunchNotes } from '../http/site-manifest.ts'
import { createLaunchWatch, temporaryDisk } from './launch-watch.ts'

const figure = { code: 'figure_expired', subject: 'benefit', from: '2027-01-01' } as const
const sample = { code: 'sample_testimonial', subject: 'Linda' } as const

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Starts a server on this day. The function it returns advances the clock and returns the alerts raised then. */
function start(
  day: string,
  { points = [figure], justified = [], ...changed }: Partial<LaunchNotes & LaunchSettings> = {},
): (days: number) => readonly string[] {
  vi.setSystemTime(day)
  const lines: string[] = []
  const check = createLaunchWatch({
    launch: () => ({ points, justified }),
    settings: { ...readySettings, ...changed },
    alerts: {
      raise: (code, _text, { detail = {} } = {}) => lines.push(`${code} ${detail['count']}: ${detail['names']}`),
    },
  })
  return days => {
    vi.advanceTimersByTime(days * DAY)
    check()
    return lines.splice(0)
  }
}

test('a public site reports its blockers at startup, including settings, without naming quoted people', () => {
  expect(start('2026-11-15', { points: [figure, sample], webhookUrl: null })(0)).toEqual([
    'launch_blockers 2: sample_testimonial, no_webhook:LEAD_WEBHOOK_URL',
  ])
})

test('while the server runs, a figure is reported 30 days before it expires and once it has expired', () => {
  const after = start('2026-12-01')
  expect(after(0)).toEqual([])
  expect(after(1)).toEqual(['launch_blockers_soon 1: figure_expired:benefit'])
  expect(after(30)).toEqual(['launch_blockers 1: figure_expired:benefit'])
})

test('a justified finding raises no alert; a site on http isn’t public, so it raises no alerts', () => {
  expect(start('2027-02-01', { justified: ['figure_expired:benefit'] })(0)).toEqual([])
  expect(start('2027-02-01', { siteUrl: 'http://127.0.0.1:3000' })(0)).toEqual([])
})

test('a folder inside the temporary folder is temporary, even before it exists', () => {
  expect(temporaryDisk(tmpdir())).toContain('temporary files')
  expect(temporaryDisk(join(tmpdir(), 'not', 'there'))).toContain('temporary files')
})

test.runIf(process.platform === 'linux')('an in-memory disk is temporary', () => {
  // TMPDIR may be in /dev/shm during tests.
  vi.stubEnv('TMPDIR', '/tmp')
  expect(temporaryDisk('/dev/shm/leads')).toBe('/dev/shm/leads is kept in memory (tmpfs)')
  vi.unstubAllEnvs()
})

/** The checkout itself might be in a container's overlay or in a temporary folder. */
const OVERLAY = 0x794c7630
const isTemporary =
  statfsSync('.').type === OVERLAY ||
  [tmpdir(), '/tmp', '/var/tmp', '/run'].some(folder => process.cwd().startsWith(`${folder}/`))
test.skipIf(isTemporary)('any other disk is permanent', () => expect(temporaryDisk('data')).toBeNull())
