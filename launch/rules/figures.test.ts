import { expect, test } from 'vitest'
import { openOn } from '../../domain/launch/finding.ts'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { figureFindings, scarcityFindings } from './figures.ts'

const benefit = { shown: '$4,018', source: 'SSA', until: '2025-12-31' }
const pages = [builtPage('<p>Up to $4,018 a month. Only 23 spots remaining.</p>')]
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(pages, { benefit: { ...benefit, ...figure } }), day))

test('a figure may be shown up to and including its last day', () => {
  expect(openOnDay('2025-12-31', {})).toEqual([])
  expect(openOnDay('2026-01-01', {})).toEqual(['figure_expired:benefit'])
  expect(openOnDay('2099-01-01', { until: null })).toEqual([])
})

test('a figure without a source may not be shown', () => {
  expect(openOnDay('2020-01-01', { source: null })).toEqual(['figure_without_source:benefit'])
  expect(openOnDay('2020-01-01', { source: ' ' })).toEqual(['figure_without_source:benefit'])
})

test('a figure that no page shows is not asked for, also not one that only search engines were told', () => {
  expect(openOnDay('2026-01-01', { shown: '$9,999' })).toEqual([])
  const told = [builtPage('', { head: '<meta name="description" content="Up to $4,018">' })]
  expect(named(openOn(figureFindings(told, { benefit }), '2026-01-01'))).toEqual(['figure_expired:benefit'])
})

test.each([
  ['no figure', {}, ['scarcity_without_evidence:Only 23 spots']],
  ['no source', { spots: { shown: '23', source: null, until: null } }, ['scarcity_without_evidence:spots']],
  ['no last day', { spots: { shown: '23', source: 'intake plan', until: null } }, ['scarcity_without_evidence:spots']],
  ['evidence', { spots: { shown: '23', source: 'intake plan', until: '2026-11-30' } }, []],
])('a shortage with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(pages, figures))).toEqual(expected)
})

test('a shortage without evidence is told once, and one whose day has passed as expired', () => {
  const spots = { shown: '23', source: null, until: null }
  expect(figureFindings(pages, { spots })).toEqual([])
  const past = figureFindings(pages, { spots: { shown: '23', source: 'intake plan', until: '2026-10-31' } })
  expect(named(openOn(past, '2026-11-01'))).toEqual(['figure_expired:spots'])
})
