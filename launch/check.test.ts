import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type LaunchFinding, openOn } from '../domain/launch/findings.ts'
import { launchReport } from './check.ts'
import { createLocator } from './locations.ts'

const finding: LaunchFinding = {
  code: 'figure_expired',
  subject: 'benefit',
  detail: '$4,018\nThe new one is $4,152.',
  from: '2026-01-01',
  change: { key: 'evidence.toml figures.benefit.until' },
}
const change = 'evidence.toml:12'
const options = { findings: [finding], accepted: {}, today: '2026-11-15', locationOf: () => change }
const acceptance = { by: 'Jane Roe, counsel', on: '2026-11-01', why: 'Replaced on December 1.' }
const accepted = (changed: object) =>
  launchReport({ ...options, accepted: { 'figure_expired:benefit': { ...acceptance, ...changed } } })

test('a blocker has an id, a reason, and the line to change', () => {
  const reason = 'Out-of-date figures: benefit ($4,018) was valid through 2025-12-31. The new one is $4,152.'
  const blocker = { id: 'figure_expired:benefit', group: 'marketer', reason, change }
  expect(launchReport(options)).toMatchObject({ blockers: [blocker], notes: [] })
})

test('an acceptance turns a blocker into a note from its day on', () => {
  const reason = 'Accepted by Jane Roe, counsel on 2026-11-01: Replaced on December 1.'
  expect(accepted({})).toMatchObject({ blockers: [], notes: [{ id: 'figure_expired:benefit', reason }] })
  expect(accepted({ on: '2026-11-16' }).blockers).toHaveLength(1)
  // An accepted finding that is gone becomes a note.
  const { notes } = launchReport({ ...options, findings: [], accepted: { 'dead_link:/x': acceptance } })
  expect(notes.map(({ id }) => id)).toEqual(['dead_link:/x'])
})

test('a figure that expires within 30 days is a note', () => {
  const report = launchReport({ ...options, today: '2025-12-15' })
  expect(report.blockers).toEqual([])
  expect(report.notes).toEqual([{ id: 'figure_expired:benefit', reason: 'Will block the launch starting 2026-01-01.' }])
})

test('findings with the same cause share one line in the printed report', () => {
  const sample = (subject: string) => ({ code: 'sample_testimonial', subject, change: { search: subject } }) as const
  const { causes } = launchReport({ ...options, findings: [sample('Ann'), finding, sample('Bob')] })
  expect(causes.map(({ group, reason }) => `${group}: ${reason.slice(0, 42)}`)).toEqual([
    'lawyer: Sample testimonials are shown: Ann, Bob. F',
    'marketer: Out-of-date figures: benefit ($4,018) was ',
  ])
})

test('sorts open findings worst first and leaves out findings that don’t apply yet', () => {
  const later = { code: 'figure_expired', subject: 'x', from: '2026-12-01' } as const
  const points = [{ code: 'dead_link', subject: 'x' }, later, { code: 'sample_testimonial', subject: 'x' }] as const
  const openCodes = (day: string) => openOn(points, day).map(({ code }) => code)
  expect(openCodes('2026-11-30')).toEqual(['sample_testimonial', 'dead_link'])
  expect(openCodes('2026-12-01')).toEqual(['sample_testimonial', 'figure_expired', 'dead_link'])
})

describe('the line to change', () => {
  const root = mkdtempSync(join(tmpdir(), 'locations-'))
  afterAll(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'site')
  mkdirSync(folder)
  writeFileSync(join(folder, 'en.toml'), '[landing]\ntitle = "See /gone"\n')
  writeFileSync(join(root, 'settings.env'), '# SITE_URL=x\nexport SITE_URL=http://a.test\n')
  const places = {
    'evidence.toml figures.one.until': { file: 'content/evidence.toml', line: 6 },
    'organization.toml name': { file: 'organization.toml', line: 2 },
  }
  const options = { root, folder, places, settingsFile: null, environment: {} }

  test('is in the organization’s folder, or to be added to it', () => {
    const locationOf = createLocator(options)
    expect(locationOf({ key: 'organization.toml name' })).toBe('organization.toml:2')
    expect(locationOf({ key: 'evidence.toml figures.one.until' })).toBe(
      'evidence.toml (change [figures.one] until = …)',
    )
    expect(locationOf({ key: 'organization.toml email' })).toBe('organization.toml (add email = …)')
    expect(locationOf({ key: 'reviews.toml accepted.no_webhook:CRM' })).toBe(
      'reviews.toml (add [accepted."no_webhook:CRM"] by = …, on = …, why = …)',
    )
    expect(locationOf({ key: 'consent.en.md' })).toBe('consent.en.md')
    expect(locationOf({ file: 'en.toml', line: 12 })).toBe('en.toml:12')
    expect(locationOf({ search: '/gone' })).toBe('en.toml:2')
    const original = createLocator({ ...options, folder: null })
    expect(original({ key: 'evidence.toml figures.one.until' })).toBe('content/evidence.toml:6')
  })

  test('points to where a setting is defined', () => {
    const settingsFile = join(root, 'settings.env')
    const locationOf = createLocator({ ...options, settingsFile, environment: { TRUST_PROXY: '0.0.0.0/0' } })
    expect(locationOf({ setting: 'SITE_URL' })).toBe('settings.env:2')
    expect(locationOf({ setting: 'TRUST_PROXY' })).toBe('environment variable TRUST_PROXY')
    expect(locationOf({ setting: 'TRUSTEDFORM' })).toBe('settings.env (add TRUSTEDFORM=…)')
    expect(createLocator(options)({ setting: 'SITE_URL' })).toBe('.env (add SITE_URL=…)')
  })
})
