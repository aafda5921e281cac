/** The launch check rejects the delivered defaults and accepts the filled-in example in tests/support. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { LaunchReport } from '../../launch/check.ts'
import { FILLED_IN } from '../support/filled-in.ts'
import { onDemand } from '../support/on-demand.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

await Promise.all([onDemand('site'), onDemand('filledInSite')])

const dataDir = mkdtempSync(join(tmpdir(), 'launch-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

/** Runs the launch check as an operator would, in this project or a copy of it. */
function launchCheck(folder: string, env: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const args = [join(folder, 'build/launch-check.ts'), '--offline', ...options]
  const { NODE_COMPILE_CACHE } = PROGRAM_ENV
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env: { NODE_COMPILE_CACHE, ...env },
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return { exitCode: status, stdout }
}

function launchReport(folder: string, env: Readonly<Record<string, string>>) {
  const { exitCode, stdout } = launchCheck(folder, env, '--json')
  return { exitCode, ...(JSON.parse(stdout) as LaunchReport & { readonly ready: boolean }) }
}

const delivered = { ...PROGRAM_ENV, DATA_DIR: dataDir }

test('the delivered site has these launch blockers', () => {
  const { exitCode, ready, blockers, notes } = launchReport('.', delivered)
  expect({ exitCode, ready }).toEqual({ exitCode: 1, ready: false })
  expect(notes.map(({ id }) => id)).toContain('advertorial_date')
  const subjects: Record<string, string[]> = {}
  for (const { id } of blockers) {
    const [code = '', subject = ''] = id.split(':')
    // Depend on today's date.
    if (code === 'legal_rule_overdue' || code === 'figure_expired') continue
    subjects[code] = [...(subjects[code] ?? []), subject]
  }
  const legal = ['privacy', 'terms', 'hipaa', 'contact', 'help', 'accessibility']
  expect(subjects).toEqual({
    sample_testimonial: ['Linda', 'Robert', 'María', 'Carol'],
    scarcity_without_evidence: ['spotsRemaining'],
    claim_without_basis: ['confidential', 'hipaaProtected', 'secure', 'rated', 'fiveStars'],
    calling_hours_unreviewed: ['CALL_LIST'],
    language_not_reviewed: ['Spanish'],
    language_without_stop_word: ['Spanish'],
    legal_draft: ['en', 'es'].flatMap(language => legal.map(name => `content/legal/${name}.${language}.md`)),
    figure_without_source: [
      'initialDenials',
      'initialDenialsAdvertorial',
      'initialDecisionTime',
      'checkTakes',
      'checkDuration',
    ],
    language_without_staff: ['Spanish'],
    organization_as_delivered: ['name', 'phone'],
    organization_incomplete: ['address', 'hours'],
    temporary_store: ['DATA_DIR'],
    no_public_address: ['SITE_URL'],
    no_trusted_proxy: ['TRUST_PROXY'],
    trusted_form_off: ['TRUSTEDFORM'],
    no_alert_address: ['ALERT_WEBHOOK_URL'],
    no_time_zone: ['TIME_ZONE'],
  })
  expect(blockers.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['maximumBenefit', 'averageBenefit', 'feeCap'].map(figure => `figure_expired:${figure}`)),
  )
  for (const { id, reason, change } of blockers) {
    expect(reason, id).toMatch(/[.)]$/)
    expect(change, id).toMatch(
      /^(content\/[\w./-]+\.(toml|md)(:\d+)?( \(add [^)]+ = …\))?$|\S+ \(add [A-Z_]+=…\)$|environment variable DATA_DIR$)/,
    )
  }
})

test('the report groups blockers by who fixes them, one line per cause', () => {
  const { stdout } = launchCheck('.', delivered)
  const headings = stdout.match(/^For .*$/gm)
  expect(headings).toEqual([
    'For the owner',
    'For your lawyer',
    'For marketing',
    'For IT: in the settings, on the server',
  ])
  expect(stdout).toContain('Sample testimonials are shown: Linda, Robert, María, Carol.')
})

test('the filled-in example has no launch blockers', () => {
  const { exitCode, ready, blockers, notes } = launchReport(FILLED_IN, {})
  expect(blockers).toEqual([])
  expect({ exitCode, ready }).toEqual({ exitCode: 0, ready: true })
  // The only notes are about links that --offline skipped, and about how hard the texts are to read.
  expect(notes.filter(({ id }) => !/^link_not_checked:https:\/\//.test(id))).toEqual([])
})
