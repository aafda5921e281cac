import { expect, test } from 'vitest'
import type { LaunchFinding } from '../domain/launch/finding.ts'
import { launchReport } from './check.ts'

const finding: LaunchFinding = {
  code: 'figure_expired',
  subject: 'benefit',
  detail: '$4,018\nThe new one is $4,152.',
  from: '2026-01-01',
  change: { after: ['benefit: {', 'until:'] },
}
const options = {
  findings: [finding],
  links: [],
  justifications: {},
  today: '2026-11-15',
  placeOf: () => 'content/figures.ts:12',
}
const justification = { who: 'Jane Roe, counsel', when: '2026-11-01', why: 'Replaced on December 1.' }
const withJustification = (changed: object) =>
  launchReport({ ...options, justifications: { 'figure_expired:benefit': { ...justification, ...changed } } })

test('a blocker has a name, its reason and the line to change', () => {
  expect(launchReport(options)).toEqual({
    blockers: [
      {
        id: 'figure_expired:benefit',
        reason: 'The figure benefit ($4,018) held only until 2025-12-31. The new one is $4,152.',
        change: 'content/figures.ts:12',
      },
    ],
    notes: [],
  })
})

test('a justification with who, when and why turns it into a note', () => {
  expect(withJustification({})).toEqual({
    blockers: [],
    notes: [
      {
        id: 'figure_expired:benefit',
        reason: 'Justified by Jane Roe, counsel on 2026-11-01: Replaced on December 1.',
      },
    ],
  })
})

test.each([{ who: '' }, { why: ' ' }, { when: 'soon' }, { when: '2026-11-16' }, { when: '2026-09-31' }])(
  'not one with %o',
  changed => {
    expect(withJustification(changed).blockers).toHaveLength(1)
  },
)

test('a justification of nothing is told, so that it does not lie in wait for the next finding', () => {
  const { notes } = launchReport({ ...options, findings: [], justifications: { 'dead_link:/x': justification } })
  expect(notes.map(({ id }) => id)).toEqual(['dead_link:/x'])
})

test('a figure that ends within thirty days is a note', () => {
  const report = launchReport({ ...options, today: '2025-12-15' })
  expect(report.blockers).toEqual([])
  expect(report.notes).toEqual([
    { id: 'figure_expired:benefit', reason: 'From 2026-01-01 on this keeps the site from the public.' },
  ])
})

test('a dead link to another site is a blocker, one that could not be looked at is named', () => {
  const { blockers, notes } = launchReport({
    ...options,
    findings: [],
    links: [
      { url: 'https://a.test/', standing: 'dead', reason: 'the site answers with 404' },
      { url: 'https://b.test/', standing: 'unchecked', reason: 'no other site can be reached from here (ENOTFOUND)' },
      { url: 'https://c.test/', standing: 'alive', reason: '' },
    ],
  })
  expect(blockers.map(({ reason }) => reason)).toEqual([
    'The link to https://a.test/ leads nowhere: the site answers with 404.',
  ])
  expect(notes.map(({ id }) => id)).toEqual(['link_not_checked:https://b.test/'])
})
