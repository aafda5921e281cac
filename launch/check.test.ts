import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LaunchFinding, openOn } from '../domain/launch/findings.ts'
import { launchReport } from './check.ts'
import { createLocator } from './locations.ts'

const finding: LaunchFinding = {
  code: 'figure_expired',
  subject: 'benefit',
  detail: '$4,018\nThe new one is $4,152.',
  from: '2026-01-01',
  change: { after: ['benefit: {', 'until:'] },
}
const change = 'content/figures.ts:12'
const options = { findings: [finding], justifications: {}, today: '2026-11-15', locationOf: () => change }
const justification = { who: 'Jane Roe, counsel', when: '2026-11-01', why: 'Replaced on December 1.' }
const withJustification = (changed: object) =>
  launchReport({ ...options, justifications: { 'figure_expired:benefit': { ...justification, ...changed } } })

test('a blocker has an id, a reason, and the line to change', () => {
  const reason = 'Out-of-date figures: benefit ($4,018) was valid through 2025-12-31. The new one is $4,152.'
  const blocker = { id: 'figure_expired:benefit', group: 'marketing', reason, change }
  expect(launchReport(options)).toMatchObject({ blockers: [blocker], notes: [] })
})

test('only a complete justification turns a blocker into a note', () => {
  const reason = 'Accepted by Jane Roe, counsel on 2026-11-01: Replaced on December 1.'
  expect(withJustification({})).toMatchObject({ blockers: [], notes: [{ id: 'figure_expired:benefit', reason }] })
  const incomplete = [{ who: '' }, { why: ' ' }, { when: 'soon' }, { when: '2026-11-16' }, { when: '2026-09-31' }]
  for (const changed of incomplete) expect([changed, withJustification(changed).blockers.length]).toEqual([changed, 1])
  // A justification without a finding becomes a note.
  const { notes } = launchReport({ ...options, findings: [], justifications: { 'dead_link:/x': justification } })
  expect(notes.map(({ id }) => id)).toEqual(['dead_link:/x'])
})

test('a figure that expires within 30 days is a note', () => {
  const report = launchReport({ ...options, today: '2025-12-15' })
  expect(report.blockers).toEqual([])
  expect(report.notes).toEqual([{ id: 'figure_expired:benefit', reason: 'Will block the launch starting 2026-01-01.' }])
})

test('findings with the same cause share one line in the printed report', () => {
  const sample = (subject: string) => ({ code: 'sample_testimonial', subject, change: { after: [subject] } }) as const
  const { causes } = launchReport({ ...options, findings: [sample('Ann'), finding, sample('Bob')] })
  expect(causes.map(({ group, reason }) => `${group}: ${reason.slice(0, 42)}`)).toEqual([
    'lawyer: Sample testimonials are shown: Ann, Bob. F',
    'marketing: Out-of-date figures: benefit ($4,018) was ',
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

  beforeAll(() => {
    mkdirSync(join(root, 'content/legal'), { recursive: true })
    const write = (file: string, text: string) => writeFileSync(join(root, file), text)
    write('content/figures.ts', '{\n  one: {\n    until: null,\n  },\n  two: {\n    until: null,\n  },\n}\n')
    write('content/quotes.ts', 'const quote = {\n  text: "I\'d go again",\n}\n')
    write('content/legal/terms.md', 'Draft: x\n')
    write('settings.env', '# SITE_URL=x\nexport SITE_URL=http://a.test\n')
  })

  afterAll(() => rmSync(root, { recursive: true }))

  test('finds a line in any content file using a sequence of strings', () => {
    const locationOf = createLocator({ root, settingsFile: null, environment: {} })
    expect(locationOf({ after: ['two: {', 'until:'] })).toBe('content/figures.ts:6')
    expect(locationOf({ after: ['I’d go again'] })).toBe('content/quotes.ts:2')
    expect(locationOf({ file: 'content/legal/terms.md', after: ['Draft'] })).toBe('content/legal/terms.md:1')
    expect(locationOf({ after: ['nowhere'] })).toBe('content/')
  })

  test('points to where a setting is defined', () => {
    const settingsFile = join(root, 'settings.env')
    const locationOf = createLocator({ root, settingsFile, environment: { TRUST_PROXY: '0.0.0.0/0' } })
    expect(locationOf({ setting: 'SITE_URL' })).toBe('settings.env:2')
    expect(locationOf({ setting: 'TRUST_PROXY' })).toBe('environment variable TRUST_PROXY')
    expect(locationOf({ setting: 'TRUSTEDFORM' })).toBe('settings.env (add TRUSTEDFORM=…)')
    expect(createLocator({ root, settingsFile: null, environment: {} })({ setting: 'SITE_URL' })).toBe(
      '.env (add SITE_URL=…)',
    )
  })
})
